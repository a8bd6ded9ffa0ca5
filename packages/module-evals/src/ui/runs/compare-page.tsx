import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Skeleton from "@mui/material/Skeleton";
import { diffJson } from "@oven/contract";
import type { EvalComparison, EvalDataset, EvalResult, EvalRun, EvalSummary } from "@oven/contract/eval";
import { t } from "@oven/i18n";
import { ChangeLines } from "@oven/ui/components/change-lines.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { formatDuration, formatMoney } from "@oven/ui/components/format.ts";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import type { StatusTone } from "@oven/ui/theme/tokens.ts";
import type { ReactElement } from "react";
import { useGetOne } from "react-admin";
import { Link as RouterLink, useParams } from "react-router-dom";
import { Checks } from "./result-row.tsx";
import { formatRate, ResultChip } from "./run-words.tsx";

type Change = EvalComparison["cases"][number]["change"];

const CHANGES: Readonly<Record<Change, { tone: StatusTone; word: string }>> = {
  regressed: { tone: "failed", word: t("worse") },
  improved: { tone: "completed", word: t("better") },
  output: { tone: "paused", word: t("other output") },
  added: { tone: "queued", word: t("new case") },
  removed: { tone: "queued", word: t("case is gone") },
  same: { tone: "stopped", word: t("the same") },
};

/** Two evaluations of a dataset side by side, what changed first. */
export function ComparePage(): ReactElement {
  const { id = "", other = "" } = useParams();
  const { data, error } = useAnswer<EvalComparison>(
    `eval-runs/compare?a=${encodeURIComponent(id)}&b=${encodeURIComponent(other)}`,
  );
  const datasetId = data?.a.datasetId ?? 0;
  const { data: dataset } = useGetOne<EvalDataset>("eval-datasets", { id: datasetId }, { enabled: data !== undefined });
  const parent =
    data === undefined
      ? { to: "/eval-datasets", label: t("Evals") }
      : {
          to: `/eval-datasets/${datasetId}/show?tab=runs`,
          label: dataset?.name ?? t("Dataset {{id}}", { id: datasetId }),
        };
  return (
    <>
      <PageHeader title={t("Evaluations {{id}} and {{other}}", { id, other })} parent={parent} />
      {error ? <ErrorPanel error={error} title={t("The two evaluations could not be loaded")} /> : null}
      {data !== undefined ? <Comparison {...data} /> : error ? null : <Skeleton variant="rounded" height={320} />}
    </>
  );
}

function Comparison({ a, b, summary, cases, regressions }: EvalComparison): ReactElement {
  return (
    <Box sx={{ display: "grid", gap: 2 }}>
      <Panel flush>
        <SummaryTable a={a} b={b} summary={summary} />
      </Panel>
      <Panel
        title={
          regressions.length === 0
            ? t("No case became worse")
            : t("Cases that became worse: {{number}}", { number: regressions.length })
        }
        flush
      >
        <Box component="ul" aria-label={t("Cases side by side")} sx={{ m: 0, p: 0, listStyle: "none" }}>
          {cases.map(({ caseName, change, a: before, b: after }) => (
            <Box
              component="li"
              key={caseName}
              sx={{ px: 2, py: 1.5, borderBottom: 1, borderColor: "divider", "&:last-of-type": { borderBottom: 0 } }}
            >
              <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1, alignItems: "center", mb: 1 }}>
                <ToneChip {...CHANGES[change]} />
                <Box sx={{ fontWeight: 600, overflowWrap: "anywhere" }}>{caseName}</Box>
              </Box>
              <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: "repeat(2, minmax(0, 1fr))" }}>
                <Side result={before} />
                <Side result={after} />
              </Box>
              {before === null || after === null ? null : <Outputs name={caseName} before={before} after={after} />}
            </Box>
          ))}
        </Box>
      </Panel>
    </Box>
  );
}

function Side({ result }: { result: EvalResult | null }): ReactElement {
  if (result === null) return <Box sx={{ fontSize: 13, color: "text.secondary" }}>{t("not part of it")}</Box>;
  return (
    <Box sx={{ minWidth: 0, display: "grid", gap: 0.75, alignContent: "start", justifyItems: "start" }}>
      <ResultChip status={result.status} />
      <Checks checks={result.checks.filter(({ passed }) => !passed)} />
      {result.error === null ? null : (
        <Box sx={{ fontSize: 13, color: "error.main", overflowWrap: "anywhere" }}>{result.error.message}</Box>
      )}
    </Box>
  );
}

const MANY = 10;

function Outputs({
  name,
  before,
  after,
}: {
  name: string;
  before: EvalResult;
  after: EvalResult;
}): ReactElement | null {
  const changes = diffJson(before.output, after.output);
  if (changes.length === 0) return null;
  return (
    <Box sx={{ mt: 1 }}>
      <ChangeLines
        paths
        label={t("Differences of the output of {{name}}", { name })}
        lines={changes.slice(0, MANY).map(({ path, from, to }) => ({ name: path, before: from, after: to }))}
      />
    </Box>
  );
}

function SummaryTable({ a, b, summary }: Pick<EvalComparison, "a" | "b" | "summary">): ReactElement {
  const time = (ms: number | null): string => (ms === null ? "–" : formatDuration(ms));
  const lines: [name: string, of: (one: EvalSummary) => string][] = [
    [t("Pass rate"), ({ passRate }) => formatRate(passRate)],
    [t("Score"), ({ score }) => (score === null ? "–" : score.toFixed(2))],
    [t("Cost"), ({ costMicros }) => formatMoney(costMicros)],
    [t("Tokens"), ({ tokens }) => String(tokens)],
    [t("Half of the cases took at most"), ({ p50DurationMs }) => time(p50DurationMs)],
    [t("95 % of the cases took at most"), ({ p95DurationMs }) => time(p95DurationMs)],
  ];
  return (
    <Box
      component="table"
      aria-label={t("Both evaluations in numbers")}
      sx={{
        width: "100%",
        borderCollapse: "collapse",
        fontVariantNumeric: "tabular-nums",
        "& :is(th, td)": { px: 2, py: 0.75, textAlign: "left", borderBottom: 1, borderColor: "divider" },
        "& tr:last-of-type > *": { borderBottom: 0 },
        "& tbody th": { fontWeight: 400, color: "text.secondary" },
      }}
    >
      <thead>
        <tr>
          <td />
          <RunHead run={a} />
          <RunHead run={b} />
        </tr>
      </thead>
      <tbody>
        {lines.map(([name, of]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{of(summary.a)}</td>
            <td>{of(summary.b)}</td>
          </tr>
        ))}
      </tbody>
    </Box>
  );
}

function RunHead({ run }: { run: EvalRun }): ReactElement {
  return (
    <th scope="col">
      <Link component={RouterLink} to={`/eval-runs/${run.id}/show`}>
        {t("Evaluation {{id}}", { id: run.id })}
      </Link>
      <Box sx={{ fontWeight: 400, fontSize: 12.5, color: "text.secondary" }}>
        {t("version {{version}}", { version: run.target.version })}
      </Box>
    </th>
  );
}
