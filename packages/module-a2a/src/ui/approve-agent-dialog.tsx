import Typography from "@mui/material/Typography";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ApprovalFields } from "@oven/ui/components/call-fields.tsx";
import { ChangeList } from "@oven/ui/components/change-list.tsx";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { type ReactElement, useState } from "react";
import type { A2aConnection } from "../shapes.ts";
import { AgentCardWords } from "./agent-card-words.tsx";

/** What a person approves: exactly this card. */
export function ApproveAgentDialog({
  connection,
  onClose,
}: {
  connection: A2aConnection;
  onClose: (saved: boolean) => void;
}): ReactElement {
  const { id, name, toolId, card, cardHash, approvedCard, needsApproval, approvalWhen } = connection;
  const [approval, setApproval] = useState({ needsApproval, approvalWhen });
  const approve = async (): Promise<void> => {
    await api(`a2a-connections/${id}/approve`, { method: "POST", body: { hash: cardHash, ...approval } });
    onClose(true);
  };
  return (
    <FormDialog
      title={t("Approve the agent “{{name}}”", { name })}
      submitLabel={t("Approve")}
      failureTitle={t("The agent was not approved")}
      usable
      onSubmit={approve}
      onClose={() => onClose(false)}
    >
      <Typography variant="body2" color="text.secondary">
        {t("Models will see exactly these words, and messages go to exactly these addresses:")}
      </Typography>
      {card === null ? null : <AgentCardWords card={card} />}
      {card === null || approvedCard === null ? null : <ChangeList before={approvedCard} after={card} />}
      <ApprovalFields approval={approval} tool={toolId} onApproval={setApproval} />
    </FormDialog>
  );
}
