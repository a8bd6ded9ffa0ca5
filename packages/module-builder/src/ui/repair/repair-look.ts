import type { FixVerdict, RepairStatus } from "@oven/contract/workflow";
import { t } from "@oven/i18n";

/** The tone of a chip, as of the states of runs. */
export const STATUS_TONES = {
  working: "running",
  asked: "paused",
  applied: "completed",
  rejected: "stopped",
  stale: "stopped",
  refused: "failed",
  unproved: "failed",
  ended: "stopped",
} as const satisfies Record<RepairStatus, string>;

export function statusWord(status: RepairStatus): string {
  const words: Record<RepairStatus, string> = {
    working: t("Under way"),
    asked: t("Waits for a decision"),
    applied: t("Applied"),
    rejected: t("Rejected by a person"),
    stale: t("Out of date"),
    refused: t("Not published"),
    unproved: t("No repair found"),
    ended: t("Ended early"),
  };
  return words[status];
}

export const VERDICT_TONES = {
  completes: "completed",
  passes: "paused",
  "same-failure": "failed",
  fails: "failed",
  unknown: "stopped",
  "no-recording": "stopped",
} as const satisfies Record<FixVerdict, string>;

export function verdictWord(verdict: FixVerdict): string {
  const words: Record<FixVerdict, string> = {
    completes: t("Would complete"),
    passes: t("Would get past the failure"),
    "same-failure": t("Would fail again"),
    fails: t("Would fail otherwise"),
    unknown: t("Not known"),
    "no-recording": t("No recording"),
  };
  return words[verdict];
}
