import { NotificationSchema } from "@oven/contract/system";
import { defineRoute, ListQuerySchema, listReply, ok, type Route, toListParams } from "@oven/module-registry";
import { z } from "zod";
import type { InboxService } from "./inbox-service.ts";

const Params = z.object({ id: z.coerce.number().int().positive() });
const OWN = { permission: "notifications.read" };

export function inboxRoutes(deps: () => { inbox: InboxService }): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "notifications",
      operation: "notifications.list",
      summary: 'Your notifications; `filter={"readAt":null}` for what you have not read',
      access: OWN,
      effect: "pure",
      query: ListQuerySchema,
      response: z.array(NotificationSchema),
      handler: async ({ principal, query }) => {
        const params = toListParams(query);
        const { rows, total } = await deps().inbox.list(principal, params);
        return listReply("notifications", params, rows, total);
      },
    }),
    // Before [id]: the first route that fits is taken.
    defineRoute({
      method: "GET",
      path: "notifications/unread",
      operation: "notifications.countUnread",
      summary: "How much of it you have not read",
      access: OWN,
      effect: "pure",
      response: z.strictObject({ unread: z.int() }),
      handler: async ({ principal }) => ok({ unread: await deps().inbox.unread(principal) }),
    }),
    defineRoute({
      method: "POST",
      path: "notifications/read",
      operation: "notifications.readAll",
      summary: "Mark all of it read",
      access: OWN,
      effect: "idempotent",
      response: z.strictObject({ marked: z.int() }),
      handler: async ({ principal }) => ok({ marked: await deps().inbox.markAllRead(principal) }),
    }),
    defineRoute({
      method: "GET",
      path: "notifications/[id]",
      operation: "notifications.get",
      summary: "Get one of your notifications",
      access: OWN,
      effect: "pure",
      params: Params,
      response: NotificationSchema,
      handler: async ({ principal, params }) => ok(await deps().inbox.get(principal, params.id)),
    }),
    defineRoute({
      method: "POST",
      path: "notifications/[id]/read",
      operation: "notifications.read",
      summary: "Mark it read",
      access: OWN,
      effect: "idempotent",
      params: Params,
      response: NotificationSchema,
      handler: async ({ principal, params }) => ok(await deps().inbox.markRead(principal, params.id)),
    }),
  ];
}
