import {
  CreateNotificationRuleSchema,
  NotificationRuleSchema,
  UpdateNotificationRuleSchema,
} from "@oven/contract/system";
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
import type { RuleService } from "./rule-service.ts";

const Params = z.object({ id: z.coerce.number().int().positive() });
const may = (action: string) => ({ permission: `notification-rules.${action}` });

export function ruleRoutes(deps: () => { rules: RuleService }): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "notification-rules",
      operation: "notificationRules.list",
      summary: "List the rules that say who is told of what",
      access: may("read"),
      effect: "pure",
      query: ListQuerySchema,
      response: z.array(NotificationRuleSchema),
      handler: async ({ principal, query }) => {
        const params = toListParams(query);
        const { rows, total } = await deps().rules.list(principal, params);
        return listReply("notification-rules", params, rows, total);
      },
    }),
    defineRoute({
      method: "POST",
      path: "notification-rules",
      operation: "notificationRules.create",
      summary: "Make a rule",
      access: may("create"),
      effect: "at-least-once",
      needsApproval: true,
      body: CreateNotificationRuleSchema,
      response: NotificationRuleSchema,
      handler: async ({ principal, body }) => created(await deps().rules.create(principal, body)),
    }),
    defineRoute({
      method: "GET",
      path: "notification-rules/[id]",
      operation: "notificationRules.get",
      summary: "Get a rule",
      access: may("read"),
      effect: "pure",
      params: Params,
      response: NotificationRuleSchema,
      handler: async ({ principal, params }) => ok(await deps().rules.get(principal, params.id)),
    }),
    defineRoute({
      method: "PUT",
      path: "notification-rules/[id]",
      operation: "notificationRules.update",
      summary: "Change a rule",
      access: may("update"),
      effect: "idempotent",
      needsApproval: true,
      params: Params,
      body: UpdateNotificationRuleSchema,
      response: NotificationRuleSchema,
      handler: async ({ principal, params, body }) => ok(await deps().rules.update(principal, params.id, body)),
    }),
    defineRoute({
      method: "DELETE",
      path: "notification-rules/[id]",
      operation: "notificationRules.delete",
      summary: "Delete a rule; what it has sent stays in the log",
      access: may("delete"),
      effect: "at-least-once",
      needsApproval: true,
      params: Params,
      handler: async ({ principal, params }) => {
        await deps().rules.delete(principal, params.id);
        return noContent();
      },
    }),
  ];
}
