import type { NotificationRule } from "@oven/contract/system";
import { toDecisionsPath } from "../decisions/decision-channel.ts";
import type { notificationRules } from "../schema.ts";

export type RuleRow = typeof notificationRules.$inferSelect;

export function toRule(row: RuleRow): NotificationRule {
  return {
    id: row.id,
    name: row.name,
    enabled: row.enabled,
    scope: row.scope,
    events: row.events,
    channel: row.channel,
    recipients: row.recipients,
    subject: row.subject,
    text: row.text,
    quietHours: row.quietHours,
    timezone: row.timezone,
    decisionsPath: toDecisionsPath(row.channel, row.decisionsKey),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
