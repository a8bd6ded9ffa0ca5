import TextField from "@mui/material/TextField";
import type { User } from "@oven/contract/access";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { type ReactElement, useState } from "react";
import { RoleChoice } from "./role-choice.tsx";

/** Name and roles of a user. */
export function EditUserDialog({ user, onClose }: { user: User; onClose: (saved: boolean) => void }): ReactElement {
  const [name, setName] = useState(user.name);
  const [roles, setRoles] = useState(user.roles);
  return (
    <FormDialog
      title={user.email}
      submitLabel={t("Save")}
      failureTitle={t("The user was not saved")}
      usable
      onClose={() => onClose(false)}
      onSubmit={async () => {
        await api(`users/${user.id}`, { method: "PUT", body: { name, roles } });
        onClose(true);
      }}
    >
      <TextField fullWidth required label={t("Name")} value={name} onChange={(event) => setName(event.target.value)} />
      <RoleChoice chosen={roles} onChange={setRoles} />
    </FormDialog>
  );
}
