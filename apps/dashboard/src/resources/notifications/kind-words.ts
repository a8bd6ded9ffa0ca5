import type { NotificationKind } from "@oven/contract";

export const KIND_WORDS: Record<NotificationKind, string> = {
  "run.completed": "A run has completed",
  "run.failed": "A run has failed",
  "review.opened": "A review was opened",
  "review.deadline": "A review is due soon",
  "budget.exhausted": "A budget is spent",
};

// cast: the keys of a record over the kinds
export const KINDS = Object.keys(KIND_WORDS) as NotificationKind[];
