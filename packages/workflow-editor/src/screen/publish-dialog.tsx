import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Checkbox from "@mui/material/Checkbox";
import FormControlLabel from "@mui/material/FormControlLabel";
import TextField from "@mui/material/TextField";
import type { JsonObject } from "@oven/contract";
import type { GrantReport } from "@oven/contract/access";
import type { Workflow, WorkflowVersion } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ApiError, asApiError } from "@oven/ui/api/api-error.ts";
import { ChoiceField } from "@oven/ui/components/choice-field.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { type ReactElement, useState } from "react";
import { useDataProvider, useNotify } from "react-admin";
import type { ServerCheck } from "../definition/use-server-check.ts";
import type { WorstCaseAnswer } from "../definition/use-worst-case.ts";
import { WorstCaseView } from "../definition/worst-case-view.tsx";
import { toShortText } from "../definition/worst-case-words.ts";
import type { EditorStore } from "../editor/editor-store.ts";
import { areUsable, CanaryFields, NEW_CANARY, toCanaryBody } from "./canary-fields.tsx";
import { PastRunsTrial } from "./past-runs-trial.tsx";
import { PublishRules } from "./publish-rules.tsx";
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
  worst: WorstCaseAnswer;
  triggers: Triggers;
  onPublished: (workflow: Workflow) => void;
  onClose: () => void;
}

const NO_TRIGGERS: Triggers["list"] = [];

/** Makes what is on the canvas the live version, with a note. Errors keep it from being published. */
export function PublishDialog(props: PublishDialogProps): ReactElement {
  const { kind, workflow, store, draft, check, triggers, onPublished, onClose } = props;
  const { worst } = props.worst;
  const off = useCan("triggers.update") ? triggers.list.filter(({ enabled }) => !enabled) : NO_TRIGGERS;
  // Before the first version of the person's own, a trigger had nothing to start.
  const isFirst = workflow.version === 1;
  const mayRead = useCan("executions.read");
  const [switched, setSwitched] = useState<ReadonlyMap<number, boolean>>(new Map());
  const [note, setNote] = useState("");
  const [takers, setTakers] = useState<"all" | "part">("all");
  const [canary, setCanary] = useState(NEW_CANARY);
  /** The refusal, where another version was published since this draft began. */
  const [stale, setStale] = useState<unknown>(null);
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
  const [seen] = useState(draft.folded);
  /** Saves the draft. Nothing that was folded in since the dialog was opened is published unseen. */
  const flushSeen = async (): Promise<number> => {
    store.flush();
    const before = store.document;
    const revision = await draft.flush();
    if (draft.folded === seen && store.document === before) return revision;
    throw new ApiError(0, {
      code: "STALE_DRAFT",
      message: t("The draft was changed elsewhere while this was open"),
      fix: t("Close this, look at what is new on the canvas, and publish again"),
    });
  };
  const publish = async (overwrite: boolean): Promise<void> => {
    const revision = await flushSeen();
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
  };
  const publishAsCandidate = async (): Promise<void> => {
    const draftRevision = await flushSeen();
    const noted = note.trim() === "" ? {} : { note: note.trim() };
    const body = { draftRevision, ...noted, ...toCanaryBody(canary) };
    await api(`${kind.resource}/${workflow.id}/canary`, { method: "PUT", body });
    notify(t("The candidate takes {{share}} % of new runs; see Versions", { share: canary.share }), {
      type: "success",
    });
    onClose();
  };
  const onTop = useAction(() => publish(true));
  const { run: lookUp, ...found } = useAction(async () => {
    const path = `${kind.resource}/${workflow.id}`;
    const [{ json: now }, { json: all }] = await Promise.all([api(path), api(`${path}/versions`)]);
    const theirs = now as Workflow; // cast: the shape of the route
    const versions = all as WorkflowVersion[]; // cast: the shape of the route
    const base = versions.find(({ version }) => version === draft.baseVersion)?.definition ?? {};
    setMerging({ theirs, base });
  });
  const onSubmit = async (): Promise<void> => {
    setStale(null);
    if (takers === "part") return publishAsCandidate();
    try {
      await publish(false);
    } catch (error) {
      if (asApiError(error).code !== "STALE_VERSION") throw error;
      setStale(error);
    }
  };
  return (
    <>
      <FormDialog
        title={t("Publish {{name}}", { name: workflow.name })}
        submitLabel={t("Publish")}
        failureTitle={t("The workflow was not published")}
        usable={errors === 0 && (takers === "all" || areUsable(canary))}
        maxWidth="xs"
        onSubmit={onSubmit}
        onClose={onClose}
      >
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
        />
        <ChoiceField
          label={t("New runs")}
          value={takers}
          choices={[
            { value: "all", label: t("All of them take this version") },
            { value: "part", label: t("A part of them takes it first") },
          ]}
          onChange={setTakers}
        />
        {takers === "part" ? <CanaryFields settings={canary} onChange={setCanary} /> : null}
        {(takers === "part" ? NO_TRIGGERS : off).map(({ id, name }) => (
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
        {errors > 0 || worst === null ? null : (
          <Box component="details" sx={{ fontSize: 13 }}>
            <Box component="summary" sx={{ mb: 0.5 }}>
              {t("A run needs {{needs}}", { needs: toShortText(worst) })}
            </Box>
            <WorstCaseView worst={worst} />
          </Box>
        )}
        {errors > 0 ? null : <PublishRules kind={kind} workflowId={workflow.id} definition={store.document} />}
        {errors > 0 || !mayRead ? null : (
          <PastRunsTrial kind={kind} workflowId={workflow.id} definition={store.document} save={() => draft.flush()} />
        )}
        {stale === null ? null : (
          <ErrorPanel error={stale} title={t("Somebody else published a version meanwhile")}>
            <Box sx={{ display: "flex", gap: 1, mt: 1 }}>
              <Button size="small" variant="contained" loading={found.busy} onClick={() => void lookUp()}>
                {t("Merge…")}
              </Button>
              <Button size="small" loading={onTop.busy} onClick={() => void onTop.run()}>
                {t("Publish mine on top")}
              </Button>
            </Box>
          </ErrorPanel>
        )}
        {onTop.failure === null ? null : (
          <ErrorPanel error={onTop.failure} title={t("The workflow was not published")} />
        )}
        {found.failure === null ? null : (
          <ErrorPanel error={found.failure} title={t("The other version could not be read")} />
        )}
      </FormDialog>
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
    </>
  );
}
