import type { Workflow } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { ApiError } from "@oven/ui/api/api-error.ts";
import { ConfirmDialog } from "@oven/ui/components/confirm-dialog.tsx";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { type ReactElement, useState } from "react";
import { useDataProvider, useNotify, useRefresh } from "react-admin";
import { useNavigate } from "react-router-dom";

export interface DeleteWorkflowDialogProps {
  kind: WorkflowKind;
  workflow: Workflow;
  open: boolean;
  onClose: () => void;
}

/** Asks once, and once more when runs are going on, which would be cancelled. */
export function DeleteWorkflowDialog({ kind, workflow, open, onClose }: DeleteWorkflowDialogProps): ReactElement {
  const dataProvider = useDataProvider();
  const navigate = useNavigate();
  const notify = useNotify();
  const refresh = useRefresh();
  const [force, setForce] = useState(false);
  return (
    <ConfirmDialog
      open={open}
      title={t("Delete “{{name}}”?", { name: workflow.name })}
      text={
        force
          ? t("Runs of this workflow are going on. Deleting it now cancels them and withdraws their reviews.")
          : kind.mcp
            ? t("Its versions and its MCP server go with it. The audit log stays.")
            : t("Its versions go with it. The audit log stays.")
      }
      confirmLabel={force ? t("Cancel its runs and delete") : t("Delete")}
      onClose={() => {
        setForce(false);
        onClose();
      }}
      onConfirm={async () => {
        try {
          await dataProvider.delete(kind.resource, { id: workflow.id, previousData: workflow, meta: { force } });
        } catch (error) {
          if (error instanceof ApiError && error.status === 409) setForce(true);
          throw error;
        }
        notify(t("“{{name}}” was deleted", { name: workflow.name }), { type: "success" });
        void navigate(`/${kind.resource}`);
        refresh();
      }}
    />
  );
}
