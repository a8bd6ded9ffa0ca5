import { CreateEventWiringSchema, EventWiringSchema, UpdateEventWiringSchema } from "@oven/contract/trigger";
import { type Route, rowRoutes } from "@oven/module-registry";
import { z } from "zod";
import type { WiringService } from "./wiring-service.ts";

/** Those who may make triggers may wire events, as far as they may make workflows. */
export function wiringRoutes(deps: () => { wirings: WiringService }): Route[] {
  return rowRoutes({
    path: "event-wirings",
    operation: "wirings",
    changes: { delegates: true },
    permission: (action) => `triggers.${action}`,
    summaries: {
      list: "List which events make which actions happen",
      create: "Let an event make an action happen; it has the permissions of the principal that saved it last",
      get: "Get an event wiring",
      update: "Change an event wiring",
      delete: "Delete an event wiring with its trigger and its workflow; runs stay",
    },
    params: z.object({ id: z.coerce.number().int().positive() }),
    row: EventWiringSchema,
    create: CreateEventWiringSchema,
    update: UpdateEventWiringSchema,
    rows: () => deps().wirings,
  });
}
