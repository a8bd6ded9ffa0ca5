import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Checkbox from "@mui/material/Checkbox";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import FormControlLabel from "@mui/material/FormControlLabel";
import TextField from "@mui/material/TextField";
import type { JsonObject } from "@oven/contract";
import type { GrantReport } from "@oven/contract/access";
import type { Workflow, WorkflowVersion } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { asApiError } from "@oven/ui/api/api-error.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { type FormEvent, type ReactElement, useState } from "react";
import { useDataProvider, useNotify } from "react-admin";
import type { ServerCheck } from "../definition/use-server-check.ts";
import type { EditorStore } from "../editor/editor-store.ts";
import type { Triggers } from "./triggers/use-triggers.ts";
import type { Draft } from "./use-draft.ts";
import { GrantView } from "./versions/grant-view.tsx";
import { MergeDialog } from "./versions/merge-dialog.tsx";

export interface PublishDialogProps {
  kind: WorkflowKind;
  workflow: Workflow;
  store: EditorStore;
  draft: Draft;
  check: ServerCheck;
  triggers: Triggers;
  onPublished: (workflow: Workflow) => void;
  onClose: () => void;
}

const NO_TRIGGERS: Triggers["list"] = [];

/** Makes what is on the canvas the live version, with a note. Errors keep it from being published. */
export function PublishDialog(props: PublishDialogProps): ReactElement {
  const { kind, workflow, store, draft, check, triggers, onPublished, onClose } = props;
  const off = useCan("triggers.update") ? triggers.list.filter(({ enabled }) => !enabled) : NO_TRIGGERS;
  // Before the first version of the person's own, a trigger had nothing to start.
  const isFirst = workflow.version === 1;
  const [switched, setSwitched] = useState<ReadonlyMap<number, boolean>>(new Map());
  const [note, setNote] = useState("");
  const [merging, setMerging] = useState<{ theirs: Workflow; base: JsonObject } | null>(null);
  const dataProvider = useDataProvider();
  const notify = useNotify();
  const errors = check.problems.filter(({ severity }) => severity === "error").length;
  const [ask] = useState(() => {
    const body = { definition: store.document };
    return async (path: string, signal: AbortSignal): Promise<unknown> =>
      (await api(path, { method: "POST", body, signal })).json;
  });
  const grant = useAnswer<GrantReport>(errors > 0 ? null : `${kind.resource}/grant`, undefined, ask);
  const { busy, failure, run } = useAction(async (overwrite: boolean) => {
    const revision = await draft.flush();
    const definition = store.document;
    const { data } = await dataProvider.update<Workflow>(kind.resource, {
      id: workflow.id,
      previousData: workflow,
      data: {
        definition,
        ...(note.trim() === "" ? {} : { note: note.trim() }),
        ...(revision === 0 ? {} : { draftRevision: revision }),
        ...(overwrite ? {} : { version: draft.baseVersion }),
      },
    });
    onPublished(data);
    for (const { id } of off)
      if (switched.get(id) ?? isFirst) await api(`triggers/${id}`, { method: "PUT", body: { enabled: true } });
    if (off.length > 0) triggers.refetch();
    notify(
      data.version === draft.baseVersion
        ? t("Saved: nothing a run depends on has changed")
        : t("Version {{version}} is live", { version: data.version }),
      {
        type: "success",
      },
    );
    onClose();
  });
  const { run: lookUp, ...found } = useAction(async () => {
    const path = `${kind.resource}/${workflow.id}`;
    const [{ json: now }, { json: all }] = await Promise.all([api(path), api(`${path}/versions`)]);
    const theirs = now as Workflow; // cast: the shape of the route
    const versions = all as WorkflowVersion[]; // cast: the shape of the route
    const base = versions.find(({ version }) => version === draft.baseVersion)?.definition ?? {};
    setMerging({ theirs, base });
  });
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void run(false);
  };
  const isStale = failure !== null && asApiError(failure).code === "STALE_VERSION";
  return (
    <Dialog open onClose={onClose} maxWidth="xs" fullWidth aria-labelledby="publish-title">
      <form onSubmit={onSubmit}>
        <DialogTitle id="publish-title" sx={{ fontSize: 16 }}>
          {t("Publish {{name}}", { name: workflow.name })}
        </DialogTitle>
        <DialogContent sx={{ display: "grid", gap: 2 }}>
          {errors > 0 ? (
            <Alert severity="error">
              {t("{{count}} problems have to be solved first: see the list below the canvas.", { count: errors })}
            </Alert>
          ) : null}
          <TextField
            label={t("Note to this version")}
            placeholder={t("Why it changes")}
            autoFocus
            multiline
            maxRows={4}
            value={note}
            onChange={(event) => setNote(event.target.value)}
            sx={{ mt: 1 }}
          />
          {off.map(({ id, name }) => (
            <FormControlLabel
              key={id}
              label={t("Switch on the trigger “{{name}}”", { name })}
              control={
                <Checkbox
                  checked={switched.get(id) ?? isFirst}
                  onChange={(event) => setSwitched(new Map(switched).set(id, event.target.checked))}
                />
              }
            />
          ))}
          {errors > 0 ? null : <GrantView answer={grant} />}
          {failure === null ? null : (
            <ErrorPanel
              error={failure}
              title={isStale ? t("Somebody else published a version meanwhile") : t("The workflow was not published")}
            >
              {isStale ? (
                <Box sx={{ display: "flex", gap: 1, mt: 1 }}>
                  <Button size="small" variant="contained" loading={found.busy} onClick={() => void lookUp()}>
                    {t("Merge…")}
                  </Button>
                  <Button size="small" onClick={() => void run(true)}>
                    {t("Publish mine on top")}
                  </Button>
                </Box>
              ) : null}
            </ErrorPanel>
          )}
          {found.failure === null ? null : (
            <ErrorPanel error={found.failure} title={t("The other version could not be read")} />
          )}
        </DialogContent>
        <DialogActions sx={{ px: 3, pb: 2.5 }}>
          <Button onClick={onClose}>{t("Cancel")}</Button>
          <Button type="submit" variant="contained" loading={busy} disabled={errors > 0}>
            {t("Publish")}
          </Button>
        </DialogActions>
      </form>
      {merging === null ? null : (
        <MergeDialog
          base={merging.base}
          mine={store.document}
          theirs={merging.theirs.definition}
          theirName={t("version {{version}}", { version: merging.theirs.version })}
          onMerge={(joined) => {
            draft.rebase(joined, merging.theirs.version);
            onClose();
          }}
          onClose={() => setMerging(null)}
        />
      )}
    </Dialog>
  );
}
