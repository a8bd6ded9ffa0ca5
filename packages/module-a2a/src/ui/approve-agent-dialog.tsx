import FormControlLabel from "@mui/material/FormControlLabel";
import Switch from "@mui/material/Switch";
import Typography from "@mui/material/Typography";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
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
  const { id, name, card, cardHash, approvedCard } = connection;
  const [needsApproval, setNeedsApproval] = useState(connection.needsApproval);
  const approve = async (): Promise<void> => {
    const { approvalWhen } = connection;
    const body = { hash: cardHash, needsApproval, approvalWhen: needsApproval ? approvalWhen : null };
    await api(`a2a-connections/${id}/approve`, { method: "POST", body });
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
      <FormControlLabel
        control={<Switch checked={needsApproval} onChange={(event) => setNeedsApproval(event.target.checked)} />}
        label={t("Ask a person before each message")}
      />
    </FormDialog>
  );
}
