import PlayArrowRounded from "@mui/icons-material/PlayArrowRounded";
import StopRounded from "@mui/icons-material/StopRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Chip from "@mui/material/Chip";
import type { JsonObject } from "@oven/contract";
import { isObject } from "@oven/contract";
import { t } from "@oven/i18n";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { SchemaForm } from "@oven/ui/components/schema-form/schema-form.tsx";
import { useNow } from "@oven/ui/components/use-now.ts";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { type ReactElement, useEffect, useRef } from "react";
import { Conversation } from "../../conversation/message-turns.tsx";
import { readMessages } from "../../conversation/read-messages.ts";
import { readExamples } from "../../definition/read-examples.ts";
import { OpenReviews, toAsking } from "../../review/open-reviews.tsx";
import { ExecutionOutcome } from "../../run/execution-outcome.tsx";
import { RunLine } from "../../run/run-line.tsx";
import { Waterfall } from "../../run/waterfall.tsx";
import { SavedInputs } from "./saved-inputs.tsx";
import type { Running } from "./use-running.ts";

export interface RunTabProps {
  kind: WorkflowKind;
  definition: JsonObject;
  running: Running;
  /** The state that is selected: its rows are marked. */
  selected: string | null;
}

/** The input of the next run on the left, the last one on the right. */
export function RunTab({ kind, definition, running, selected }: RunTabProps): ReactElement {
  const { actions, input, setInput, pins, start, stop } = running;
  const { payloadSchema } = definition;
  const pinned = Object.keys(pins);
  const form = useRef<HTMLFormElement>(null);
  const { inputAsked } = running;
  useEffect(() => {
    if (inputAsked > 0) form.current?.reportValidity();
  }, [inputAsked]);
  return (
    <Box
      sx={{ display: "grid", gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "minmax(260px, 360px) minmax(0, 1fr)" } }}
    >
      <Box
        component="form"
        ref={form}
        aria-label={t("Input of the run")}
        onSubmit={(event) => {
          event.preventDefault();
          actions.run();
        }}
        sx={{
          display: "grid",
          gap: 1.5,
          alignContent: "start",
          p: 1.75,
          borderRight: { md: 1 },
          borderColor: { md: "divider" },
        }}
      >
        <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 1 }}>
          {actions.going ? (
            <Button variant="outlined" startIcon={<StopRounded />} loading={stop.busy} onClick={() => actions.stop()}>
              {t("Stop")}
            </Button>
          ) : (
            <Button
              type="submit"
              variant="contained"
              startIcon={<PlayArrowRounded />}
              loading={start.busy}
              disabled={actions.refused !== null}
            >
              {t("Run the draft")}
            </Button>
          )}
          {actions.going ? null : (
            <Button
              variant="outlined"
              title={t("Pure steps run, others answer with an example; nobody is asked")}
              disabled={actions.refused !== null || start.busy}
              onClick={() => actions.dryRun()}
            >
              {t("Dry run")}
            </Button>
          )}
          {actions.refused === null ? null : (
            <Box sx={{ fontSize: 13, color: "text.secondary" }}>{actions.refused}.</Box>
          )}
        </Box>
        <SchemaForm
          key={running.inputSource}
          label={t("Input")}
          schema={isObject(payloadSchema) ? payloadSchema : null}
          value={input}
          onChange={(value, valid) => {
            if (valid && isObject(value)) setInput(value);
          }}
        />
        {pinned.length === 0 ? null : (
          <Box role="group" aria-label={t("Pinned outputs")} sx={{ display: "flex", flexWrap: "wrap", gap: 0.75 }}>
            {pinned.map((id) => (
              <Chip
                key={id}
                size="small"
                label={t("pinned: {{id}}", { id })}
                onClick={() => running.editPin(id)}
                onDelete={() => running.setPin(id, undefined)}
              />
            ))}
          </Box>
        )}
        {running.testData.failure === null ? null : (
          <ErrorPanel
            error={running.testData.failure}
            title={t("Inputs and pins are not kept")}
            onRetry={running.testData.retry}
          />
        )}
        {start.failure === null ? null : <ErrorPanel error={start.failure} title={t("The run was not started")} />}
        {stop.failure === null ? null : <ErrorPanel error={stop.failure} title={t("The run was not stopped")} />}
      </Box>
      <Box sx={{ minWidth: 0 }}>
        <Box sx={{ p: 1.75, pb: 0.5 }}>
          <SavedInputs
            saved={running.testData.data.inputs}
            examples={readExamples(definition)}
            input={input}
            onChoose={running.chooseInput}
            onKeep={(name, kept) => running.testData.change({ inputs: { [name]: kept } })}
          />
        </Box>
        <LastRun kind={kind} running={running} selected={selected} />
      </Box>
    </Box>
  );
}

function LastRun({ kind, running, selected }: Pick<RunTabProps, "kind" | "running" | "selected">): ReactElement {
  const { id, run, error, rows, writing, labels, definition, connection, refetch } = running.shown;
  const going = running.actions.going;
  const now = useNow(500, going);
  if (id === null)
    return (
      <Box sx={{ p: 1.75, fontSize: 13, color: "text.secondary" }}>
        {t("The run is drawn on the canvas and listed here, node by node.")}
      </Box>
    );
  if (error) return <ErrorPanel error={error} title={t("The run could not be read")} />;
  if (run === undefined)
    return <Box sx={{ p: 1.75, fontSize: 13, color: "text.secondary" }}>{t("The run begins.")}</Box>;
  return (
    <Box aria-label={t("Run {{id}}", { id })} role="region">
      <Box sx={{ px: 1.75, py: 1 }}>
        <RunLine kind={kind} run={run} now={now} lost={going && connection === "lost"}>
          {running.actions.broken === null ? null : (
            <Button size="small" variant="outlined" onClick={running.actions.broken}>
              {t("Continue with this draft…")}
            </Button>
          )}
          {going ? null : (
            <Button size="small" onClick={running.clear}>
              {t("Take it off the canvas")}
            </Button>
          )}
        </RunLine>
      </Box>
      <Box sx={{ display: "grid", gap: 1.5, px: 1.75, "&:empty": { display: "none" } }}>
        <OpenReviews {...toAsking(run)} onDecided={refetch} />
        <ExecutionOutcome run={run} definition={definition} labels={labels} reviews={false} />
      </Box>
      <Waterfall rows={rows} now={now} selected={selected} />
      {readMessages(run.context).length === 0 && writing.length === 0 ? null : (
        <Box sx={{ p: 1.75 }}>
          <Conversation context={run.context} writing={writing} />
        </Box>
      )}
    </Box>
  );
}
