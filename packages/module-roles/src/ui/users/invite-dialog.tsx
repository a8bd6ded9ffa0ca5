import TextField from "@mui/material/TextField";
import type { CreatedInvitation } from "@oven/contract/access";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { type ReactElement, useState } from "react";
import { InvitationLinkDialog } from "./invitation-link-dialog.tsx";
import { RoleChoice } from "./role-choice.tsx";

/** Makes an invitation and shows its link, this once. */
export function InviteDialog({ onClose }: { onClose: (made: boolean) => void }): ReactElement {
  const [email, setEmail] = useState("");
  const [roles, setRoles] = useState<string[]>(["viewer"]);
  const [made, setMade] = useState<CreatedInvitation | null>(null);
  if (made !== null) return <InvitationLinkDialog email={made.email} link={made.link} onClose={() => onClose(true)} />;
  return (
    <FormDialog
      title={t("Invite somebody")}
      submitLabel={t("Make the link")}
      failureTitle={t("The invitation was not made")}
      usable={roles.length > 0}
      onClose={() => onClose(false)}
      onSubmit={async () => {
        const reply = await api("invitations", { method: "POST", body: { email, roles } });
        // cast: 201 carries the link
        setMade(reply.json as CreatedInvitation);
      }}
    >
      <TextField
        fullWidth
        autoFocus
        required
        type="email"
        label={t("E-mail")}
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <RoleChoice chosen={roles} onChange={setRoles} />
    </FormDialog>
  );
}
