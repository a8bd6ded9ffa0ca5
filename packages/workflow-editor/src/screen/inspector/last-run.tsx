import PlayArrowRounded from "@mui/icons-material/PlayArrowRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import TextField from "@mui/material/TextField";
import type { Json, JsonObject } from "@oven/contract";
import type { Execution, NodeRun } from "@oven/contract/run";
import { t } from "@oven/i18n";
import { findState } from "@oven/scope";
import { JsonView } from "@oven/ui/components/json-view.tsx";
import { StatusChip } from "@oven/ui/components/status-chip.tsx";
import { previewJson } from "@oven/ui/components/tool-box.tsx";
import { runPath } from "@oven/ui/components/workflow-kind.ts";
import { type ReactElement, type ReactNode, useState } from "react";
import { Link as RouterLink } from "react-router-dom";
import { type ChosenItems, firstChoice, type LoopItems, nodeRunsOf, toLoopItems } from "../running/loop-items.ts";
import { VariableList, type VariableListProps } from "./variable-list.tsx";

export interface LastRunProps {
  run: Execution | undefined;
  stateId: string;
}

interface StepRunProps extends LastRunProps {
  definition: JsonObject;
  trial: StepTrial | undefined;
}

/** What can be done with what a step did in a run. */
export interface StepTrial {
  /** Why nothing can be run now; null: it can. */
  refused: string | null;
  isPinned: (stateId: string) => boolean;
  /** Lets an output stand for the call of the step in runs of the draft; undefined: it is called again. */
  pin: (stateId: string, output: Json | undefined) => void;
  /** `items`: of each loop around the step, the one that is run. */
  runAlone: (stateId: string, run: Execution, items: ChosenItems) => void;
}

function visitsOf({ nodes }: Pick<Execution, "nodes">, stateId: string): NodeRun[] {
  return nodes.filter(({ nodeId, item }) => nodeId === stateId && item === null);
}

/** What a state did in the newest run; in a loop, for one of its items. */
export function LastRun({ run, stateId, definition, trial }: StepRunProps): ReactElement {
  const [picked, setPicked] = useState<ChosenItems>({});
  if (run === undefined) return <Quiet>{t("Not run yet.")}</Quiet>;
  const loops = toLoopItems(definition, stateId, run);
  const chosen = Object.fromEntries(loops.map((loop) => [loop.loopId, picked[loop.loopId] ?? firstChoice(loop)]));
  const nodes = nodeRunsOf(definition, stateId, run, chosen);
  const last = visitsOf({ nodes: nodes ?? run.nodes }, stateId).at(-1);
  return (
    <Box sx={{ display: "grid", gap: 1.5 }}>
      <Link component={RouterLink} to={runPath(run.kind, run.id)} variant="body2">
        {t("Run {{id}}, of version {{version}}", { id: run.id, version: run.workflowVersion })}
      </Link>
      {loops.map((loop) => (
        <ItemChooser
          key={loop.loopId}
          loop={loop}
          title={titleOf(definition, loop.loopId)}
          chosen={chosen[loop.loopId] ?? 0}
          onChoose={(index) => setPicked({ ...picked, [loop.loopId]: index })}
        />
      ))}
      {last === undefined ? (
        <>
          <Quiet>{t("It did not come by here.")}</Quiet>
          {trial === undefined || loops.length === 0 ? null : (
            <Box>
              <AloneButton run={run} stateId={stateId} trial={trial} items={chosen} />
            </Box>
          )}
        </>
      ) : (
        <>
          <Box sx={{ display: "flex", gap: 1, alignItems: "center", fontSize: 13, color: "text.secondary" }}>
            <StatusChip status={last.status} />
            {last.durationMs === null ? null : <span>{last.durationMs} ms</span>}
            {last.attempt > 1 ? <span>{t("attempt {{attempt}}", { attempt: last.attempt })}</span> : null}
            {last.visit > 1 ? <span>{t("visit {{visit}}", { visit: last.visit })}</span> : null}
          </Box>
          {last.error === null ? null : <Box sx={{ fontSize: 13, color: "error.main" }}>{last.error}</Box>}
          {trial === undefined ? null : <TrialButtons {...{ run, stateId, last, trial }} items={chosen} />}
          <Heading>{t("Result")}</Heading>
          <JsonView value={last.output} what={t("the result of {{stateId}}", { stateId })} maxHeight={420} />
        </>
      )}
    </Box>
  );
}

