import type { GraphSessionStatus, SessionStepStatus } from "@oven/contract/formats/sessions.ts";
import { t } from "@oven/i18n";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import type { StatusTone } from "@oven/ui/theme/tokens.ts";
import type { ReactElement } from "react";

const SESSION: Record<GraphSessionStatus, [StatusTone, string]> = {
  pending: ["queued", "queued"],
  running: ["running", "running"],
  waiting: ["paused", "waiting"],
  completed: ["completed", "completed"],
  completed_with_errors: ["failed", t("with errors")],
  failed: ["failed", "failed"],
  cancelled: ["cancelled", "cancelled"],
};

const STEP: Record<SessionStepStatus, [StatusTone, string]> = {
  active: ["running", "active"],
  pending: ["queued", "pending"],
  complete: ["completed", "complete"],
  error: ["failed", "error"],
  awaiting_input: ["paused", t("awaiting input")],
};

export function SessionStatusChip({ status }: { status: GraphSessionStatus }): ReactElement {
  const [tone, word] = SESSION[status];
  return <ToneChip tone={tone} word={word} />;
}

export function StepStatusChip({ status }: { status: SessionStepStatus }): ReactElement {
  const [tone, word] = STEP[status];
  return <ToneChip tone={tone} word={word} />;
}
