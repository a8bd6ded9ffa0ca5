import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Slider from "@mui/material/Slider";
import Typography from "@mui/material/Typography";
import type { JsonObject } from "@oven/contract";
import type { NodeType } from "@oven/contract/node";
import { type Execution, isTerminal, type RunCheckpoint, type RunCheckpointDetail } from "@oven/contract/run";
import { t } from "@oven/i18n";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { JsonView } from "@oven/ui/components/json-view.tsx";
import { StatusChip } from "@oven/ui/components/status-chip.tsx";
import { useRecord } from "@oven/ui/components/use-record.ts";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";
import { type ReactElement, useMemo, useState } from "react";
import { LazyWorkflowGraph } from "../../canvas/lazy-workflow-graph.tsx";
import { toGraph } from "../../graph/to-graph.ts";
import { toStandstill } from "../../overlay/checkpoint-progress.ts";
import { toTakenEdges } from "../../overlay/taken-edges.ts";
import { toWords } from "../../run/checkpoint-words.ts";
import { useCheckpoint, useCheckpoints } from "../../run/use-checkpoints.ts";
import { usePinnedDefinition, versionName } from "../../run/use-pinned-definition.ts";
import { Cover } from "../versions/cover.tsx";

export interface PastRunProps {
  kind: WorkflowKind;
  id: number;
  nodeTypes: readonly NodeType[] | undefined;
  /** Its input and its outputs are to be used by runs of the draft. */
  onLoad: (run: Execution, definition: JsonObject) => void;
  /** It is to be seen on the canvas, which can be changed. */
  onShow: () => void;
  /** It is to go on, as another run; null: it cannot. */
  onContinue: ((run: Execution) => void) | null;
  onClose: () => void;
}

/** A run that was recorded, on the graph it was made from, move by move. */
export function PastRun(props: PastRunProps): ReactElement {
  const { kind, id, onClose } = props;
  const { data: run, error } = useRecord<Execution>(kind.executionResource, String(id), { detail: "nodes" });
  if (run !== undefined) return <LoadedRun {...props} run={run} />;
  return (
    <Cover title={t("Run #{{id}}", { id })} onClose={onClose}>
      {error ? <ErrorPanel error={error} title={t("The run could not be read")} /> : null}
    </Cover>
  );
}

function LoadedRun({
  kind,
  id,
  nodeTypes,
  run,
  onLoad,
  onShow,
  onContinue,
  onClose,
}: PastRunProps & { run: Execution }): ReactElement {
  const path = `${kind.executionResource}/${id}`;
  const { definition } = usePinnedDefinition(run);
  const { data: checkpoints, error } = useCheckpoints(path);
  const [chosen, setChosen] = useState<number | null>(null);
  const [selected, setSelected] = useState<string | null>(null);
  const count = checkpoints?.length ?? 0;
  const index = Math.min(chosen ?? count - 1, count - 1);
  const checkpoint = checkpoints?.[index];
  const detail = useCheckpoint(path, checkpoint?.seq);
  const { nodes, taken } = useMemo(() => {
    const { nodes: drawn, steps, ends } = toStandstill(checkpoints ?? [], index);
    return { nodes: drawn, taken: toTakenEdges(toGraph(definition), steps, ends) };
  }, [checkpoints, index, definition]);
  const isBroken = run.status === "failed" || run.status === "cancelled";
  return (
    <Cover
      title={t("Run #{{id}}", { id })}
      onClose={onClose}
      line={
        <>
          <StatusChip status={run.status} outcome={run.outcome} />
          <Box sx={{ fontSize: 13, color: "text.secondary" }}>{versionName(run.workflowVersion)}</Box>
        </>
      }
      actions={
        <>
          <Button size="small" onClick={onShow}>
            {t("Show it on the canvas")}
          </Button>
          {isBroken && onContinue !== null && run.parentId === null ? (
            <Button size="small" variant="outlined" onClick={() => onContinue(run)}>
              {t("Continue it…")}
            </Button>
          ) : null}
          {definition === undefined || !isTerminal(run.status) ? null : (
            <Button size="small" variant="contained" onClick={() => onLoad(run, definition)}>
              {t("Load into the editor")}
            </Button>
          )}
        </>
      }
      side={
        <>
          {error || detail.error ? (
            <ErrorPanel error={error ?? detail.error} title={t("Its past could not be read")} />
          ) : null}
          {checkpoints === undefined || checkpoint === undefined ? null : (
            <Moves checkpoints={checkpoints} index={index} onChange={setChosen} />
          )}
          {detail.data === undefined ? null : <Standing detail={detail.data} />}
        </>
      }
    >
      {definition === undefined ? null : (
        <LazyWorkflowGraph
          definition={definition}
          nodeTypes={nodeTypes}
          statusByNode={nodes}
          taken={taken}
          selected={selected}
          onSelect={setSelected}
          label={t("Graph of run #{{id}} after move {{move}}", { id, move: index + 1 })}
        />
      )}
    </Cover>
  );
}

/** Which move of the run is looked at. */
function Moves({
  checkpoints,
  index,
  onChange,
}: {
  checkpoints: readonly RunCheckpoint[];
  index: number;
  onChange: (index: number) => void;
}): ReactElement {
  const now = checkpoints[index];
  const last = checkpoints.length - 1;
  return (
    <Box sx={{ px: 2.5, pt: 1.5 }}>
      <Slider
        aria-label={t("Move of the run")}
        value={index}
        min={0}
        max={last}
        step={1}
        marks={last <= 40}
        disabled={last === 0}
        getAriaValueText={(value) => {
          const at = checkpoints[value];
          return at === undefined
            ? t("{{position}} of {{total}}", { position: value + 1, total: checkpoints.length })
            : t("{{position}} of {{total}}: {{step}}", {
                position: value + 1,
                total: checkpoints.length,
                step: toWords(at),
              });
        }}
        onChange={(_, value) => onChange(Array.isArray(value) ? (value[0] ?? 0) : value)}
      />
      <Box sx={{ fontSize: 13 }}>
        <b>{t("{{position}} of {{total}}", { position: index + 1, total: checkpoints.length })}</b> ·{" "}
        {now === undefined ? "" : toWords(now)}
      </Box>
    </Box>
  );
}

/** What the move changed, and the whole context after it. */
function Standing({ detail }: { detail: RunCheckpointDetail }): ReactElement {
  return (
    <Box sx={{ display: "grid", gap: 1.5, p: 1.75 }}>
      <Typography variant="h3">{t("Changed by this move")}</Typography>
      {detail.patch.length === 0 ? (
        <Box sx={{ fontSize: 13, color: "text.secondary" }}>{t("Nothing in the context.")}</Box>
      ) : (
        <Box
          component="ul"
          aria-label={t("Changes of the context")}
          sx={{ m: 0, p: 0, listStyle: "none", display: "grid", gap: 0.75 }}
        >
          {detail.patch.map((change) => (
            <Box
              component="li"
              key={`${change.op} ${change.path}`}
              sx={{ fontSize: 12.5, fontFamily: MONOSPACE, overflowWrap: "anywhere" }}
            >
              <b>{change.op}</b> {change.path} {"value" in change ? JSON.stringify(change.value) : ""}
            </Box>
          ))}
        </Box>
      )}
      <Typography variant="h3">{t("Context")}</Typography>
      <JsonView value={detail.context} what={t("the context")} maxHeight={360} />
    </Box>
  );
}
