import CallSplitRounded from "@mui/icons-material/CallSplitRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import Typography from "@mui/material/Typography";
import { diffJson, type Json, type JsonObject } from "@oven/contract";
import type { Execution, RunCheckpointDetail } from "@oven/contract/run";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ChangeLines } from "@oven/ui/components/change-lines.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { SchemaForm } from "@oven/ui/components/schema-form/schema-form.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { kindOf, runPath } from "@oven/ui/components/workflow-kind.ts";
import { toWords } from "@oven/workflow-editor/run/checkpoint-words.ts";
import { type FormEvent, type ReactElement, useState } from "react";
import { useNavigate } from "react-router-dom";
import { toContextPatch } from "./context-patch.ts";

const isObject = (value: Json): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

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
  const usable = edited.valid && isObject(edited.value);
  const changes = isObject(edited.value) ? diffJson(writable, edited.value) : [];
  const {
    busy,
    failure,
    run: fork,
  } = useAction(async () => {
    if (!isObject(edited.value)) return;
    const patch = toContextPatch(writable, edited.value);
    const body = { checkpoint: checkpoint.seq, ...(patch.length === 0 ? {} : { patch }) };
    const reply = await api(`${kindOf(run.kind).executionResource}/${run.id}/fork`, { method: "POST", body });
    // cast: 202 carries the execution row
    void navigate(runPath(run.kind, (reply.json as Pick<Execution, "id">).id));
  });
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void fork();
  };
  return (
    <Dialog open onClose={onClose} maxWidth="md" fullWidth aria-labelledby="fork-title">
      <Box component="form" onSubmit={onSubmit} sx={{ display: "flex", flexDirection: "column", minHeight: 0 }}>
        <DialogTitle id="fork-title" sx={{ fontSize: 16, pb: 0.5 }}>
          {t("Fork #{{id}} where {{step}}?", { id: run.id, step: toWords(checkpoint) })}
        </DialogTitle>
        <DialogContent sx={{ display: "grid", gap: 2 }}>
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
          {failure === null ? null : <ErrorPanel error={failure} title={t("The run was not forked")} />}
        </DialogContent>
        <DialogActions sx={{ px: 3, pb: 2.5 }}>
          <Button onClick={onClose}>{t("Close")}</Button>
          <Button type="submit" variant="contained" startIcon={<CallSplitRounded />} loading={busy} disabled={!usable}>
            {changes.length === 0 ? t("Fork") : t("Fork with this context")}
          </Button>
        </DialogActions>
      </Box>
    </Dialog>
  );
}
