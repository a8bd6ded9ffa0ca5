import Box from "@mui/material/Box";
import Skeleton from "@mui/material/Skeleton";
import type { Execution } from "@oven/contract/run";
import { isTerminal } from "@oven/contract/run";
import { t } from "@oven/i18n";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { JsonView, ValueView } from "@oven/ui/components/json-view.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { TabBar } from "@oven/ui/components/tab-bar.tsx";
import { useNodeTypes } from "@oven/ui/components/use-node-types.ts";
import { useNow } from "@oven/ui/components/use-now.ts";
import { useRecord } from "@oven/ui/components/use-record.ts";
import { kindOf, type WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { toGraph } from "@oven/workflow-editor";
import { Conversation } from "@oven/workflow-editor/conversation/message-turns.tsx";
import { LazyWorkflowGraph } from "@oven/workflow-editor/lazy-workflow-graph";
import { ExecutionOutcome } from "@oven/workflow-editor/run/execution-outcome.tsx";
import { toOpenTexts } from "@oven/workflow-editor/run/fold-run-events.ts";
import { toProgress, toTimeline } from "@oven/workflow-editor/run/timeline.ts";
import { usePinnedDefinition, versionName } from "@oven/workflow-editor/run/use-pinned-definition.ts";
import { useRunEvents } from "@oven/workflow-editor/run/use-run-events.ts";
import { Waterfall } from "@oven/workflow-editor/run/waterfall.tsx";
import { type ReactElement, useMemo, useState } from "react";
import { Navigate, useParams } from "react-router-dom";
import { RunScores } from "../scores/run-scores.tsx";
import { Artefacts } from "./artefacts.tsx";
import { ChildRuns, useChildRuns } from "./child-runs.tsx";
import { EventLog } from "./event-log.tsx";
import { ExecutionHead } from "./execution-head.tsx";
import { readPrograms } from "./read-programs.ts";
import { RunPast } from "./run-past.tsx";
import { RunPrograms } from "./run-programs.tsx";
import { useOtherKind } from "./use-other-kind.ts";

/** One run: what came out, the graph it took, its timeline, messages and context; live while it goes on. */
export function ExecutionShow({ kind }: { kind: WorkflowKind }): ReactElement {
  const { id = "" } = useParams();
  const { data: run, error, refetch } = useRecord<Execution>(kind.executionResource, id, { detail: "nodes" });
  const elsewhere = useOtherKind(kind, id, error);
  if (elsewhere.path !== null) return <Navigate to={elsewhere.path} replace />;
  if (error && !elsewhere.asking) {
    return (
      <>
        <PageHeader title={t("Execution {{id}}", { id })} parent={toParent(kind)} />
        <ErrorPanel error={error} title={t("This execution could not be loaded")} onRetry={refetch} />
      </>
    );
  }
  if (run === undefined) {
    return (
      <Box role="status" aria-label={t("Loading the execution")}>
        <Skeleton width={280} height={40} />
        <Skeleton variant="rounded" height={320} sx={{ mt: 2 }} />
      </Box>
    );
  }
  return <LoadedExecution key={run.id} run={run} onChange={refetch} />;
}

function toParent({ executionResource }: WorkflowKind): { to: string; label: string } {
  return { to: `/${executionResource}`, label: t("Executions") };
}

function LoadedExecution({ run, onChange }: { run: Execution; onChange: () => void }): ReactElement {
  const going = !isTerminal(run.status);
  // A finished run is only read again when its events are looked at; a stream once opened stays.
  const [following, setFollowing] = useState(going);
  const { live, connection } = useRunEvents(run.kind, run.id, following, onChange);
  const moving = run.status === "running" || run.status === "pending";
  const now = useNow(500, moving);
  const nodeTypes = useNodeTypes();
  const { definition } = usePinnedDefinition(run);
  const [selected, setSelected] = useState<string | null>(null);

  const labels = useMemo(
    () => Object.fromEntries(toGraph(definition).nodes.map((node) => [node.id, node.label])),
    [definition],
  );
  const rows = useMemo(
    () => toTimeline({ nodes: run.nodes, live: going ? Object.values(live.nodes) : [], nodeTypes, labels }),
    [run.nodes, live.nodes, nodeTypes, labels, going],
  );
  const progress = useMemo(() => toProgress(rows, run), [rows, run]);
  const writing = going ? toOpenTexts(live, run.nodes) : [];
  const children = useChildRuns(run.id, going);
  const programs = useMemo(() => readPrograms(run), [run]);

  return (
    <>
      <ExecutionHead
        run={run}
        now={now}
        parent={toParent(kindOf(run.kind))}
        lost={going && connection === "lost"}
        onChange={onChange}
      />
      <Box sx={{ display: "grid", gap: 2 }}>
        <ExecutionOutcome run={run} definition={definition} labels={labels} />
        {going ? null : <RunScores run={run} />}
        <Box
          sx={{
            display: "grid",
            gap: 2,
            gridTemplateColumns: { xs: "minmax(0, 1fr)", lg: "minmax(0, 6fr) minmax(0, 5fr)" },
            alignItems: "stretch",
          }}
        >
          <Panel
            title={t("Graph")}
            flush
            aside={<Box sx={{ fontSize: 12.5, color: "text.secondary" }}>{versionName(run.workflowVersion)}</Box>}
            sx={{
              display: "flex",
              flexDirection: "column",
              "& > div:last-of-type": {
                flex: 1,
                minHeight: { xs: 240, md: 300, lg: 360 },
                display: "flex",
                flexDirection: "column",
              },
            }}
          >
            <Box sx={{ flex: 1, minHeight: { xs: 240, md: 300, lg: 360 }, position: "relative" }}>
              <Box sx={{ position: "absolute", inset: 0 }}>
                {definition === undefined ? null : (
                  <LazyWorkflowGraph
                    definition={definition}
                    nodeTypes={nodeTypes}
                    statusByNode={progress}
                    selected={selected}
                    onSelect={setSelected}
                    label={t("Graph of {{workflowName}} with the path of this run", { workflowName: run.workflowName })}
                  />
                )}
              </Box>
            </Box>
          </Panel>
          <Panel
            title={t("Timeline")}
            flush
            aside={
              <Box sx={{ fontSize: 12.5, color: "text.secondary" }}>{t("{{count}} steps", { count: run.steps })}</Box>
            }
          >
            <Box sx={{ maxHeight: { lg: 480 }, overflowY: "auto" }}>
              <Waterfall rows={rows} now={now} selected={selected} />
            </Box>
          </Panel>
        </Box>
        <Panel flush>
          <TabBar
            label={t("Details of the run")}
            tabs={[
              ...(children.total === 0
                ? []
                : [
                    {
                      id: "children",
                      label: t("Child runs ({{total}})", { total: children.total }),
                      content: () => <ChildRuns {...children} />,
                    },
                  ]),
              ...(programs.length === 0
                ? []
                : [
                    {
                      id: "program",
                      label: t("Program"),
                      content: () => (
                        <RunPrograms programs={programs} definition={definition} kind={kindOf(run.kind)} />
                      ),
                    },
                  ]),
              {
                id: "messages",
                label: t("Messages"),
                content: () => <Conversation context={run.context} writing={writing} />,
              },
              {
                id: "context",
                label: t("Context"),
                content: () => <JsonView value={run.context} what={t("the context")} maxHeight={560} />,
              },
              { id: "past", label: t("Checkpoints"), content: () => <RunPast run={run} /> },
              { id: "io", label: t("Input & output"), content: () => <InputOutput run={run} /> },
              {
                id: "artefacts",
                label: t("Artefacts"),
                content: () => <Artefacts run={run} labels={labels} going={going} />,
              },
              {
                id: "events",
                label: t("Events"),
                content: () => <EventLog events={live.events} onShown={() => setFollowing(true)} />,
              },
            ]}
          />
        </Panel>
      </Box>
    </>
  );
}

function InputOutput({ run }: { run: Execution }): ReactElement {
  return (
    <Box
      sx={{ display: "grid", gap: 2, gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "repeat(2, minmax(0, 1fr))" } }}
    >
      <Box>
        <Box sx={{ mb: 0.75, fontWeight: 600 }}>{t("Input")}</Box>
        <JsonView value={run.input} what={t("the input")} maxHeight={420} />
      </Box>
      <Box>
        <Box sx={{ mb: 0.75, fontWeight: 600 }}>{t("Output")}</Box>
        {isTerminal(run.status) ? (
          <ValueView value={run.output} what={t("the output")} />
        ) : (
          <Box sx={{ color: "text.secondary" }}>{t("It appears when the run has ended.")}</Box>
        )}
      </Box>
    </Box>
  );
}
