import PlayArrowRounded from "@mui/icons-material/PlayArrowRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Chip from "@mui/material/Chip";
import type { Json, JsonObject } from "@oven/contract";
import { isObject } from "@oven/contract";
import type { Workflow } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { SchemaForm } from "@oven/ui/components/schema-form/schema-form.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { readExamples } from "@oven/workflow-editor/definition/read-examples.ts";
import { type ReactElement, useState } from "react";
import { useStartRun } from "./use-start-run.ts";

export interface RunDialogProps {
  kind: WorkflowKind;
  workflow: Workflow;
  /** The input of an earlier run. */
  initialInput?: Json;
  /** That run: in a dry run its outputs stand in for steps that have an effect. */
  recordingOf?: number;
  onClose: () => void;
}

/** Asks for the input the workflow's payload schema describes, and starts a run. */
export function RunDialog({ kind, workflow, initialInput, recordingOf, onClose }: RunDialogProps): ReactElement {
  const examples = readExamples(workflow.definition);
  const { payloadSchema } = workflow.definition;
  const [form, setForm] = useState<{ input: JsonObject; valid: boolean; source: number }>(() => ({
    input: isObject(initialInput) ? initialInput : (examples[0]?.input ?? {}),
    valid: true,
    source: 0,
  }));
  const start = useStartRun(kind);
  const dry = useAction(() =>
    start(workflow.id, form.input, { dryRun: true, ...(recordingOf === undefined ? {} : { recordingOf }) }),
  );
  return (
    <FormDialog
      title={t("Run “{{name}}”", { name: workflow.name })}
      submitLabel={t("Run")}
      submitIcon={<PlayArrowRounded />}
      failureTitle={t("The run was not started")}
      usable={form.valid}
      onSubmit={() => start(workflow.id, form.input)}
      onClose={onClose}
      extra={
        <Button
          variant="outlined"
          loading={dry.busy}
          disabled={!form.valid}
          title={t("Nothing has an effect: no message is sent, nothing is changed, and people are not asked.")}
          onClick={() => void dry.run()}
        >
          {t("Dry run")}
        </Button>
      }
    >
      {examples.length === 0 ? null : (
        <Box role="group" aria-label={t("Examples")} sx={{ display: "flex", flexWrap: "wrap", gap: 0.75 }}>
          {examples.map((example) => (
            <Chip
              key={example.title}
              label={example.title}
              variant="outlined"
              onClick={() => setForm({ input: example.input, valid: true, source: form.source + 1 })}
            />
          ))}
        </Box>
      )}
      {dry.failure === null ? null : <ErrorPanel error={dry.failure} title={t("The run was not started")} />}
      <SchemaForm
        key={form.source}
        label={t("Input")}
        schema={isObject(payloadSchema) ? payloadSchema : null}
        value={form.input}
        onChange={(value, valid) =>
          setForm({ ...form, input: isObject(value) ? value : form.input, valid: valid && isObject(value) })
        }
      />
    </FormDialog>
  );
}
