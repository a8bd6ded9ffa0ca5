import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import { diffJson } from "@oven/contract";
import { type Execution, isTerminal } from "@oven/contract/run";
import type { VersionChange } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { ChangeLines } from "@oven/ui/components/change-lines.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { formatDuration, formatMoney, formatTokens, toElapsed } from "@oven/ui/components/format.ts";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { StatusChip } from "@oven/ui/components/status-chip.tsx";
import { useNow } from "@oven/ui/components/use-now.ts";
import { useRecord } from "@oven/ui/components/use-record.ts";
import { runPath, type WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { versionName } from "@oven/workflow-editor/run/use-pinned-definition.ts";
import type { ReactElement, ReactNode } from "react";
import { Link as RouterLink, useParams } from "react-router-dom";
import { pairSteps, type StepPair } from "./compare-runs.ts";

/** Two runs side by side: what they were given, what each step did, and what came out. */
export function ComparePage({ kind }: { kind: WorkflowKind }): ReactElement {
  const { id = "", other = "" } = useParams();
  const one = useRecord<Execution>(kind.executionResource, id, { detail: "nodes" });
  const two = useRecord<Execution>(kind.executionResource, other, { detail: "nodes" });
  const parent = { to: `/${kind.executionResource}/${id}/show`, label: t("Execution {{id}}", { id }) };
  const error = one.error ?? two.error;
  return (
    <>
      <PageHeader title={t("Runs #{{id}} and #{{other}}", { id, other })} parent={parent} />
      {error ? <ErrorPanel error={error} title={t("The two runs could not be loaded")} /> : null}
      {one.data !== undefined && two.data !== undefined ? (
        <Comparison one={one.data} other={two.data} />
      ) : error ? null : (
        <Skeleton variant="rounded" height={360} />
      )}
    </>
  );
}

function Comparison({ one, other }: { one: Execution; other: Execution }): ReactElement {
  const pairs = pairSteps(one, other);
  return (
    <Box sx={{ display: "grid", gap: 2 }}>
      <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: "repeat(2, minmax(0, 1fr))" }}>
        <Facts run={one} />
        <Facts run={other} />
      </Box>
      <Panel title={t("Input")}>
        <Differences
          label={t("Differences of the input")}
          changes={diffJson(one.input, other.input)}
          same="The same."
        />
      </Panel>
      <Panel title={t("Steps")} flush>
        {pairs.map((pair) => (
          <Step key={pair.key} pair={pair} />
        ))}
      </Panel>
      <Panel title={t("Output")}>
        <Differences
          label={t("Differences of the output")}
          changes={diffJson(one.output, other.output)}
          same="The same."
        />
      </Panel>
    </Box>
  );
}

function Facts({ run }: { run: Execution }): ReactElement {
  const now = useNow(1_000, !isTerminal(run.status));
  const elapsed = toElapsed(run, now);
  return (
    <Panel
      title={
        <Link component={RouterLink} to={runPath(run.kind, run.id)}>
          #{run.id}
        </Link>
      }
      aside={<StatusChip status={run.status} outcome={run.outcome} />}
    >
      <Box sx={{ display: "flex", flexWrap: "wrap", columnGap: 2, rowGap: 0.5, fontSize: 13.5 }}>
        <span>{run.workflowName}</span>
        <span>{versionName(run.workflowVersion)}</span>
        <span>{elapsed === null ? t("not started") : formatDuration(elapsed)}</span>
        <span>{formatTokens(run.tokenUsage)}</span>
        <span>{formatMoney(run.costMicros)}</span>
        <span>{t("{{count}} steps", { count: run.steps })}</span>
      </Box>
    </Panel>
  );
}

function Step({ pair: { name, one, other, changes } }: { pair: StepPair }): ReactElement {
  return (
    <Box sx={{ px: 2, py: 1.5, borderBottom: 1, borderColor: "divider", "&:last-of-type": { borderBottom: 0 } }}>
      <Typography variant="h3" sx={{ mb: 0.75, overflowWrap: "anywhere" }}>
        {name}
      </Typography>
      <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: "repeat(2, minmax(0, 1fr))", fontSize: 13.5 }}>
        {[one, other].map((node, side) => (
          <Box
            key={side}
            sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", columnGap: 1.25, rowGap: 0.5 }}
          >
            {node === null ? (
              <Box component="span" sx={{ color: "text.secondary" }}>
                {t("did not run")}
              </Box>
            ) : (
              <>
                <StatusChip status={node.status} />
                <span>{node.durationMs === null ? "–" : formatDuration(node.durationMs)}</span>
                <span>{formatTokens(node.tokenUsage)}</span>
                {node.error === null ? null : <Box sx={{ width: "100%", color: "error.main" }}>{node.error}</Box>}
              </>
            )}
          </Box>
        ))}
      </Box>
      {one === null || other === null ? null : (
        <Box sx={{ mt: 1 }}>
          <Differences label={t("Differences of {{name}}", { name })} changes={changes} same="The same output." />
        </Box>
      )}
    </Box>
  );
}

const MANY = 30;

function Differences({
  label,
  changes,
  same,
}: {
  label: string;
  changes: readonly VersionChange[];
  same: ReactNode;
}): ReactElement {
  if (changes.length === 0) return <Box sx={{ fontSize: 13, color: "text.secondary" }}>{same}</Box>;
  const lines = changes.slice(0, MANY).map(({ path, from, to }) => ({ name: path, before: from, after: to }));
  return (
    <>
      <ChangeLines label={label} lines={lines} paths />
      {changes.length > MANY ? (
        <Box sx={{ mt: 1, fontSize: 13, color: "text.secondary" }}>
          {t("and {{count}} more places", { count: changes.length - MANY })}
        </Box>
      ) : null}
    </>
  );
}
