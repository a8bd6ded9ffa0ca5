import Box from "@mui/material/Box";
import ToggleButton from "@mui/material/ToggleButton";
import ToggleButtonGroup from "@mui/material/ToggleButtonGroup";
import type { UsageSummary } from "@oven/contract/ai";
import type { TokenUsage } from "@oven/contract/node";
import { t } from "@oven/i18n";
import { DayBars } from "@oven/ui/components/charts/day-bars.tsx";
import { toDaySeries } from "@oven/ui/components/charts/day-series.ts";
import { type ValueLine, ValueLines } from "@oven/ui/components/charts/value-lines.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { formatDuration, formatMoney, formatTokens } from "@oven/ui/components/format.ts";
import { Panel } from "@oven/ui/components/panel.tsx";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import { useTargetNames } from "@oven/ui/components/use-target-names.ts";
import { type ReactElement, useMemo, useState } from "react";

const PERIODS = [7, 30, 90] as const;
const DAY_MS = 86_400_000;
const tokensOf = ({ input, output }: UsageSummary): string => formatTokens({ total: input + output } as TokenUsage); // cast: only the total is shown

/** What models were asked and what that came to, by day, model and workflow. */
export function UsageTab(): ReactElement {
  const [days, setDays] = useState<number>(30);
  // Whole days (UTC), so that the first bar is a whole one.
  const from = useMemo(() => {
    const first = new Date(Date.now() - (days - 1) * DAY_MS).toISOString().slice(0, 10);
    return `${first}T00:00:00.000Z`;
  }, [days]);
  const path = (by: string): string => `ai-usage-logs/summary?by=${by}&from=${from}`;
  const byDay = useAnswer<UsageSummary[]>(path("day"));
  const byModel = useAnswer<UsageSummary[]>(path("model"));
  const byWorkflow = useAnswer<UsageSummary[]>(path("workflow"));
  const nameOf = useTargetNames();
  const named = ({ key, name }: ValueLine): string => {
    const [kind, id] = key.split(":");
    return kind === "workflow" || kind === "agent-workflow" ? nameOf({ kind, workflowId: Number(id) }) : name;
  };
  const error = byDay.error ?? byModel.error ?? byWorkflow.error;
  const rows = byDay.data ?? [];
  const series = toDaySeries(rows, days, Date.now());
  const bars = (value: (row: UsageSummary) => number, show: (row: UsageSummary) => string) =>
    series.map(({ day, at }) => {
      const row = rows[at];
      return {
        day,
        value: row === undefined ? 0 : value(row),
        title: `${day}: ${row === undefined ? t("nothing") : show(row)}`,
      };
    });
  const sum = (value: (row: UsageSummary) => number): number => rows.reduce((total, row) => total + value(row), 0);
  const errors = sum((row) => row.errors);
  return (
    <Box sx={{ display: "grid", gap: 2 }}>
      <ToggleButtonGroup
        exclusive
        size="small"
        value={days}
        aria-label={t("Period")}
        onChange={(_, value: number | null) => value !== null && setDays(value)}
        sx={{ "& .MuiToggleButton-root": { px: 1.5, py: 0.5, textTransform: "none" } }}
      >
        {PERIODS.map((period) => (
          <ToggleButton key={period} value={period}>
            {t("{{period}} days", { period })}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      {error ? <ErrorPanel error={error} title={t("The use of models could not be added up")} /> : null}
      <Panel title={t("By day")}>
        <Box
          sx={{
            display: "grid",
            gap: 2.5,
            gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "repeat(3, minmax(0, 1fr))" },
          }}
        >
          <DayBars
            name={t("Calls")}
            total={[
              `${sum((row) => row.calls)}`,
              ...(errors === 0 ? [] : [t("{{failed}} failed", { failed: errors })]),
            ].join(", ")}
            bars={bars(
              (row) => row.calls,
              ({ calls, errors: failed }) => t("{{count}} calls, {{failed}} failed", { count: calls, failed }),
            )}
          />
          <DayBars
            name={t("Tokens")}
            total={formatTokens({ total: sum((row) => row.input + row.output) } as TokenUsage) /* cast: as above */}
            bars={bars((row) => row.input + row.output, tokensOf)}
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
      </Panel>
      <Box
        sx={{
          display: "grid",
          gap: 2,
          alignItems: "start",
          gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "repeat(2, minmax(0, 1fr))" },
        }}
      >
        <Panel title={t("By model")}>
          <ValueLines lines={byModel.data?.map(toLine)} nothing={t("No model was asked in this time.")} />
        </Panel>
        <Panel title={t("By workflow")}>
          <ValueLines
            lines={byWorkflow.data?.map(toLine).map((line) => ({ ...line, name: named(line) }))}
            nothing={t("No workflow asked a model in this time.")}
          />
        </Panel>
      </Box>
    </Box>
  );
}

/** Cost decides the length of the bar; where nothing costs, calls do. */
function toLine(row: UsageSummary, _index: number, all: readonly UsageSummary[]): ValueLine {
  const { key, calls, errors, costMicros, latencyMs } = row;
  const isFree = all.every((one) => one.costMicros === 0);
  return {
    key: key ?? "none",
    name: key ?? t("outside of workflows"),
    to: null,
    value: isFree ? calls : costMicros,
    facts: [
      t("{{count}} calls", { count: calls }),
      ...(errors === 0 ? [] : [t("{{failed}} failed", { failed: errors })]),
      tokensOf(row),
      formatMoney(costMicros),
      ...(latencyMs === null ? [] : [t("{{duration}} each", { duration: formatDuration(latencyMs) })]),
    ],
  };
}
