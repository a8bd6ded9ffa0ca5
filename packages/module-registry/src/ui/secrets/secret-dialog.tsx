import TextField from "@mui/material/TextField";
import type { Secret } from "@oven/contract/access";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { type ReactElement, useState } from "react";
import { toHosts } from "./to-hosts.ts";

/** Keeps a secret, or changes its value and hosts; what is kept is never shown. */
export function SecretDialog({
  secret,
  onClose,
}: {
  secret: Secret | null;
  onClose: (saved: boolean) => void;
}): ReactElement {
  const [name, setName] = useState(secret?.name ?? "");
  const [value, setValue] = useState("");
  const [hosts, setHosts] = useState((secret?.hosts ?? []).join(", "));
  return (
    <FormDialog
      title={secret === null ? t("New secret") : t("Secret “{{name}}”", { name: secret.name })}
      submitLabel={secret === null ? t("Keep the secret") : t("Save")}
      failureTitle={t("The secret was not kept")}
      usable={name !== "" && (secret !== null || value !== "")}
      onClose={() => onClose(false)}
      onSubmit={async () => {
        const bound = toHosts(hosts);
        if (secret === null) await api("secrets", { method: "POST", body: { name, value, hosts: bound } });
        else {
          const changed = value === "" ? {} : { value };
          await api(`secrets/${secret.id}`, { method: "PUT", body: { ...changed, hosts: bound } });
        }
        onClose(true);
      }}
    >
      {secret === null ? (
        <TextField
          autoFocus
          required
          label={t("Name")}
          placeholder="shop-api"
          helperText={t("Workflows and connections name it; it stays as it is")}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      ) : null}
      <TextField
        required={secret === null}
        autoFocus={secret !== null}
        type="password"
        label={secret === null ? t("Value") : t("New value")}
        helperText={
          secret === null
            ? t("Sealed when it arrives, and never shown again")
            : t("Empty: the value stays as it is. A new one counts from the next call on.")
        }
        value={value}
        onChange={(event) => setValue(event.target.value)}
        slotProps={{ htmlInput: { autoComplete: "new-password" } }}
      />
      <TextField
        label={t("Hosts")}
        placeholder="api.example.com, 10.0.0.5:8080"
        helperText={t("The only ones it is sent to. None: it only makes and checks signatures.")}
        value={hosts}
        onChange={(event) => setHosts(event.target.value)}
      />
    </FormDialog>
  );
}
