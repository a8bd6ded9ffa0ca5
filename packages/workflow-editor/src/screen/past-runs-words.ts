import type { RehearsalVerdict, RehearsedRun, UnknownReason } from "@oven/contract/run";
import { t } from "@oven/i18n";
import { formatDuration, formatMoney } from "@oven/ui/components/format.ts";

const REASONS: Record<UnknownReason, string> = {
  "new-call": t("no recorded call is like this one"),
  "no-answer": t("the recorded call was never answered"),
  "other-review": t("people would have been shown something else"),
  "no-decision": t("this review was not decided"),
  "no-event": t("what it waits for did not come"),
  "too-large": t("its output is too large to be computed here"),
  "too-long": t("it takes too many steps"),
  "live-budget": t("the model was not asked: what may be spent is spent"),
  "live-failed": t("the model was asked and gave no answer"),
};

/** What each verdict says about one run. */
export const VERDICT_WORDS: Record<RehearsalVerdict, string> = {
  same: t("the same"),
  outcome: t("ends differently"),
  calls: t("other calls"),
  path: t("other steps"),
  unknown: t("not known"),
};

/** What a run comes to, in a line. */
export function toVerdictText({ verdict, unknown, end, calls, steps }: RehearsedRun): string {
  if (unknown !== null) {
    const reason = REASONS[unknown.reason];
    return unknown.nodeId === null ? reason : t("{{step}}: {{reason}}", { step: unknown.nodeId, reason });
  }
  if (end !== null) {
    const [was, is] = [nameOfEnd(end.was), nameOfEnd(end.is)];
    return was === is ? t("ends with another output") : t("ended as {{was}}, would end as {{is}}", { was, is });
  }
  if (verdict === "calls") {
    const names = [...new Set([...calls.added, ...calls.missing].map(({ nodeId }) => nodeId))].join(", ");
    return t("other calls at {{steps}}", { steps: names });
  }
  const names = [...new Set([...steps.added, ...steps.missing].map((step) => step.split(" ")[0]))].join(", ");
  return t("other steps: {{steps}}", { steps: names });
}

type End = NonNullable<RehearsedRun["end"]>["was"];

export function nameOfEnd(end: End): string {
  if (end === null) return t("open");
  return end.outcome ?? end.error ?? end.status;
}

/** Less is within what a call takes anyway. */
const SHORT_MS = 1_000;

/** What it costs and takes on top, or less; null: neither. */
export function toSpendingText({
  costMicros,
  durationMs,
}: Pick<RehearsedRun, "costMicros" | "durationMs">): string | null {
  const parts = [
    costMicros === 0 ? null : `${sign(costMicros)}${formatMoney(Math.abs(costMicros))}`,
    Math.abs(durationMs) < SHORT_MS ? null : `${sign(durationMs)}${formatDuration(Math.abs(durationMs))}`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(", ");
}

function sign(value: number): string {
  return value < 0 ? "−" : "+";
}
