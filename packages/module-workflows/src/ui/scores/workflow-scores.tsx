import Box from "@mui/material/Box";
import Skeleton from "@mui/material/Skeleton";
import type { ScoreSummary } from "@oven/contract/run";
import type { Workflow } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { DayBars } from "@oven/ui/components/charts/day-bars.tsx";
import { toDaySeries } from "@oven/ui/components/charts/day-series.ts";
import { RateBars } from "@oven/ui/components/charts/rate-bars.tsx";
import { ChoiceField } from "@oven/ui/components/choice-field.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { useUiModules } from "@oven/ui/ui-module.ts";
import { type ReactElement, Suspense, useState } from "react";
import { PERIODS, type Period } from "./periods.ts";
import { type ScoreSum, type ScoresOfName, sumScores } from "./sum-scores.ts";

/** More have no room beside each other. */
const MOST_VERSIONS = 20;

/** What scores say of the runs of a workflow, by version and by day. */
export function WorkflowScores({ kind, workflow }: { kind: WorkflowKind; workflow: Workflow }): ReactElement {
  const [days, setDays] = useState<Period>("30");
  const panels = useUiModules().flatMap(({ scoresPanel }) => (scoresPanel === undefined ? [] : [scoresPanel]));
  const { data, error } = useAnswer<ScoreSummary[]>(`${kind.resource}/${workflow.id}/scores?days=${days}`);
  return (
    <Box sx={{ display: "grid", gap: 2.5 }}>
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 1.5 }}>
        <Box sx={{ flex: "1 1 260px", color: "text.secondary" }}>
          {t("What people, judges and later outcomes say of runs, by the day on which the run began.")}
        </Box>
        <ChoiceField
          size="small"
          value={days}
          choices={PERIODS}
          onChange={setDays}
          slotProps={{ htmlInput: { "aria-label": t("How far back") } }}
        />
      </Box>
      {error ? (
        <ErrorPanel error={error} title={t("The scores could not be read")} />
      ) : data === undefined ? (
        <Skeleton variant="rounded" height={140} />
      ) : data.length === 0 ? (
        <Box sx={{ color: "text.secondary" }}>
          {t(
            "No run of these days has a score. Rate a run on its page or an answer in a chat, or send scores over the API.",
          )}
        </Box>
      ) : (
        sumScores(data).map((scores) => (
          <Scores
            key={scores.name}
            scores={scores}
            days={Number(days)}
            path={`/${kind.resource}/${workflow.id}/show`}
          />
        ))
      )}
      {panels.map((ScoresPanel, index) => (
        <Suspense key={index}>
          <ScoresPanel kind={kind.kind} workflowId={workflow.id} />
        </Suspense>
      ))}
    </Box>
  );
}

function Scores({ scores, days, path }: { scores: ScoresOfName; days: number; path: string }): ReactElement {
  const { name, all, versions } = scores;
  const series = toDaySeries([], days, Date.now());
  return (
    <Box component="section" aria-label={t("Scores of {{name}}", { name })} sx={{ display: "grid", gap: 1.5 }}>
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "baseline", columnGap: 1.5 }}>
        <Box component="h3" sx={{ m: 0, fontSize: 15, fontWeight: 650 }}>
          {name}
        </Box>
        <Box sx={{ fontSize: 13, color: "text.secondary", fontVariantNumeric: "tabular-nums" }}>{inWords(all)}</Box>
      </Box>
      <Box
        sx={{ display: "grid", gap: 3, gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "repeat(2, minmax(0, 1fr))" } }}
      >
        <RateBars
          name={t("Mean of {{name}} by version", { name })}
          total={all.mean.toFixed(2)}
          bars={versions.slice(-MOST_VERSIONS).map(({ version, ...sum }) => ({
            key: String(version),
            label: `v${version}`,
            rate: sum.mean,
            to: `${path}?tab=versions`,
            title: `v${version}: ${inWords(sum)}`,
          }))}
        />
        <DayBars
          name={t("Scores by day, of them bad")}
          total={String(all.count)}
          bars={series.map(({ day }) => {
            const sum = scores.days.get(day);
            return {
              day,
              value: sum?.count ?? 0,
              part: sum?.down ?? 0,
              title: `${day}: ${sum === undefined ? t("no scores") : inWords(sum)}`,
            };
          })}
        />
      </Box>
    </Box>
  );
}

function inWords({ count, mean, up, down }: ScoreSum): string {
  return t("mean {{mean}} of {{count}} scores, {{up}} good, {{down}} bad", { mean: mean.toFixed(2), count, up, down });
}
