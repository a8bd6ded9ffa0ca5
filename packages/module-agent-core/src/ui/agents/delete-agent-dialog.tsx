import type { Agent, AgentUses } from "@oven/contract/agent";
import { t } from "@oven/i18n";
import { ApiError } from "@oven/ui/api/api-error.ts";
import { ConfirmDialog } from "@oven/ui/components/confirm-dialog.tsx";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import { type ReactElement, useState } from "react";
import { useDataProvider, useNotify } from "react-admin";
import { useNavigate } from "react-router-dom";

/** Says what uses it; asks once more when runs are going on, which would be cancelled. */
export function DeleteAgentDialog({ agent, onClose }: { agent: Agent; onClose: () => void }): ReactElement {
  const { data: uses } = useAnswer<AgentUses>(`agents/${agent.id}/uses`);
  const dataProvider = useDataProvider();
  const navigate = useNavigate();
  const notify = useNotify();
  const [force, setForce] = useState(false);
  return (
    <ConfirmDialog
      open
      title={t("Delete “{{name}}”?", { name: agent.name })}
      text={
        force
          ? t("Runs of this agent are going on. Deleting it now cancels them and withdraws their reviews.")
          : t("{{useLine}} Its versions and all that was said to it go with it; its runs stay.", {
              useLine: toUseLine(uses),
            })
      }
      confirmLabel={force ? t("Cancel its runs and delete") : t("Delete")}
      onClose={onClose}
      onConfirm={async () => {
        try {
          await dataProvider.delete("agents", { id: agent.id, previousData: agent, meta: { force } });
        } catch (error) {
          if (error instanceof ApiError && error.status === 409) setForce(true);
          throw error;
        }
        notify(t("“{{name}}” was deleted", { name: agent.name }), { type: "success" });
        // Its page is not asked for anew on the way out: it is gone.
        void navigate("/agents");
      }}
    />
  );
}

function toUseLine(uses: AgentUses | undefined): string {
  if (uses === undefined) return "";
  const { sessions, workflows } = uses;
  const said = sessions === 0 ? "" : t("It has {{count}} sessions.", { count: sessions });
  const named =
    workflows.length === 0
      ? t("No workflow names it.")
      : t("Steps of {{workflows}} name it and will fail.", {
          workflows: workflows.map(({ name }) => `“${name}”`).join(", "),
        });
  return `${said} ${named}`.trim();
}
