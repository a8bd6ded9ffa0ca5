import { EventTypeSchema, LoggedEventSchema } from "@oven/contract/system";
import { z } from "zod";
import type { Permission } from "../define/define-module.ts";
import { defineRoute, ok, type Route } from "../define/define-route.ts";
import { ListQuerySchema, listReply, toListParams } from "../list/list-query.ts";
import type { EventLog } from "./event-log.ts";

const Params = z.object({ id: z.coerce.number().int().positive() });
const READ = { permission: "events.read" };

export const eventPermissions: Permission[] = [
  { id: "events.read", title: "See the log of events and what they carried", roles: ["auditor"] },
  { id: "events.retry", title: "Deliver events anew to listeners that failed" },
];

export function eventRoutes(deps: () => { log: EventLog }): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "events",
      operation: "events.list",
      summary: "What happened, the newest last, with what each listener made of it",
      description:
        "Filters: `name`, `pattern` (such as `agents-workflow.execution.*`), `from` and `to` (instants), `executionId`, `failed`.",
      access: READ,
      effect: "pure",
      query: ListQuerySchema,
      response: z.array(LoggedEventSchema),
      handler: async ({ principal, query }) => {
        const params = toListParams(query);
        const { rows, total } = await deps().log.list(principal, params);
        return listReply("events", params, rows, total);
      },
    }),
    defineRoute({
      method: "GET",
      path: "events/[id]",
      operation: "events.get",
      summary: "Get an event",
      access: READ,
      effect: "pure",
      params: Params,
      response: LoggedEventSchema,
      handler: async ({ principal, params }) => ok(await deps().log.get(principal, params.id)),
    }),
    defineRoute({
      method: "POST",
      path: "events/[id]/retry",
      operation: "events.retry",
      summary: "Deliver an event anew to a listener that was given up on, or to all of those",
      access: { permission: "events.retry" },
      effect: "at-least-once",
      params: Params,
      body: z.strictObject({ listener: z.string().min(1).max(300).optional() }),
      response: LoggedEventSchema,
      handler: async ({ principal, params, body }) => ok(await deps().log.retry(principal, params.id, body.listener)),
    }),
    defineRoute({
      method: "GET",
      path: "event-types",
      operation: "events.types",
      summary: "The events that modules emit, with the schemas of what they carry",
      access: "session",
      effect: "pure",
      response: z.array(EventTypeSchema),
      handler: async () => ok(deps().log.types()),
    }),
  ];
}
