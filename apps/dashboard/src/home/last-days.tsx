import Box from "@mui/material/Box";
import ToggleButton from "@mui/material/ToggleButton";
import ToggleButtonGroup from "@mui/material/ToggleButtonGroup";
import type { UsageSummary } from "@oven/contract/ai";
import type { TokenUsage } from "@oven/contract/node";
import type { RunStats } from "@oven/contract/run";
import { t } from "@oven/i18n";
import { DayBars } from "@oven/ui/components/charts/day-bars.tsx";
import { toDaySeries } from "@oven/ui/components/charts/day-series.ts";
import { type ValueLine, ValueLines } from "@oven/ui/components/charts/value-lines.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { formatDuration, formatMoney, formatTokens } from "@oven/ui/components/format.ts";
import { Panel } from "@oven/ui/components/panel.tsx";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { useNow } from "@oven/ui/components/use-now.ts";
import { type ReactElement, useMemo, useState } from "react";
import { addUpDays, useKindStats } from "./joint-stats.ts";

const DAYS = 7;
type By = "day" | "workflow" | "model";

const tokens = (total: number): string => formatTokens({ total } as TokenUsage); // cast: only the total is shown

/** What the runs of the last seven days came to: by day, workflow or model. */
export function LastDays(): ReactElement {
  const [by, setBy] = useState<By>("day");
  const maySeeUsage = useCan("ai-usage.read");
  return (
    <Panel
      title={t("Last 7 days")}
      aside={
        <ToggleButtonGroup
          exclusive
          size="small"
          value={by}
          aria-label={t("Last 7 days by")}
          onChange={(_, value: By | null) => value !== null && setBy(value)}
          sx={{ my: 0.75, "& .MuiToggleButton-root": { px: 1.25, py: 0.25, textTransform: "none", fontSize: 12.5 } }}
        >
          <ToggleButton value="day">{t("Day")}</ToggleButton>
          <ToggleButton value="workflow">{t("Workflow")}</ToggleButton>
          {maySeeUsage ? <ToggleButton value="model">{t("Model")}</ToggleButton> : null}
        </ToggleButtonGroup>
      }
    >
      {by === "day" ? <ByDay /> : by === "workflow" ? <ByWorkflow /> : <ByModel />}
    </Panel>
  );
}

function toLatency({ medianMs, p95Ms }: RunStats): string {
  if (medianMs === null || p95Ms === null) return t("none has ended");
  return t("half within {{half}}, 95 % within {{most}}", {
    half: formatDuration(medianMs),
    most: formatDuration(p95Ms),
  });
}

function ByDay(): ReactElement {
  const { data, error } = useKindStats(`by=day&days=${DAYS}`);
  const now = useNow(60_000);
  if (error) return <ErrorPanel error={error} title={t("The last days could not be added up")} />;
  const rows = addUpDays(data ?? []);
  const series = toDaySeries(rows, DAYS, now);
  const bars = (value: (row: RunStats) => number, show: (row: RunStats) => string, part?: (row: RunStats) => number) =>
    series.map(({ day, at }) => {
      const row = rows[at];
      return {
        day,
        value: row === undefined ? 0 : value(row),
        ...(part === undefined ? {} : { part: row === undefined ? 0 : part(row) }),
        title: `${day}: ${row === undefined ? t("nothing") : show(row)}`,
      };
    });
  const sum = (value: (row: RunStats) => number): number => rows.reduce((total, row) => total + value(row), 0);
  const failed = sum((row) => row.failed);
  const slowest = Math.max(0, ...rows.map(({ p95Ms }) => p95Ms ?? 0));
  return (
    <Box
      aria-busy={data === undefined}
      sx={{
        display: "grid",
        gap: 2.5,
        gridTemplateColumns: { xs: "repeat(2, minmax(0, 1fr))", lg: "repeat(4, minmax(0, 1fr))" },
      }}
    >
      <DayBars
        name={t("Runs")}
        total={[`${sum((row) => row.runs)}`, ...(failed === 0 ? [] : [t("{{failed}} failed", { failed })])].join(", ")}
        bars={bars(
          (row) => row.runs,
          ({ runs, failed: lost }) => t("{{count}} runs, {{failed}} failed", { count: runs, failed: lost }),
          (row) => row.failed,
        )}
      />
      <DayBars
        name={t("Latency")}
        total={slowest === 0 ? "–" : t("95 % within {{slowest}}", { slowest: formatDuration(slowest) })}
        partTone="usual"
        bars={bars(
          (row) => row.p95Ms ?? 0,
          toLatency,
          (row) => row.medianMs ?? 0,
        )}
      />
      <DayBars
        name={t("Tokens")}
        total={tokens(sum((row) => row.tokens))}
        bars={bars(
          (row) => row.tokens,
          (row) => tokens(row.tokens),
        )}
      />
      <DayBars
        name={t("Cost")}
        total={formatMoney(sum((row) => row.costMicros))}
        bars={bars(
          (row) => row.costMicros,
          (row) => formatMoney(row.costMicros),
        )}
      />
    </Box>
  );
}

function ByWorkflow(): ReactElement {
  const { data, error } = useKindStats(`by=workflow&days=${DAYS}`);
  if (error) return <ErrorPanel error={error} title={t("The last days could not be added up")} />;
  const most = data?.toSorted((one, other) => other.runs - one.runs);
  const lines = most?.map((row): ValueLine => {
    const failed = row.failed === 0 ? [] : [t("{{failed}} failed", { failed: row.failed })];
    return {
      key: `${row.of.resource} ${row.key}`,
      name: row.name ?? row.key,
      to: `/${row.of.resource}/${row.key}/show`,
      value: row.runs,
      facts: [
        t("{{count}} runs", { count: row.runs }),
        ...failed,
        ...(row.medianMs === null ? [] : [toLatency(row)]),
        tokens(row.tokens),
        formatMoney(row.costMicros),
      ],
    };
  });
  return <ValueLines lines={lines} nothing={t("No run in the last seven days.")} />;
}

function ByModel(): ReactElement {
  const from = useMemo(() => new Date(Date.now() - DAYS * 86_400_000).toISOString(), []);
  const { data, error } = useAnswer<UsageSummary[]>(`ai-usage-logs/summary?by=model&from=${from}`);
  if (error) return <ErrorPanel error={error} title={t("The use of models could not be added up")} />;
  const lines = data?.map(({ key, calls, errors, input, output, costMicros, latencyMs }): ValueLine => {
    const failed = errors === 0 ? [] : [t("{{failed}} failed", { failed: errors })];
    const each = latencyMs === null ? [] : [t("{{duration}} each", { duration: formatDuration(latencyMs) })];
    const facts = [
      t("{{count}} calls", { count: calls }),
      ...failed,
      ...each,
      tokens(input + output),
      formatMoney(costMicros),
    ];
    return { key: key ?? "none", name: key ?? t("no model"), to: null, value: calls, facts };
  });
  return <ValueLines lines={lines} nothing={t("No model was asked in the last seven days.")} />;
}
