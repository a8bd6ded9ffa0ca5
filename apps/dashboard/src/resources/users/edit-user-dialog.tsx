import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import TextField from "@mui/material/TextField";
import type { User } from "@oven/contract/access";
import { t } from "@oven/i18n";
import { type FormEvent, type ReactElement, useState } from "react";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { useAction } from "../../components/use-action.ts";
import { api } from "../../providers/api-client.ts";
import { RoleChoice } from "./role-choice.tsx";

/** Name and roles of a user. */
export function EditUserDialog({ user, onClose }: { user: User; onClose: (saved: boolean) => void }): ReactElement {
  const [name, setName] = useState(user.name);
  const [roles, setRoles] = useState(user.roles);
  const { busy, failure, run } = useAction(async () => {
    await api(`users/${user.id}`, { method: "PUT", body: { name, roles } });
    onClose(true);
  });
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void run();
  };
  return (
    <Dialog open onClose={() => onClose(false)} maxWidth="sm" fullWidth aria-labelledby="user-title">
      <Box component="form" onSubmit={onSubmit}>
        <DialogTitle id="user-title" sx={{ fontSize: 16 }}>
          {user.email}
        </DialogTitle>
        <DialogContent sx={{ display: "grid", gap: 2 }}>
          <Box sx={{ pt: 0.75 }}>
            <TextField
              fullWidth
              required
              label={t("Name")}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          </Box>
          <RoleChoice chosen={roles} onChange={setRoles} />
          {failure === null ? null : <ErrorPanel error={failure} title={t("The user was not saved")} />}
        </DialogContent>
        <DialogActions sx={{ px: 3, pb: 2.5 }}>
          <Button onClick={() => onClose(false)}>{t("Close")}</Button>
          <Button type="submit" variant="contained" loading={busy}>
            {t("Save")}
          </Button>
        </DialogActions>
      </Box>
    </Dialog>
  );
}
