import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Drawer from "@mui/material/Drawer";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import type { WorkflowNotify } from "@oven/contract/system";
import type { Workflow } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { asApiError } from "@oven/ui/api/api-error.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import type { SettingsSheetProps } from "@oven/workflow-editor/screen/settings-sheet.ts";
import { type FormEvent, type ReactElement, useState } from "react";
import { useUpdate } from "react-admin";
import { SettingsFields, type WorkflowSettingsDraft } from "./settings-fields.tsx";
import { saveNotify, useWorkflowNotify } from "./workflow-notify.ts";

/**
 * The settings of a workflow that no version holds, in a sheet over its editor. They hold at once; the draft stays as it is. What
 * would make a version, such as the offer over MCP, is on the canvas.
 */
export function WorkflowSettings({ kind, workflow, onClose }: SettingsSheetProps): ReactElement {
  const { notify, error } = useWorkflowNotify(kind, String(workflow.id));
  const title = t("Settings of {{name}}", { name: workflow.name });
  return (
    <Drawer anchor="right" open onClose={onClose} slotProps={{ paper: { role: "dialog", "aria-label": title } }}>
      <Box sx={{ width: { xs: "100vw", sm: 480 }, p: 2.5, display: "grid", gap: 2, alignContent: "start" }}>
        <Typography variant="h2">{title}</Typography>
        {error ? (
          <ErrorPanel error={error} title={t("This workflow could not be loaded")} />
        ) : notify === undefined ? (
          <Skeleton variant="rounded" height={320} />
        ) : (
          <SettingsForm kind={kind} workflow={workflow} notify={notify} onClose={onClose} />
        )}
      </Box>
    </Drawer>
  );
}

interface SettingsFormProps {
  kind: WorkflowKind;
  workflow: Workflow;
  notify: WorkflowNotify;
  onClose: () => void;
}

function SettingsForm({ kind, workflow, notify, onClose }: SettingsFormProps): ReactElement {
  const [update] = useUpdate<Workflow>();
  const [draft, setDraft] = useState<WorkflowSettingsDraft>({
    name: workflow.name,
    slug: workflow.slug,
    description: workflow.description ?? "",
    enabled: workflow.enabled,
    tags: workflow.tags,
    notify,
  });
  const { busy, failure, run, reset } = useAction(async () => {
    const { name, slug, description, enabled, tags } = draft;
    const data = { name, slug, description: description === "" ? null : description, enabled, tags };
    await update(kind.resource, { id: workflow.id, previousData: workflow, data }, { returnPromise: true });
    await saveNotify(kind, workflow.id, notify, draft.notify);
    onClose();
  });
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void run();
  };
  const error = failure === null ? null : asApiError(failure);
  return (
    <Box
      component="form"
      onSubmit={onSubmit}
      sx={{ display: "grid", gap: 2, "& > div:first-of-type": { gridTemplateColumns: "minmax(0, 1fr)" } }}
    >
      <SettingsFields
        kind={kind}
        draft={draft}
        set={(change) => {
          reset();
          setDraft({ ...draft, ...change });
        }}
        fields={error?.body.errors ?? {}}
        creating={false}
      >
        <Button onClick={onClose}>{t("Cancel")}</Button>
        <Button type="submit" variant="contained" loading={busy}>
          {t("Save")}
        </Button>
      </SettingsFields>
      {error === null ? null : <ErrorPanel error={error} title={t("The settings were not saved")} />}
    </Box>
  );
}
