import CallSplitRounded from "@mui/icons-material/CallSplitRounded";
import Typography from "@mui/material/Typography";
import { diffJson, isObject, type Json } from "@oven/contract";
import type { Execution, RunCheckpointDetail } from "@oven/contract/run";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ChangeLines } from "@oven/ui/components/change-lines.tsx";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { SchemaForm } from "@oven/ui/components/schema-form/schema-form.tsx";
import { kindOf, runPath } from "@oven/ui/components/workflow-kind.ts";
import { toWords } from "@oven/workflow-editor/run/checkpoint-words.ts";
import { type ReactElement, useState } from "react";
import { useNavigate } from "react-router-dom";
import { toContextPatch } from "./context-patch.ts";

/** Another run that begins at a checkpoint, with another context if wished. The run itself stays as it is. */
export function ForkDialog({
  run,
  checkpoint,
  onClose,
}: {
  run: Execution;
  checkpoint: RunCheckpointDetail;
  onClose: () => void;
}): ReactElement {
  // What it was started with is no part of the context that steps write.
  const { trigger: _, ...writable } = checkpoint.context;
  const [edited, setEdited] = useState<{ value: Json; valid: boolean }>({ value: writable, valid: true });
  const navigate = useNavigate();
  const changes = isObject(edited.value) ? diffJson(writable, edited.value) : [];
  const fork = async (): Promise<void> => {
    if (!isObject(edited.value)) return;
    const patch = toContextPatch(writable, edited.value);
    const body = { checkpoint: checkpoint.seq, ...(patch.length === 0 ? {} : { patch }) };
    const reply = await api(`${kindOf(run.kind).executionResource}/${run.id}/fork`, { method: "POST", body });
    // cast: 202 carries the execution row
    void navigate(runPath(run.kind, (reply.json as Pick<Execution, "id">).id));
  };
  return (
    <FormDialog
      title={t("Fork #{{id}} where {{step}}?", { id: run.id, step: toWords(checkpoint) })}
      submitLabel={changes.length === 0 ? t("Fork") : t("Fork with this context")}
      failureTitle={t("The run was not forked")}
      submitIcon={<CallSplitRounded />}
      maxWidth="md"
      usable={edited.valid && isObject(edited.value)}
      onSubmit={fork}
      onClose={onClose}
    >
      <Typography color="text.secondary">
        {t(
          "A new run goes on from here. What ran before is taken over; what comes now is done again, with its effects.",
        )}
      </Typography>
      <SchemaForm
        label={t("Context")}
        schema={null}
        value={edited.value}
        onChange={(value, valid) => setEdited({ value, valid })}
      />
      {changes.length === 0 ? null : (
        <ChangeLines
          label={t("Changes of the context")}
          paths
          lines={changes.map(({ path, from, to }) => ({ name: path, before: from, after: to }))}
        />
      )}
    </FormDialog>
  );
}
