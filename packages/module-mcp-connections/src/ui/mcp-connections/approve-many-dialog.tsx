import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import type { ApprovedMcpTools, McpConnectionTool } from "@oven/contract/mcp";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { type Approval, CallFields } from "@oven/ui/components/call-fields.tsx";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";
import { type ReactElement, useState } from "react";
import { useNotify } from "react-admin";

/** Several tools as they are listed now, with one answer to what their calls may do. */
export function ApproveManyDialog({
  connectionId,
  tools,
  onClose,
}: {
  connectionId: number;
  tools: readonly McpConnectionTool[];
  onClose: (saved: boolean) => void;
}): ReactElement {
  const [effect, setEffect] = useState<McpConnectionTool["effect"]>("at-most-once");
  const [approval, setApproval] = useState<Approval>({ needsApproval: true, approvalWhen: null });
  const notify = useNotify();
  const approve = async (): Promise<void> => {
    const body = { tools: tools.map(({ id, listedHash }) => ({ id, hash: listedHash })), effect, ...approval };
    const { json } = await api(`mcp-connections/${connectionId}/tools/approve`, { method: "POST", body });
    const { changed } = json as ApprovedMcpTools; // cast: the shape of the route
    if (changed.length > 0)
      notify(t("Not approved, since the server has changed them: {{names}}", { names: changed.join(", ") }), {
        type: "warning",
      });
    onClose(true);
  };
  return (
    <FormDialog
      title={t("Approve {{count}} tools", { count: tools.length })}
      submitLabel={t("Approve")}
      failureTitle={t("The tools were not approved")}
      usable
      onSubmit={approve}
      onClose={() => onClose(false)}
    >
      <Typography variant="body2" color="text.secondary">
        {t("Models will see their words as the page shows them now, written by the people who run the server.")}
      </Typography>
      <Box sx={{ maxHeight: 160, overflowY: "auto", fontFamily: MONOSPACE, fontSize: 12.5, overflowWrap: "anywhere" }}>
        {tools.map(({ id, name }) => (
          <div key={id}>{name}</div>
        ))}
      </Box>
      <CallFields
        helperText={t("This holds for all of them; each can be changed by itself afterwards.")}
        effect={effect}
        approval={approval}
        tool={`${tools[0]?.toolId.split(".").slice(0, 2).join(".")}.*`}
        onEffect={setEffect}
        onApproval={setApproval}
      />
    </FormDialog>
  );
}
