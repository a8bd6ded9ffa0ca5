import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import type { Workflow } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { type FormEvent, type ReactElement, useState } from "react";
import { useNotify, useRefresh } from "react-admin";
import { TagField } from "./tag-field.tsx";
import { useTags } from "./use-tags.ts";

export interface TagsDialogProps {
  kind: WorkflowKind;
  workflows: readonly Pick<Workflow, "id" | "name" | "tags">[];
  onClose: () => void;
}

/** Of one workflow: its tags. Of several: what all of them gain and lose. */
export function TagsDialog({ kind, workflows, onClose }: TagsDialogProps): ReactElement {
  const [only] = workflows.length === 1 ? workflows : [];
  const carried = [...new Set(workflows.flatMap(({ tags }) => tags))].sort();
  const [add, setAdd] = useState<string[]>(only?.tags ?? []);
  const [remove, setRemove] = useState<string[]>([]);
  const known = useTags(kind).map(({ tag }) => tag);
  const notify = useNotify();
  const refresh = useRefresh();
  const { busy, failure, run } = useAction(async () => {
    const taken = only === undefined ? remove : only.tags.filter((tag) => !add.includes(tag));
    const body = { ids: workflows.map(({ id }) => id), add, remove: taken };
    await api(`${kind.kind}-tags`, { method: "POST", body });
    notify(
      only === undefined ? t("Tags of {{count}} workflows changed", { count: workflows.length }) : t("Tags saved"),
      { type: "success" },
    );
    refresh();
    onClose();
  });
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void run();
  };
  return (
    <Dialog open onClose={onClose} maxWidth="xs" fullWidth aria-labelledby="tags-title">
      <form onSubmit={onSubmit}>
        <DialogTitle id="tags-title" sx={{ fontSize: 16 }}>
          {only === undefined
            ? t("Tags of {{count}} workflows", { count: workflows.length })
            : t("Tags of {{name}}", { name: only.name })}
        </DialogTitle>
        <DialogContent sx={{ display: "grid", gap: 2, "&&": { pt: 1 } }}>
          <TagField
            label={only === undefined ? t("Add") : t("Tags")}
            value={add}
            known={known}
            onChange={setAdd}
            autoFocus
          />
          {only === undefined && carried.length > 0 ? (
            <TagField label={t("Take off")} value={remove} known={carried} onChange={setRemove} closed />
          ) : null}
          {failure === null ? null : <ErrorPanel error={failure} title={t("No tags were changed")} />}
        </DialogContent>
        <DialogActions sx={{ px: 3, pb: 2.5 }}>
          <Button onClick={onClose}>{t("Cancel")}</Button>
          <Button type="submit" variant="contained" loading={busy}>
            {t("Save tags")}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
