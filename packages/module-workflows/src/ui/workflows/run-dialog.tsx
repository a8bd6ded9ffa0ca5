import PlayArrowRounded from "@mui/icons-material/PlayArrowRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Chip from "@mui/material/Chip";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import type { Json, JsonObject } from "@oven/contract";
import type { Workflow } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { SchemaForm } from "@oven/ui/components/schema-form/schema-form.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { readExamples } from "@oven/workflow-editor/definition/read-examples.ts";
import { type FormEvent, type ReactElement, useState } from "react";
import { useStartRun } from "./use-start-run.ts";

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export interface RunDialogProps {
  kind: WorkflowKind;
  workflow: Workflow;
  /** The input of an earlier run. */
  initialInput?: Json;
  onClose: () => void;
}

/** Asks for the input the workflow's payload schema describes, and starts a run. */
export function RunDialog({ kind, workflow, initialInput, onClose }: RunDialogProps): ReactElement {
  const examples = readExamples(workflow.definition);
  const { payloadSchema } = workflow.definition;
  const [form, setForm] = useState<{ input: JsonObject; valid: boolean; source: number }>(() => ({
    input: isObject(initialInput) ? initialInput : (examples[0]?.input ?? {}),
    valid: true,
    source: 0,
  }));
  const start = useStartRun(kind);
  const { busy, failure, run } = useAction(() => start(workflow.id, form.input));
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void run();
  };
  return (
    <Dialog open onClose={onClose} maxWidth="sm" fullWidth aria-labelledby="run-title">
      <Box component="form" onSubmit={onSubmit} noValidate={false}>
        <DialogTitle id="run-title" sx={{ fontSize: 16, pb: 1 }}>
          {t("Run “{{name}}”", { name: workflow.name })}
        </DialogTitle>
        <DialogContent sx={{ display: "grid", gap: 2 }}>
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
          <Box sx={{ pt: 0.75 }}>
            <SchemaForm
              key={form.source}
              label={t("Input")}
              schema={isObject(payloadSchema) ? payloadSchema : null}
              value={form.input}
              onChange={(value, valid) =>
                setForm({ ...form, input: isObject(value) ? value : form.input, valid: valid && isObject(value) })
              }
            />
          </Box>
          {failure === null ? null : <ErrorPanel error={failure} title={t("The run was not started")} />}
        </DialogContent>
        <DialogActions sx={{ px: 3, pb: 2.5 }}>
          <Button onClick={onClose}>{t("Close")}</Button>
          <Button
            type="submit"
            variant="contained"
            startIcon={<PlayArrowRounded />}
            loading={busy}
            disabled={!form.valid}
          >
            {t("Run")}
          </Button>
        </DialogActions>
      </Box>
    </Dialog>
  );
}
