import { JsonSchema } from "@oven/contract";
import {
  CreateTriggerSchema,
  TriggerDeliverySchema,
  TriggerSchema,
  TriggerTestSchema,
  TriggerTypeSchema,
  UpdateTriggerSchema,
} from "@oven/contract/trigger";
import {
  created,
  defineRoute,
  ListQuerySchema,
  listReply,
  noContent,
  ok,
  type Permission,
  READING_ROLES,
  type Route,
  RUNNING_ROLES,
  toListParams,
} from "@oven/module-registry";
import { z } from "zod";
import type { DeliveryService } from "../deliveries/delivery-service.ts";
import type { TriggerCatalog } from "./trigger-catalog.ts";
import type { TriggerService } from "./trigger-service.ts";

export interface TriggerRouteDeps {
  catalog: TriggerCatalog;
  triggers: TriggerService;
  deliveries: DeliveryService;
}

export const triggerPermissions: Permission[] = [
  { id: "triggers.read", title: "See triggers and what arrived at them", roles: READING_ROLES },
  { id: "triggers.create", title: "Make triggers", roles: ["editor"] },
  { id: "triggers.update", title: "Change triggers and switch them on and off", roles: ["editor"] },
  { id: "triggers.delete", title: "Delete triggers", roles: ["editor"] },
  { id: "triggers.fire", title: "Fire triggers by hand and repeat deliveries", roles: RUNNING_ROLES },
];

const Params = z.object({ id: z.coerce.number().int().positive() });
const may = (action: string) => ({ permission: `triggers.${action}` });
const MAX_REPLAYS = 100;

export function triggerRoutes(deps: () => TriggerRouteDeps): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "trigger-types",
      operation: "types.list",
      summary: "The kinds of triggers, with their settings",
      access: may("read"),
      effect: "pure",
      response: z.array(TriggerTypeSchema),
      handler: async () => ok(deps().catalog.list()),
    }),
    defineRoute({
      method: "GET",
      path: "triggers",
      operation: "triggers.list",
      summary: "List triggers",
      access: may("read"),
      effect: "pure",
      query: ListQuerySchema,
      response: z.array(TriggerSchema),
      handler: async ({ principal, query }) => {
        const params = toListParams(query);
        const { rows, total } = await deps().triggers.list(principal, params);
        return listReply("triggers", params, rows, total);
      },
    }),
    defineRoute({
      method: "POST",
      path: "triggers",
      operation: "triggers.create",
      delegates: true,
      summary: "Make a trigger; its runs are started with the permissions of the principal that saved it last",
      access: may("create"),
      effect: "at-least-once",
      body: CreateTriggerSchema,
      response: TriggerSchema,
      handler: async ({ principal, body }) => created(await deps().triggers.create(principal, body)),
    }),
    defineRoute({
      method: "GET",
      path: "triggers/[id]",
      operation: "triggers.get",
      summary: "Get a trigger",
      access: may("read"),
      effect: "pure",
      params: Params,
      response: TriggerSchema,
      handler: async ({ principal, params }) => ok(await deps().triggers.get(principal, params.id)),
    }),
    defineRoute({
      method: "PUT",
      path: "triggers/[id]",
      operation: "triggers.update",
      delegates: true,
      summary: "Change a trigger",
      access: may("update"),
      effect: "idempotent",
      params: Params,
      body: UpdateTriggerSchema,
      response: TriggerSchema,
      handler: async ({ principal, params, body }) => ok(await deps().triggers.update(principal, params.id, body)),
    }),
    defineRoute({
      method: "DELETE",
      path: "triggers/[id]",
      operation: "triggers.delete",
      summary: "Delete a trigger and its log of deliveries; its runs stay",
      access: may("delete"),
      effect: "at-least-once",
      params: Params,
      handler: async ({ principal, params }) => {
        await deps().triggers.delete(principal, params.id);
        return noContent();
      },
    }),
    defineRoute({
      method: "POST",
      path: "triggers/[id]/test",
      operation: "triggers.test",
      summary: "What a payload, a past delivery or the type's sample would do; nothing is started",
      access: may("read"),
      effect: "pure",
      params: Params,
      body: z.strictObject({ payload: JsonSchema.optional(), deliveryId: z.int().positive().optional() }),
      response: TriggerTestSchema,
      handler: async ({ principal, params, body }) => {
        const { payload, deliveryId } = body;
        const given = {
          ...(payload === undefined ? {} : { payload }),
          ...(deliveryId === undefined ? {} : { deliveryId }),
        };
        return ok(await deps().deliveries.test(principal, params.id, given));
      },
    }),
    defineRoute({
      method: "POST",
      path: "triggers/[id]/token",
      // A token is not for the record of a run.
      operation: false,
      summary: "Give a trigger a new address; the one before is unknown from then on",
      access: may("update"),
      effect: "at-least-once",
      params: Params,
      response: TriggerSchema,
      handler: async ({ principal, params }) => ok(await deps().triggers.renewToken(principal, params.id)),
    }),
    defineRoute({
      method: "POST",
      path: "triggers/[id]/fire",
      operation: "triggers.fire",
      summary: "Fire a trigger by hand",
      access: may("fire"),
      effect: "at-least-once",
      params: Params,
      body: z.strictObject({ payload: JsonSchema.default({}) }),
      response: TriggerDeliverySchema,
      handler: async ({ principal, params, body }) =>
        created(await deps().deliveries.fire(principal, params.id, body.payload)),
    }),
    defineRoute({
      method: "GET",
      path: "trigger-deliveries",
      operation: "deliveries.list",
      summary: "What arrived at triggers, what was decided, and which run came of it",
      access: may("read"),
      effect: "pure",
      query: ListQuerySchema,
      response: z.array(TriggerDeliverySchema),
      handler: async ({ principal, query }) => {
        const params = toListParams(query);
        const { rows, total } = await deps().deliveries.list(principal, params);
        return listReply("trigger-deliveries", params, rows, total);
      },
    }),
    defineRoute({
      method: "GET",
      path: "trigger-deliveries/[id]",
      operation: "deliveries.get",
      summary: "Get a delivery",
      access: may("read"),
      effect: "pure",
      params: Params,
      response: TriggerDeliverySchema,
      handler: async ({ principal, params }) => ok(await deps().deliveries.get(principal, params.id)),
    }),
    defineRoute({
      method: "POST",
      path: "trigger-deliveries/[id]/replay",
      operation: "deliveries.replay",
      summary: "Deliver the same thing once more, by the trigger as it is now",
      access: may("fire"),
      effect: "at-least-once",
      params: Params,
      response: TriggerDeliverySchema,
      handler: async ({ principal, params }) => created(await deps().deliveries.replay(principal, params.id)),
    }),
    defineRoute({
      method: "POST",
      path: "trigger-deliveries/replay",
      operation: "deliveries.replayMany",
      summary: `Deliver up to ${MAX_REPLAYS} things once more`,
      access: may("fire"),
      effect: "at-least-once",
      body: z.strictObject({ ids: z.array(z.int().positive()).min(1).max(MAX_REPLAYS) }),
      response: z.array(TriggerDeliverySchema),
      handler: async ({ principal, body }) => {
        // All of them are there before the first one is repeated.
        for (const id of body.ids) await deps().deliveries.get(principal, id);
        const repeated = [];
        for (const id of body.ids) repeated.push(await deps().deliveries.replay(principal, id));
        return created(repeated);
      },
    }),
  ];
}
