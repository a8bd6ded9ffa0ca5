import { CreateEventWiringSchema, EventWiringSchema, UpdateEventWiringSchema } from "@oven/contract/trigger";
import {
  created,
  defineRoute,
  ListQuerySchema,
  listReply,
  noContent,
  ok,
  type Route,
  toListParams,
} from "@oven/module-registry";
import { z } from "zod";
import type { WiringService } from "./wiring-service.ts";

const Params = z.object({ id: z.coerce.number().int().positive() });
const may = (action: string) => ({ permission: `triggers.${action}` });

/** Those who may make triggers may wire events, as far as they may make workflows. */
export function wiringRoutes(deps: () => { wirings: WiringService }): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "event-wirings",
      operation: "wirings.list",
      summary: "List which events make which actions happen",
      access: may("read"),
      effect: "pure",
      query: ListQuerySchema,
      response: z.array(EventWiringSchema),
      handler: async ({ principal, query }) => {
        const params = toListParams(query);
        const { rows, total } = await deps().wirings.list(principal, params);
        return listReply("event-wirings", params, rows, total);
      },
    }),
    defineRoute({
      method: "POST",
      path: "event-wirings",
      operation: "wirings.create",
      delegates: true,
      summary: "Let an event make an action happen; it has the permissions of the principal that saved it last",
      access: may("create"),
      effect: "at-least-once",
      body: CreateEventWiringSchema,
      response: EventWiringSchema,
      handler: async ({ principal, body }) => created(await deps().wirings.create(principal, body)),
    }),
    defineRoute({
      method: "GET",
      path: "event-wirings/[id]",
      operation: "wirings.get",
      summary: "Get an event wiring",
      access: may("read"),
      effect: "pure",
      params: Params,
      response: EventWiringSchema,
      handler: async ({ principal, params }) => ok(await deps().wirings.get(principal, params.id)),
    }),
    defineRoute({
      method: "PUT",
      path: "event-wirings/[id]",
      operation: "wirings.update",
      delegates: true,
      summary: "Change an event wiring",
      access: may("update"),
      effect: "idempotent",
      params: Params,
      body: UpdateEventWiringSchema,
      response: EventWiringSchema,
      handler: async ({ principal, params, body }) => ok(await deps().wirings.update(principal, params.id, body)),
    }),
    defineRoute({
      method: "DELETE",
      path: "event-wirings/[id]",
      operation: "wirings.delete",
      delegates: true,
      summary: "Delete an event wiring with its trigger and its workflow; runs stay",
      access: may("delete"),
      effect: "at-least-once",
      params: Params,
      handler: async ({ principal, params }) => {
        await deps().wirings.delete(principal, params.id);
        return noContent();
      },
    }),
  ];
}