interface ItemChooserProps {
  loop: LoopItems;
  title: string;
  chosen: number;
  onChoose: (index: number) => void;
}

/** Which item of a loop is looked at, and run alone. */
function ItemChooser({ loop, title, chosen, onChoose }: ItemChooserProps): ReactElement {
  const count = loop.items.length;
  return (
    <TextField
      select
      size="small"
      label={t("Item of {{loop}}", { loop: title })}
      value={chosen}
      onChange={(event) => onChoose(Number(event.target.value))}
      slotProps={{ select: { native: true }, inputLabel: { shrink: true } }}
    >
      {loop.items.map(({ index, input, status }) => (
        <option key={index} value={index}>
          {`${index + 1}/${count} ${status === "failed" ? `${t("failed")} ` : ""}${previewJson(input)}`}
        </option>
      ))}
    </TextField>
  );
}

interface AloneButtonProps {
  run: Execution;
  stateId: string;
  trial: StepTrial;
  items: ChosenItems;
}

function AloneButton({ run, stateId, trial, items }: AloneButtonProps): ReactElement {
  const isItem = Object.keys(items).length > 0;
  return (
    <Button
      size="small"
      variant="outlined"
      startIcon={<PlayArrowRounded />}
      disabled={trial.refused !== null}
      title={
        trial.refused ??
        (isItem ? t("Runs this step alone with this item") : t("Runs this step alone with what came in here"))
      }
      onClick={() => trial.runAlone(stateId, run, items)}
    >
      {t("Run this step alone")}
    </Button>
  );
}

function TrialButtons({ last, ...alone }: AloneButtonProps & { last: NodeRun }): ReactElement {
  const { stateId, trial } = alone;
  const isPinned = trial.isPinned(stateId);
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1 }}>
      <AloneButton {...alone} />
      {isPinned || last.status === "completed" ? (
        <Button
          size="small"
          variant="outlined"
          title={t("The next runs take this result and do not call the step")}
          aria-pressed={isPinned}
          onClick={() => trial.pin(stateId, isPinned ? undefined : last.output)}
        >
          {isPinned ? t("Unpin the result") : t("Pin the result")}
        </Button>
      ) : null}
    </Box>
  );
}

function titleOf(definition: JsonObject, stateId: string): string {
  const label = findState(definition, stateId)?.state.label;
  return typeof label === "string" && label !== "" ? label : stateId;
}

/** What came in at the newest run, and what can be read here. */
export function InputPanel({ run, stateId, ...list }: LastRunProps & VariableListProps): ReactElement {
  const last = run === undefined ? undefined : visitsOf(run, stateId).at(-1);
  return (
    <Box sx={{ display: "grid", gap: 1.5 }}>
      {last === undefined ? null : (
        <>
          <Heading>{t("Came in, in run {{id}}", { id: run?.id })}</Heading>
          <JsonView value={last.input} what={t("the input of {{stateId}}", { stateId })} maxHeight={300} />
        </>
      )}
      <Heading>{t("In scope here")}</Heading>
      <VariableList {...list} />
    </Box>
  );
}

function Heading({ children }: { children: ReactNode }): ReactElement {
  return <Box sx={{ fontSize: 13, fontWeight: 600 }}>{children}</Box>;
}

function Quiet({ children }: { children: ReactNode }): ReactElement {
  return <Box sx={{ fontSize: 13, color: "text.secondary" }}>{children}</Box>;
}
