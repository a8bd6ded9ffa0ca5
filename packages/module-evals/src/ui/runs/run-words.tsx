import type { EvalResult, EvalRun } from "@oven/contract/eval";
import { t } from "@oven/i18n";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import type { StatusTone } from "@oven/ui/theme/tokens.ts";
import type { ReactElement } from "react";

/** Whether an evaluation is still going on. */
export function isOpen({ status }: EvalRun): boolean {
  return status === "queued" || status === "running";
}

/** How an evaluation went, in a few words. */
export function RunResultChip({ run }: { run: EvalRun }): ReactElement {
  const { status, passed, cases } = run;
  if (status === "queued") return <ToneChip tone="queued" word={t("queued")} />;
  if (status === "cancelled") return <ToneChip tone="cancelled" word={t("cancelled")} />;
  const word = t("{{passed}} of {{cases}} passed", { passed, cases });
  if (status === "running") return <ToneChip tone="running" word={word} />;
  return <ToneChip tone={passed === cases ? "completed" : "failed"} word={word} />;
}

const LOOKS: Readonly<Record<EvalResult["status"], { tone: StatusTone; word: string }>> = {
  pending: { tone: "queued", word: t("waiting") },
  running: { tone: "running", word: t("running") },
  passed: { tone: "completed", word: t("passed") },
  failed: { tone: "failed", word: t("failed") },
  error: { tone: "stopped", word: t("not judged") },
};

/** How a case went. */
export function ResultChip({ status }: { status: EvalResult["status"] }): ReactElement {
  return <ToneChip {...LOOKS[status]} />;
}

/** `87 %`; nothing has ended: `–`. */
export function formatRate(rate: number | null): string {
  return rate === null ? "–" : `${Math.round(rate * 100)} %`;
}
