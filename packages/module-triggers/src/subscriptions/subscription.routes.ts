import {
  CreateEventSubscriptionSchema,
  EventSubscriptionSchema,
  SubscriptionDeliverySchema,
  UpdateEventSubscriptionSchema,
} from "@oven/contract/trigger";
import {
  created,
  defineRoute,
  ListQuerySchema,
  listReply,
  type Permission,
  type Route,
  rowRoutes,
  toListParams,
} from "@oven/module-registry";
import { z } from "zod";
import type { SubscriptionService } from "./subscription-service.ts";

export const subscriptionPermissions: Permission[] = [
  {
    id: "event-subscriptions.read",
    title: "See where events are posted to, and what became of them",
    roles: ["auditor"],
  },
  { id: "event-subscriptions.create", title: "Have events posted to other services" },
  { id: "event-subscriptions.update", title: "Change event subscriptions, test them, and repeat deliveries" },
  { id: "event-subscriptions.delete", title: "Delete event subscriptions" },
];

const id = z.coerce.number().int().positive();
const Params = z.object({ id });
const may = (action: string) => ({ permission: `event-subscriptions.${action}` });

export function subscriptionRoutes(deps: () => { subscriptions: SubscriptionService }): Route[] {
  return [
    ...rowRoutes({
      path: "event-subscriptions",
      operation: "subscriptions",
      permission: (action) => `event-subscriptions.${action}`,
      summaries: {
        list: "List where events are posted to",
        create: "Have events posted, signed, to another service",
        get: "Get an event subscription",
        update: "Change an event subscription; while it is off, what is due waits and new events are left out",
        delete: "Delete an event subscription with its deliveries, also those that were not sent yet",
      },
      params: Params,
      row: EventSubscriptionSchema,
      create: CreateEventSubscriptionSchema,
      update: UpdateEventSubscriptionSchema,
      rows: () => deps().subscriptions,
    }),
    defineRoute({
      method: "GET",
      path: "event-subscriptions/[id]/deliveries",
      operation: "subscriptions.deliveries",
      summary: "What was posted, what is due, and what was given up (`status` dead)",
      access: may("read"),
      effect: "pure",
      params: Params,
      query: ListQuerySchema,
      response: z.array(SubscriptionDeliverySchema),
      handler: async ({ principal, params, query }) => {
        const listed = toListParams(query);
        const { rows, total } = await deps().subscriptions.deliveries(principal, params.id, listed);
        return listReply("subscription-deliveries", listed, rows, total);
      },
    }),
    defineRoute({
      method: "POST",
      path: "event-subscriptions/[id]/deliveries/[deliveryId]/replay",
      operation: "subscriptions.replay",
      summary: "Post an event once more, with the same webhook-id",
      access: may("update"),
      effect: "at-least-once",
      params: z.object({ id, deliveryId: id }),
      response: SubscriptionDeliverySchema,
      handler: async ({ principal, params }) =>
        created(await deps().subscriptions.replay(principal, params.id, params.deliveryId)),
    }),
    defineRoute({
      method: "POST",
      path: "event-subscriptions/[id]/test",
      operation: "subscriptions.test",
      summary: "Post an example now, once, and say what the receiver answered",
      access: may("update"),
      effect: "at-least-once",
      params: Params,
      response: SubscriptionDeliverySchema,
      handler: async ({ principal, params }) => created(await deps().subscriptions.test(principal, params.id)),
    }),
  ];
}
