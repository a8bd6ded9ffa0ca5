import ChevronRightRounded from "@mui/icons-material/ChevronRightRounded";
import Box from "@mui/material/Box";
import { t } from "@oven/i18n";
import { ApiError } from "@oven/ui/api/api-error.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { formatDuration, formatMoney, formatTokens } from "@oven/ui/components/format.ts";
import { JsonView } from "@oven/ui/components/json-view.tsx";
import { StatusChip } from "@oven/ui/components/status-chip.tsx";
import { visuallyHidden } from "@oven/ui/components/visually-hidden.ts";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";
import { type ReactElement, useState } from "react";
import { lookOfNode } from "../look/flow-look.ts";
import { KindIcon } from "../look/kind-icon.tsx";
import { type Bar, type TimelineRow, toBars } from "./timeline.ts";

const TONES: Record<TimelineRow["status"], string> = {
  running: "running",
  paused: "paused",
  completed: "completed",
  failed: "failed",
  cancelled: "cancelled",
  skipped: "cancelled",
};

export interface WaterfallProps {
  rows: TimelineRow[];
  now: number;
  /** Highlights the rows of this state. */
  selected: string | null;
}

/** Node by node: order, status, duration, tokens and cost; each row opens to its input and output. */
export function Waterfall({ rows, now, selected }: WaterfallProps): ReactElement {
  const bars = toBars(rows, now);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  if (rows.length === 0) return <Box sx={{ p: 2, color: "text.secondary" }}>{t("No node has started yet.")}</Box>;
  const toggle = (key: string): void => {
    const next = new Set(open);
    if (!next.delete(key)) next.add(key);
    setOpen(next);
  };
  return (
    <Box component="ol" aria-label={t("Node timeline")} sx={{ m: 0, p: 0, listStyle: "none" }}>
      {rows.map((row) => (
        <Box
          component="li"
          key={row.key}
          data-node={row.nodeId}
          data-status={row.status}
          sx={{
            borderBottom: 1,
            borderColor: "divider",
            "&:last-of-type": { borderBottom: 0 },
            ...(selected !== null && row.nodeId.split(".")[0] === selected && { bgcolor: "action.selected" }),
          }}
        >
          <RowLine
            row={row}
            bar={bars.get(row.key)}
            now={now}
            open={open.has(row.key)}
            onToggle={() => toggle(row.key)}
          />
          {open.has(row.key) ? <RowDetails row={row} /> : null}
        </Box>
      ))}
    </Box>
  );
}

function toSpent(row: TimelineRow, now: number): string {
  if (row.status === "paused") return "waiting";
  const ms = row.run?.durationMs ?? (row.end ?? now) - row.start;
  return formatDuration(Math.max(0, ms));
}

