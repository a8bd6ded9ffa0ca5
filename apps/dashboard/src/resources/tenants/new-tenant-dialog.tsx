import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import TextField from "@mui/material/TextField";
import type { CreatedTenant } from "@oven/contract/access";
import { t } from "@oven/i18n";
import { type FormEvent, type ReactElement, useState } from "react";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { useAction } from "../../components/use-action.ts";
import { api } from "../../providers/api-client.ts";
import { InvitationLinkDialog } from "../users/invitation-link-dialog.tsx";

/** Makes a tenant and shows the link for its first owner, this once. */
export function NewTenantDialog({ onClose }: { onClose: (made: boolean) => void }): ReactElement {
  const [name, setName] = useState("");
  const [ownerEmail, setOwnerEmail] = useState("");
  const [made, setMade] = useState<CreatedTenant | null>(null);
  const { busy, failure, run } = useAction(async () => {
    const reply = await api("tenants", { method: "POST", body: { name, ownerEmail } });
    // cast: 201 carries the link
    setMade(reply.json as CreatedTenant);
  });
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void run();
  };
  if (made !== null) return <InvitationLinkDialog email={ownerEmail} link={made.link} onClose={() => onClose(true)} />;
  return (
    <Dialog open onClose={() => onClose(false)} maxWidth="sm" fullWidth aria-labelledby="tenant-title">
      <Box component="form" onSubmit={onSubmit}>
        <DialogTitle id="tenant-title" sx={{ fontSize: 16 }}>
          {t("New tenant")}
        </DialogTitle>
        <DialogContent sx={{ display: "grid", gap: 2 }}>
          <Box sx={{ pt: 0.75 }}>
            <TextField
              fullWidth
              autoFocus
              required
              label={t("Name")}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          </Box>
          <TextField
            fullWidth
            required
            type="email"
            label={t("E-mail of its first owner")}
            value={ownerEmail}
            onChange={(event) => setOwnerEmail(event.target.value)}
          />
          {failure === null ? null : <ErrorPanel error={failure} title={t("The tenant was not made")} />}
        </DialogContent>
        <DialogActions sx={{ px: 3, pb: 2.5 }}>
          <Button onClick={() => onClose(false)}>{t("Close")}</Button>
          <Button type="submit" variant="contained" loading={busy}>
            {t("Make the tenant")}
          </Button>
        </DialogActions>
      </Box>
    </Dialog>
  );
}
