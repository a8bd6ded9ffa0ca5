import type { Workflow } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { AGENT_WORKFLOWS, REGULAR_WORKFLOWS, type WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { type ReactElement, useState } from "react";
import { useNotify, useRefresh } from "react-admin";
import { TagField } from "./tag-field.tsx";
import { useTags } from "./use-tags.ts";

export interface TagsDialogProps {
  chosen: readonly { kind: WorkflowKind; workflows: readonly Pick<Workflow, "id" | "name" | "tags">[] }[];
  onClose: () => void;
}

/** Edits the tags of one workflow, or adds tags to several workflows and takes tags from them. */
export function TagsDialog({ chosen, onClose }: TagsDialogProps): ReactElement {
  const workflows = chosen.flatMap((ofKind) => ofKind.workflows);
  const [only] = workflows.length === 1 ? workflows : [];
  const carried = [...new Set(workflows.flatMap(({ tags }) => tags))].sort();
  const [add, setAdd] = useState<string[]>(only?.tags ?? []);
  const [remove, setRemove] = useState<string[]>([]);
  const ofAgents = useTags(AGENT_WORKFLOWS);
  const ofOthers = useTags(REGULAR_WORKFLOWS);
  const known = [...new Set([...ofAgents, ...ofOthers].map(({ tag }) => tag))];
  const notify = useNotify();
  const refresh = useRefresh();
  const save = async (): Promise<void> => {
    const taken = only === undefined ? remove : only.tags.filter((tag) => !add.includes(tag));
    for (const { kind, workflows: ofKind } of chosen) {
      const body = { ids: ofKind.map(({ id }) => id), add, remove: taken };
      await api(`${kind.kind}-tags`, { method: "POST", body });
    }
    notify(
      only === undefined ? t("Tags of {{count}} workflows changed", { count: workflows.length }) : t("Tags saved"),
      { type: "success" },
    );
    refresh();
    onClose();
  };
  return (
    <FormDialog
      title={
        only === undefined
          ? t("Tags of {{count}} workflows", { count: workflows.length })
          : t("Tags of {{name}}", { name: only.name })
      }
      submitLabel={t("Save tags")}
      failureTitle={t("No tags were changed")}
      maxWidth="xs"
      usable
      onSubmit={save}
      onClose={onClose}
    >
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
    </FormDialog>
  );
}
