import Box from "@mui/material/Box";
import FormControlLabel from "@mui/material/FormControlLabel";
import Switch from "@mui/material/Switch";
import Typography from "@mui/material/Typography";
import type { ApiConnection, ApiConnectionOperation, ApprovedApiOperations } from "@oven/contract/api";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { type Approval, CallFields } from "@oven/ui/components/call-fields.tsx";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";
import { type ReactElement, useState } from "react";
import { useNotify } from "react-admin";

/** What a person approves: exactly these operations, and what their calls may do. */
export function ApproveOperationsDialog({
  connection,
  operations,
  onClose,
}: {
  connection: ApiConnection;
  operations: readonly ApiConnectionOperation[];
  onClose: (saved: boolean) => void;
}): ReactElement {
  const [only] = operations.length === 1 ? operations : [];
  const [byMethod, setByMethod] = useState(only === undefined);
  const [effect, setEffect] = useState(only?.effect ?? "at-most-once");
  const [approval, setApproval] = useState<Approval>({
    needsApproval: only?.needsApproval ?? true,
    approvalWhen: only?.approvalWhen ?? null,
  });
  const notify = useNotify();
  const approve = async (): Promise<void> => {
    const body = {
      operations: operations.map(({ id, hash }) => ({ id, hash })),
      ...(byMethod ? {} : { effect, ...approval }),
    };
    const { json } = await api(`api-connections/${connection.id}/operations/approve`, { method: "POST", body });
    const { changed } = json as ApprovedApiOperations; // cast: the shape of the route
    if (changed.length > 0)
      notify(t("Not approved, since the document has changed them: {{names}}", { names: changed.join(", ") }), {
        type: "warning",
      });
    onClose(true);
  };
  return (
    <FormDialog
      title={
        only === undefined
          ? t("Approve {{count}} operations", { count: operations.length })
          : t("Approve “{{operation}}”", { operation: only.title })
      }
      submitLabel={t("Approve")}
      failureTitle={t("The operations were not approved")}
      usable
      onSubmit={approve}
      onClose={() => onClose(false)}
    >
      <Typography variant="body2" color="text.secondary">
        {t("Models will see the words of the document as the page shows them now.")}
      </Typography>
      <Box sx={{ maxHeight: 160, overflowY: "auto", fontFamily: MONOSPACE, fontSize: 12.5, overflowWrap: "anywhere" }}>
        {operations.map(({ id, method, path }) => (
          <div key={id}>
            {method} {path}
          </div>
        ))}
      </Box>
      {only === undefined ? (
        <FormControlLabel
          control={<Switch checked={byMethod} onChange={(event) => setByMethod(event.target.checked)} />}
          label={t("By their method: those that read are called freely, a person is asked before each of the others")}
        />
      ) : null}
      {byMethod ? null : (
        <CallFields
          helperText={t("By its method it would be: {{effect}}. What you choose counts.", {
            effect: only?.effect ?? "at-most-once",
          })}
          effect={effect}
          approval={approval}
          tool={only?.toolId ?? `api.${connection.name}.*`}
          onEffect={setEffect}
          onApproval={setApproval}
        />
      )}
    </FormDialog>
  );
}
