import type { NotificationKind } from "@oven/contract/system";
import { t } from "@oven/i18n";

export const KIND_WORDS: Record<NotificationKind, string> = {
  "run.completed": t("A run has completed"),
  "run.failed": t("A run has failed"),
  "review.opened": t("A review was opened"),
  "review.deadline": t("A review is due soon"),
  "review.assigned": t("A review was handed on"),
  "budget.exhausted": t("A budget is spent"),
  "trigger.unusable": t("A trigger no longer works"),
  "mcp-tool.changed": t("An MCP server changed a tool"),
  "a2a-agent.changed": t("An A2A agent changed its card"),
  "api-operation.changed": t("The document of an API changed an operation"),
  "canary.stopped": t("A candidate was stopped by its rule"),
};

// cast: the keys of a record over the kinds
export const KINDS = Object.keys(KIND_WORDS) as NotificationKind[];
