import PlayArrowRounded from "@mui/icons-material/PlayArrowRounded";
import Box from "@mui/material/Box";
import Chip from "@mui/material/Chip";
import type { Json, JsonObject } from "@oven/contract";
import { isObject } from "@oven/contract";
import type { Workflow } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { SchemaForm } from "@oven/ui/components/schema-form/schema-form.tsx";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { readExamples } from "@oven/workflow-editor/definition/read-examples.ts";
import { type ReactElement, useState } from "react";
import { useStartRun } from "./use-start-run.ts";

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
  return (
    <FormDialog
      title={t("Run “{{name}}”", { name: workflow.name })}
      submitLabel={t("Run")}
      submitIcon={<PlayArrowRounded />}
      failureTitle={t("The run was not started")}
      usable={form.valid}
      onSubmit={() => start(workflow.id, form.input)}
      onClose={onClose}
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
