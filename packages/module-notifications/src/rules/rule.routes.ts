import {
  CreateNotificationRuleSchema,
  NotificationRuleSchema,
  UpdateNotificationRuleSchema,
} from "@oven/contract/system";
import { type Route, rowRoutes } from "@oven/module-registry";
import { z } from "zod";
import type { RuleService } from "./rule-service.ts";

export function ruleRoutes(deps: () => { rules: RuleService }): Route[] {
  return rowRoutes({
    path: "notification-rules",
    operation: "notificationRules",
    changes: { needsApproval: true },
    permission: (action) => `notification-rules.${action}`,
    summaries: {
      list: "List the rules that say who is notified of what",
      create: "Make a rule",
      get: "Get a rule",
      update: "Change a rule",
      delete: "Delete a rule; what it has sent stays in the log",
    },
    params: z.object({ id: z.coerce.number().int().positive() }),
    row: NotificationRuleSchema,
    create: CreateNotificationRuleSchema,
    update: UpdateNotificationRuleSchema,
    rows: () => deps().rules,
  });
}
