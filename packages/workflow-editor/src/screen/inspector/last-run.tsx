import PlayArrowRounded from "@mui/icons-material/PlayArrowRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import type { Json } from "@oven/contract";
import type { Execution, NodeRun } from "@oven/contract/run";
import { t } from "@oven/i18n";
import { JsonView } from "@oven/ui/components/json-view.tsx";
import { StatusChip } from "@oven/ui/components/status-chip.tsx";
import { runPath } from "@oven/ui/components/workflow-kind.ts";
import type { ReactElement, ReactNode } from "react";
import { Link as RouterLink } from "react-router-dom";
import { VariableList, type VariableListProps } from "./variable-list.tsx";

export interface LastRunProps {
  run: Execution | undefined;
  stateId: string;
}

/** What can be done with what a step did in a run. */
export interface StepTrial {
  /** Why nothing can be run now; null: it can. */
  refused: string | null;
  isPinned: (stateId: string) => boolean;
  /** Lets an output stand for the call of the step in runs of the draft; undefined: it is called again. */
  pin: (stateId: string, output: Json | undefined) => void;
  runAlone: (stateId: string, run: Execution) => void;
}

function visitsOf(run: Execution, stateId: string): NodeRun[] {
  return run.nodes.filter(({ nodeId, item }) => nodeId === stateId && item === null);
}

/** What a state did in the newest run. */
export function LastRun({ run, stateId, trial }: LastRunProps & { trial: StepTrial | undefined }): ReactElement {
  if (run === undefined) return <Quiet>{t("Not run yet.")}</Quiet>;
  const last = visitsOf(run, stateId).at(-1);
  return (
    <Box sx={{ display: "grid", gap: 1.5 }}>
      <Link component={RouterLink} to={runPath(run.kind, run.id)} variant="body2">
        {t("Run {{id}}, of version {{version}}", { id: run.id, version: run.workflowVersion })}
      </Link>
      {last === undefined ? (
        <Quiet>{t("It did not come by here.")}</Quiet>
      ) : (
        <>
          <Box sx={{ display: "flex", gap: 1, alignItems: "center", fontSize: 13, color: "text.secondary" }}>
            <StatusChip status={last.status} />
            {last.durationMs === null ? null : `${last.durationMs} ms`}
            {last.attempt > 1 ? t("attempt {{attempt}}", { attempt: last.attempt }) : null}
            {last.visit > 1 ? t("visit {{visit}}", { visit: last.visit }) : null}
          </Box>
          {last.error === null ? null : <Box sx={{ fontSize: 13, color: "error.main" }}>{last.error}</Box>}
          {trial === undefined ? null : <TrialButtons run={run} stateId={stateId} last={last} trial={trial} />}
          <Heading>{t("Result")}</Heading>
          <JsonView value={last.output} what={t("the result of {{stateId}}", { stateId })} maxHeight={420} />
        </>
      )}
    </Box>
  );
}

interface TrialButtonsProps {
  run: Execution;
  stateId: string;
  last: NodeRun;
  trial: StepTrial;
}

function TrialButtons({ run, stateId, last, trial }: TrialButtonsProps): ReactElement {
  const isPinned = trial.isPinned(stateId);
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1 }}>
      <Button
        size="small"
        variant="outlined"
        startIcon={<PlayArrowRounded />}
        disabled={trial.refused !== null}
        title={trial.refused ?? t("Runs this step alone with what came in here")}
        onClick={() => trial.runAlone(stateId, run)}
      >
        {t("Run this step alone")}
      </Button>
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
