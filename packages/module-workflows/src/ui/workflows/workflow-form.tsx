import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import type { JsonObject } from "@oven/contract";
import { t } from "@oven/i18n";
import { ApiError, asApiError } from "@oven/ui/api/api-error.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { formatRelative } from "@oven/ui/components/format.ts";
import { Panel } from "@oven/ui/components/panel.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { toProblems } from "@oven/workflow-editor/definition/check-definition.ts";
import { type StoredDraft, useStoredDraft } from "@oven/workflow-editor/definition/use-stored-draft.ts";
import { type FormEvent, type ReactElement, useEffect, useState } from "react";
import { Link } from "react-router-dom";
import { DefinitionEditor } from "./definition-editor.tsx";
import { SettingsFields, type WorkflowSettingsDraft } from "./settings-fields.tsx";
import { useDefinitionCheck } from "./use-definition-check.ts";

export interface WorkflowDraft extends WorkflowSettingsDraft {
  mcpExport: boolean;
  note: string;
  text: string;
  /** The version it started from; 0 for a new workflow. */
  baseVersion: number;
}

export interface WorkflowFormProps {
  kind: WorkflowKind;
  initial: WorkflowDraft;
  /** Keeps unsaved work apart: `new`, or the id. */
  draftKey: string;
  /** A new workflow has no note, an old one no need to choose its slug. */
  creating: boolean;
  cancelTo: string;
  save: (draft: WorkflowDraft, definition: JsonObject, overwrite: boolean) => Promise<void>;
}

const FAILURES: Record<string, string> = { STALE_VERSION: t("Somebody else published a version meanwhile") };

/** The settings and the JSON of a workflow. Unsaved work is kept in this browser until it is saved or discarded. */
export function WorkflowForm({ kind, initial, draftKey, creating, cancelTo, save }: WorkflowFormProps): ReactElement {
  const kept = useStoredDraft<WorkflowDraft>(`${kind.resource}.${draftKey}`);
  const [restored, setRestored] = useState<StoredDraft<WorkflowDraft> | null>(kept.found);
  // What was kept by an older version of this page may know fewer settings.
  const [draft, setDraft] = useState<WorkflowDraft>({ ...initial, ...kept.found?.draft });
  const check = useDefinitionCheck(kind.resource, draft.text);
  const dirty = JSON.stringify(draft) !== JSON.stringify(initial);
  const { keep, forget } = kept;

  useEffect(() => {
    if (!dirty) return;
    const timer = setTimeout(() => keep(draft), 400);
    return () => clearTimeout(timer);
  }, [dirty, draft, keep]);

  const { busy, failure, run, reset } = useAction(async (overwrite: boolean) => {
    if (!check.parsed.ok) {
      throw new ApiError(0, {
        code: "INVALID_JSON",
        message: check.parsed.problem.message,
        fix: t("See line {{line}} of the definition", { line: check.parsed.problem.line }),
      });
    }
    await save(draft, check.parsed.definition, overwrite);
    forget();
  });
  const set = (change: Partial<WorkflowDraft>): void => {
    reset();
    setDraft((before) => ({ ...before, ...change }));
  };
  const discard = (): void => {
    forget();
    setRestored(null);
    setDraft(initial);
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void run(false);
  };
  const error = failure === null ? null : asApiError(failure);
  const fields: Record<string, string> = error?.body.errors ?? {};
  const problems = toProblems(failure).length;

  return (
    <Box component="form" onSubmit={onSubmit} sx={{ display: "grid", gap: 2 }}>
      {restored === null ? null : (
        <Alert
          severity="info"
          action={
            <Button size="small" onClick={discard}>
              {t("Discard them")}
            </Button>
          }
        >
          {t("Your unsaved changes from {{time}} are back.", { time: formatRelative(restored.at, Date.now()) })}
        </Alert>
      )}
      <Panel>
        <SettingsFields
          kind={kind}
          draft={draft}
          set={set}
          fields={fields}
          creating={creating}
          note={
            creating ? null : (
              <TextField
                label={t("Note to this version")}
                placeholder={t("Why it changes")}
                value={draft.note}
                onChange={(event) => set({ note: event.target.value })}
              />
            )
          }
        >
          <Button component={Link} to={cancelTo} onClick={forget}>
            {dirty ? t("Discard") : t("Close")}
          </Button>
          <Button type="submit" variant="contained" loading={busy} disabled={!creating && !dirty}>
            {creating ? t("Create workflow") : t("Save as new version")}
          </Button>
        </SettingsFields>
        <Box sx={{ mt: 2, "&:empty": { display: "none" } }}>
          {error === null ? null : (
            <ErrorPanel error={error} title={FAILURES[error.code] ?? t("The workflow was not saved")}>
              {problems > 0 ? (
                <Box sx={{ mt: 0.5, fontSize: 13 }}>{t("Each of them is listed below the graph.")}</Box>
              ) : null}
              {error.code === "STALE_VERSION" ? (
                <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1, mt: 1.25 }}>
                  <Button size="small" variant="contained" onClick={() => void run(true)}>
                    {t("Publish mine on top")}
                  </Button>
                  <Button
                    size="small"
                    variant="outlined"
                    onClick={() => {
                      forget();
                      window.location.reload();
                    }}
                  >
                    {t("Drop mine, load theirs")}
                  </Button>
                </Box>
              ) : null}
            </ErrorPanel>
          )}
        </Box>
      </Panel>
      <DefinitionEditor text={draft.text} onChange={(text) => set({ text })} check={check} />
    </Box>
  );
}
