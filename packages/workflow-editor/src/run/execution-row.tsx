import Box from "@mui/material/Box";
import type { ExecutionSummary } from "@oven/contract/run";
import { t } from "@oven/i18n";
import { formatDuration, formatMoney, formatTokens, toElapsed } from "@oven/ui/components/format.ts";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { RowCard } from "@oven/ui/components/row-card.tsx";
import { SimulatedChip } from "@oven/ui/components/simulated-chip.tsx";
import { StatusChip } from "@oven/ui/components/status-chip.tsx";
import { useIsNarrow } from "@oven/ui/components/use-is-narrow.ts";
import { useNow } from "@oven/ui/components/use-now.ts";
import { runPath } from "@oven/ui/components/workflow-kind.ts";
import type { ReactElement } from "react";
import { Link } from "react-router-dom";

export interface ExecutionRowProps {
  run: ExecutionSummary;
  /** Where the list has half the page. */
  dense?: boolean;
  /** Instead of the workflow's name. */
  label?: string;
}

/** A run as one line of a short list. */
export function ExecutionRow({ run, dense = false, label = run.workflowName }: ExecutionRowProps): ReactElement {
  const now = useNow(1_000, run.status === "running");
  const narrow = useIsNarrow();
  const elapsed = toElapsed(run, now);
  const to = runPath(run.kind, run.id);
  const duration = elapsed === null ? "–" : formatDuration(elapsed);
  const live = run.status === "paused" || run.status === "running";
  if (narrow || dense) {
    return (
      <RowCard to={to} title={`${label} #${run.id}`} aside={<StatusChip status={run.status} outcome={run.outcome} />}>
        {live ? <span>{t("at {{state}}", { state: run.currentState })}</span> : null}
        <span>{duration}</span>
        <span>{formatTokens(run.tokenUsage)}</span>
        {run.simulated ? <span>{t("simulated")}</span> : null}
        <RelativeTime at={run.startedAt ?? run.createdAt} />
      </RowCard>
    );
  }
  return (
    <Box
      component={Link}
      to={to}
      sx={{
        display: "grid",
        gridTemplateColumns: "minmax(0, 1fr) minmax(140px, auto) 88px 92px 72px 84px",
        alignItems: "center",
        columnGap: 2,
        minHeight: 44,
        px: 2,
        fontSize: 13.5,
        fontVariantNumeric: "tabular-nums",
        color: "text.secondary",
        textDecoration: "none",
        borderBottom: 1,
        borderColor: "divider",
        "&:last-of-type": { borderBottom: 0 },
        "&:hover": { bgcolor: "action.hover" },
        "&:focus-visible": { outlineOffset: "-2px" },
        "& > .number": { textAlign: "right" },
      }}
    >
      <Box sx={{ display: "flex", alignItems: "center", gap: 1, minWidth: 0 }}>
        <Box component="span" sx={{ fontWeight: 600, color: "text.primary" }}>
          {label}
        </Box>
        #{run.id}
        {run.simulated ? <SimulatedChip /> : null}
        {live ? <span>{t("at {{state}}", { state: run.currentState })}</span> : null}
      </Box>
      <span>
        <StatusChip status={run.status} outcome={run.outcome} />
      </span>
      <span className="number">{duration}</span>
      <span className="number">{formatTokens(run.tokenUsage)}</span>
      <span className="number">{formatMoney(run.costMicros)}</span>
      <span className="number">
        <RelativeTime at={run.startedAt ?? run.createdAt} />
      </span>
    </Box>
  );
}
