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
  noContent,
  ok,
  type Permission,
  type Route,
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
    defineRoute({
      method: "GET",
      path: "event-subscriptions",
      operation: "subscriptions.list",
      summary: "List where events are posted to",
      access: may("read"),
      effect: "pure",
      query: ListQuerySchema,
      response: z.array(EventSubscriptionSchema),
      handler: async ({ principal, query }) => {
        const params = toListParams(query);
        const { rows, total } = await deps().subscriptions.list(principal, params);
        return listReply("event-subscriptions", params, rows, total);
      },
    }),
    defineRoute({
      method: "POST",
      path: "event-subscriptions",
      operation: "subscriptions.create",
      summary: "Have events posted, signed, to another service",
      access: may("create"),
      effect: "at-least-once",
      body: CreateEventSubscriptionSchema,
      response: EventSubscriptionSchema,
      handler: async ({ principal, body }) => created(await deps().subscriptions.create(principal, body)),
    }),
    defineRoute({
      method: "GET",
      path: "event-subscriptions/[id]",
      operation: "subscriptions.get",
      summary: "Get an event subscription",
      access: may("read"),
      effect: "pure",
      params: Params,
      response: EventSubscriptionSchema,
      handler: async ({ principal, params }) => ok(await deps().subscriptions.get(principal, params.id)),
    }),
    defineRoute({
      method: "PUT",
      path: "event-subscriptions/[id]",
      operation: "subscriptions.update",
      summary: "Change an event subscription; while it is off, what is due waits and new events are left out",
      access: may("update"),
      effect: "idempotent",
      params: Params,
      body: UpdateEventSubscriptionSchema,
      response: EventSubscriptionSchema,
      handler: async ({ principal, params, body }) => ok(await deps().subscriptions.update(principal, params.id, body)),
    }),
    defineRoute({
      method: "DELETE",
      path: "event-subscriptions/[id]",
      operation: "subscriptions.delete",
      summary: "Delete an event subscription with its deliveries, also those that were not sent yet",
      access: may("delete"),
      effect: "at-least-once",
      params: Params,
      handler: async ({ principal, params }) => {
        await deps().subscriptions.delete(principal, params.id);
        return noContent();
      },
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
