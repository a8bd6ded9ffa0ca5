import Typography from "@mui/material/Typography";
import type { McpConnectionTool } from "@oven/contract/mcp";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { type Approval, CallFields } from "@oven/ui/components/call-fields.tsx";
import { ChangeList } from "@oven/ui/components/change-list.tsx";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { type ReactElement, useState } from "react";
import { toHintWords } from "./connection-words.ts";

/** What a person approves: exactly these words and schemas, and what a call may do. */
export function ApproveDialog({
  tool,
  onClose,
}: {
  tool: McpConnectionTool;
  onClose: (saved: boolean) => void;
}): ReactElement {
  const { listed, approved } = tool;
  const [effect, setEffect] = useState(tool.effect);
  const [approval, setApproval] = useState<Approval>({
    needsApproval: tool.needsApproval,
    approvalWhen: tool.approvalWhen,
  });
  const approve = async (): Promise<void> => {
    const path = `mcp-connections/${tool.connectionId}/tools/${tool.id}/approve`;
    await api(path, { method: "POST", body: { hash: tool.listedHash, effect, ...approval } });
    onClose(true);
  };
  return (
    <FormDialog
      title={t("Approve “{{tool}}”", { tool: tool.name })}
      submitLabel={t("Approve")}
      failureTitle={t("The tool was not approved")}
      usable
      onSubmit={approve}
      onClose={() => onClose(false)}
    >
      <Typography variant="body2" color="text.secondary">
        {t("Models will see exactly these words, written by whoever runs the server:")}
      </Typography>
      <Typography variant="body2" sx={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
        {listed.description === "" ? t("(no description)") : listed.description}
      </Typography>
      {approved === null || tool.state === "approved" ? null : <ChangeList before={approved} after={listed} />}
      <CallFields
        helperText={t("The server {{hintWords}}; what you choose counts.", {
          hintWords: toHintWords(listed.hints),
        })}
        effect={effect}
        approval={approval}
        tool={tool.toolId}
        onEffect={setEffect}
        onApproval={setApproval}
      />
    </FormDialog>
  );
}
