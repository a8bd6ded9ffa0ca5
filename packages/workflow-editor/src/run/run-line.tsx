import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import type { Execution } from "@oven/contract/run";
import { t } from "@oven/i18n";
import { formatDuration, formatMoney, formatTokens, toElapsed } from "@oven/ui/components/format.ts";
import { SimulatedChip } from "@oven/ui/components/simulated-chip.tsx";
import { StatusChip } from "@oven/ui/components/status-chip.tsx";
import { runPath, type WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import type { ReactElement, ReactNode } from "react";
import { Link as RouterLink } from "react-router-dom";

export interface RunLineProps {
  kind: WorkflowKind;
  run: Execution;
  now: number;
  /** News of it do not arrive at the moment. */
  lost: boolean;
  /** What can be done with it. */
  children: ReactNode;
}

/** How a run stands, in one line: its status, time and cost, and where all of it is. */
export function RunLine({ kind, run, now, lost, children }: RunLineProps): ReactElement {
  const elapsed = toElapsed(run, now);
  return (
    <Box
      sx={{
        display: "flex",
        flexWrap: "wrap",
        alignItems: "center",
        columnGap: 1.25,
        fontSize: 13,
        color: "text.secondary",
      }}
    >
      <Box aria-live="polite">
        <StatusChip status={run.status} outcome={run.outcome} />
      </Box>
      {run.simulated ? <SimulatedChip /> : null}
      <span>{elapsed === null ? t("not started") : formatDuration(elapsed)}</span>
      <span>{formatTokens(run.tokenUsage)}</span>
      <span>{formatMoney(run.costMicros)}</span>
      <Link component={RouterLink} to={runPath(kind.kind, run.id)} target="_blank" rel="noopener">
        {t("Run #{{id}}", { id: run.id })}
      </Link>
      {lost ? <span role="status">{t("reconnecting…")}</span> : null}
      {children}
    </Box>
  );
}
