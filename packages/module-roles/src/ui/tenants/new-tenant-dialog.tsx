import TextField from "@mui/material/TextField";
import type { CreatedTenant } from "@oven/contract/access";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { type ReactElement, useState } from "react";
import { InvitationLinkDialog } from "../users/invitation-link-dialog.tsx";

/** Makes a tenant and shows the link for its first owner, this once. */
export function NewTenantDialog({ onClose }: { onClose: (made: boolean) => void }): ReactElement {
  const [name, setName] = useState("");
  const [ownerEmail, setOwnerEmail] = useState("");
  const [made, setMade] = useState<CreatedTenant | null>(null);
  if (made !== null) return <InvitationLinkDialog email={ownerEmail} link={made.link} onClose={() => onClose(true)} />;
  return (
    <FormDialog
      title={t("New tenant")}
      submitLabel={t("Make the tenant")}
      failureTitle={t("The tenant was not made")}
      usable
      onClose={() => onClose(false)}
      onSubmit={async () => {
        const reply = await api("tenants", { method: "POST", body: { name, ownerEmail } });
        // cast: 201 carries the link
        setMade(reply.json as CreatedTenant);
      }}
    >
      <TextField
        fullWidth
        autoFocus
        required
        label={t("Name")}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <TextField
        fullWidth
        required
        type="email"
        label={t("E-mail of its first owner")}
        value={ownerEmail}
        onChange={(event) => setOwnerEmail(event.target.value)}
      />
    </FormDialog>
  );
}
