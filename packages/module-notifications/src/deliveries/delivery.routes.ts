import { NotificationDeliverySchema } from "@oven/contract/system";
import { created, defineRoute, ListQuerySchema, listReply, ok, type Route, toListParams } from "@oven/module-registry";
import { z } from "zod";
import type { DeliveryService } from "./delivery-service.ts";

const Params = z.object({ id: z.coerce.number().int().positive() });
const may = (action: string) => ({ permission: `notification-deliveries.${action}` });

export function deliveryRoutes(deps: () => { deliveries: DeliveryService }): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "notification-deliveries",
      operation: "notificationDeliveries.list",
      summary: "The messages that were sent, or are to be sent, with their attempts",
      access: may("read"),
      effect: "pure",
      query: ListQuerySchema,
      response: z.array(NotificationDeliverySchema),
      handler: async ({ principal, query }) => {
        const params = toListParams(query);
        const { rows, total } = await deps().deliveries.list(principal, params);
        return listReply("notification-deliveries", params, rows, total);
      },
    }),
    defineRoute({
      method: "GET",
      path: "notification-deliveries/[id]",
      operation: "notificationDeliveries.get",
      summary: "Get a message and what came of it",
      access: may("read"),
      effect: "pure",
      params: Params,
      response: NotificationDeliverySchema,
      handler: async ({ principal, params }) => ok(await deps().deliveries.get(principal, params.id)),
    }),
    defineRoute({
      method: "POST",
      path: "notification-deliveries/[id]/replay",
      operation: "notificationDeliveries.replay",
      summary: "Send the same message once more",
      access: may("replay"),
      effect: "at-least-once",
      params: Params,
      response: NotificationDeliverySchema,
      handler: async ({ principal, params }) => created(await deps().deliveries.replay(principal, params.id)),
    }),
  ];
}
