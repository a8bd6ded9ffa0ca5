import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { type FormEvent, type ReactElement, useState } from "react";
import { SHORTEST_PASSWORD } from "./shortest-password.ts";

export function PasswordForm(): ReactElement {
  const [currentPassword, setCurrent] = useState("");
  const [newPassword, setNew] = useState("");
  const [done, setDone] = useState(false);
  const { busy, failure, run } = useAction(async () => {
    setDone(false);
    await api("account/password", { method: "POST", body: { currentPassword, newPassword } });
    setCurrent("");
    setNew("");
    setDone(true);
  });
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void run();
  };
  return (
    <Panel title={t("Password")}>
      <Box component="form" onSubmit={onSubmit} sx={{ display: "grid", gap: 2 }}>
        <TextField
          label={t("Current password")}
          type="password"
          autoComplete="current-password"
          required
          value={currentPassword}
          onChange={(event) => setCurrent(event.target.value)}
        />
        <TextField
          label={t("New password")}
          type="password"
          autoComplete="new-password"
          required
          value={newPassword}
          onChange={(event) => setNew(event.target.value)}
          helperText={t("At least {{SHORTEST_PASSWORD}} characters. All other sessions end.", { SHORTEST_PASSWORD })}
          slotProps={{ htmlInput: { minLength: SHORTEST_PASSWORD } }}
        />
        {failure === null ? null : <ErrorPanel error={failure} title={t("The password was not changed")} />}
        {done ? <Alert severity="success">{t("The password was changed, and all other sessions ended.")}</Alert> : null}
        <Box>
          <Button type="submit" variant="contained" loading={busy}>
            {t("Change the password")}
          </Button>
        </Box>
      </Box>
    </Panel>
  );
}
