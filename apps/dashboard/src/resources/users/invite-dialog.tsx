import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import TextField from "@mui/material/TextField";
import type { CreatedInvitation } from "@oven/contract/access";
import { t } from "@oven/i18n";
import { type FormEvent, type ReactElement, useState } from "react";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { useAction } from "../../components/use-action.ts";
import { api } from "../../providers/api-client.ts";
import { InvitationLinkDialog } from "./invitation-link-dialog.tsx";
import { RoleChoice } from "./role-choice.tsx";

/** Makes an invitation and shows its link, this once. */
export function InviteDialog({ onClose }: { onClose: (made: boolean) => void }): ReactElement {
  const [email, setEmail] = useState("");
  const [roles, setRoles] = useState<string[]>(["viewer"]);
  const [made, setMade] = useState<CreatedInvitation | null>(null);
  const { busy, failure, run } = useAction(async () => {
    const reply = await api("invitations", { method: "POST", body: { email, roles } });
    // cast: 201 carries the link
    setMade(reply.json as CreatedInvitation);
  });
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void run();
  };
  if (made !== null) return <InvitationLinkDialog email={made.email} link={made.link} onClose={() => onClose(true)} />;
  return (
    <Dialog open onClose={() => onClose(false)} maxWidth="sm" fullWidth aria-labelledby="invite-title">
      <Box component="form" onSubmit={onSubmit}>
        <DialogTitle id="invite-title" sx={{ fontSize: 16 }}>
          {t("Invite somebody")}
        </DialogTitle>
        <DialogContent sx={{ display: "grid", gap: 2 }}>
          <Box sx={{ pt: 0.75 }}>
            <TextField
              fullWidth
              autoFocus
              required
              type="email"
              label={t("E-mail")}
              value={email}
              onChange={(event) => setEmail(event.target.value)}
            />
          </Box>
          <RoleChoice chosen={roles} onChange={setRoles} />
          {failure === null ? null : <ErrorPanel error={failure} title={t("The invitation was not made")} />}
        </DialogContent>
        <DialogActions sx={{ px: 3, pb: 2.5 }}>
          <Button onClick={() => onClose(false)}>{t("Close")}</Button>
          <Button type="submit" variant="contained" loading={busy} disabled={roles.length === 0}>
            {t("Make the link")}
          </Button>
        </DialogActions>
      </Box>
    </Dialog>
  );
}