function RowLine({
  row,
  bar,
  now,
  open,
  onToggle,
}: {
  row: TimelineRow;
  bar: Bar | undefined;
  now: number;
  open: boolean;
  onToggle: () => void;
}): ReactElement {
  const ink = `var(--oven-status-${TONES[row.status]})`;
  const notes = [
    ...(row.visit > 1 ? [t("visit {{visit}}", { visit: row.visit })] : []),
    ...(row.attempt > 1 ? [t("attempt {{attempt}}", { attempt: row.attempt })] : []),
  ];
  return (
    <Box
      component="button"
      type="button"
      onClick={onToggle}
      aria-expanded={open}
      sx={{
        display: "grid",
        gridTemplateColumns: { xs: "minmax(0, 1fr) 84px 62px", sm: "minmax(0, 1fr) minmax(90px, 34%) 68px" },
        alignItems: "center",
        gap: 1.25,
        width: "100%",
        minHeight: 40,
        px: 1.25,
        border: 0,
        bgcolor: "transparent",
        color: "inherit",
        font: "inherit",
        textAlign: "left",
        cursor: "pointer",
        "&:hover": { bgcolor: "action.hover" },
        "&:focus-visible": { outlineOffset: "-2px" },
      }}
    >
      <Box sx={{ display: "flex", alignItems: "center", gap: 0.75, minWidth: 0, pl: row.depth * 2 }}>
        <ChevronRightRounded
          sx={{
            flex: "none",
            fontSize: 16,
            color: "text.secondary",
            transform: open ? "rotate(90deg)" : "none",
            transition: "transform 140ms",
          }}
        />
        <KindIcon kind={row.kind} look={lookOfNode(row.kind, row.nodeType)} size={16} />
        <Box
          sx={{
            minWidth: 0,
            overflow: "hidden",
            textOverflow: "ellipsis",
            whiteSpace: "nowrap",
            fontSize: 13.5,
            ...(row.depth === 0 ? { fontWeight: 600 } : {}),
            ...(row.run?.item != null ? { fontFamily: MONOSPACE, fontSize: 12.5 } : {}),
          }}
        >
          {row.label}
          <Box component="span" sx={visuallyHidden}>
            , {row.status}
          </Box>
          {notes.length === 0 ? null : (
            <Box component="span" sx={{ color: "text.secondary", fontWeight: 400, fontSize: 12 }}>
              {" "}
              · {notes.join(", ")}
            </Box>
          )}
        </Box>
      </Box>
      <Box sx={{ position: "relative", height: 10, borderRadius: 1, bgcolor: "var(--oven-sunken)" }}>
        {bar === undefined ? null : (
          <Box
            sx={{
              position: "absolute",
              top: 0,
              bottom: 0,
              left: `${bar.left}%`,
              width: `${bar.width}%`,
              minWidth: 3,
              borderRadius: 1,
              ...(row.waiting
                ? { background: `repeating-linear-gradient(115deg, ${ink} 0 3px, transparent 3px 7px)`, opacity: 0.75 }
                : { bgcolor: ink, opacity: row.depth === 0 ? 0.9 : 0.6 }),
            }}
          />
        )}
      </Box>
      <Box
        sx={{
          textAlign: "right",
          fontSize: 12.5,
          fontVariantNumeric: "tabular-nums",
          color: "text.secondary",
          whiteSpace: "nowrap",
        }}
      >
        {toSpent(row, now)}
      </Box>
    </Box>
  );
}

function RowDetails({ row }: { row: TimelineRow }): ReactElement {
  const { run } = row;
  if (run === null)
    return (
      <Box sx={{ px: 2, pb: 1.5, fontSize: 13, color: "text.secondary" }}>
        {t("Its input and output appear when it has finished.")}
      </Box>
    );
  const facts = [
    run.nodeId,
    `${run.nodeType} v${run.nodeVersion}`,
    formatTokens(run.tokenUsage),
    formatMoney(run.costMicros),
  ];
  return (
    <Box sx={{ display: "grid", gap: 1.25, px: 2, pb: 2, pt: 0.5 }}>
      <Box
        sx={{
          display: "flex",
          flexWrap: "wrap",
          alignItems: "center",
          gap: 1.25,
          fontSize: 12.5,
          color: "text.secondary",
        }}
      >
        <StatusChip status={run.status} />
        {facts.map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
      </Box>
      {run.error === null ? null : (
        <ErrorPanel
          title={t("This node failed")}
          error={
            new ApiError(0, {
              message: run.error,
              code: run.errorInfo?.code ?? "NODE_FAILED",
              ...(run.errorInfo?.details === undefined ? {} : { details: run.errorInfo.details }),
            })
          }
        />
      )}
      <Labelled title={t("Input")}>
        <JsonView value={run.input} what={t("the input of {{nodeId}}", { nodeId: run.nodeId })} maxHeight={260} />
      </Labelled>
      {run.status === "completed" ? (
        <Labelled title={t("Output")}>
          <JsonView value={run.output} what={t("the output of {{nodeId}}", { nodeId: run.nodeId })} maxHeight={260} />
        </Labelled>
      ) : null}
      {run.toolCalls === null || run.toolCalls.length === 0 ? null : (
        <Labelled title={t("Tool calls ({{number}})", { number: run.toolCalls.length })}>
          {/* cast: a tool call record is JSON; its optional keys are left out, not undefined */}
          <JsonView value={JSON.parse(JSON.stringify(run.toolCalls))} what={t("the tool calls")} maxHeight={260} />
        </Labelled>
      )}
    </Box>
  );
}

function Labelled({ title, children }: { title: string; children: ReactElement }): ReactElement {
  return (
    <Box>
      <Box sx={{ mb: 0.5, fontSize: 12, fontWeight: 600, color: "text.secondary" }}>{title}</Box>
      {children}
    </Box>
  );
}
