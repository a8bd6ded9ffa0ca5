import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import { t, tx } from "@oven/i18n";
import { SHORTEST_PASSWORD } from "@oven/module-roles/ui/account/shortest-password.ts";
import { api } from "@oven/ui/api/api-client.ts";
import { asApiError } from "@oven/ui/api/api-error.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { type FormEvent, type ReactElement, useState } from "react";
import { Link, useSearchParams } from "react-router-dom";
import { AccessFrame } from "./access-frame.tsx";
import { useSetupOpen } from "./use-setup-open.ts";

function SetupForm({ token }: { token: string }): ReactElement {
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const { busy, failure, run } = useAction(async () => {
    await api("setup", { method: "POST", body: { token, name, email, password } });
    // A fresh start: whatever was remembered about being signed out is gone.
    window.location.assign("/");
  });
  const fields: Record<string, string> = failure === null ? {} : asApiError(failure).body.errors;
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void run();
  };
  return (
    <Box component="form" onSubmit={onSubmit} sx={{ display: "grid", gap: 2 }}>
      <TextField
        label={t("Name")}
        name="name"
        autoComplete="name"
        autoFocus
        required
        fullWidth
        value={name}
        onChange={(event) => setName(event.target.value)}
        error={fields.name !== undefined}
        helperText={fields.name}
      />
      <TextField
        label={t("E-mail")}
        type="email"
        name="email"
        autoComplete="username"
        required
        fullWidth
        value={email}
        onChange={(event) => setEmail(event.target.value)}
        error={fields.email !== undefined}
        helperText={fields.email}
      />
      <TextField
        label={t("Password")}
        type="password"
        name="password"
        autoComplete="new-password"
        required
        fullWidth
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={fields.password !== undefined}
        helperText={fields.password ?? t("At least {{SHORTEST_PASSWORD}} characters", { SHORTEST_PASSWORD })}
        slotProps={{ htmlInput: { minLength: SHORTEST_PASSWORD } }}
      />
      {failure === null ? null : <ErrorPanel error={failure} title={t("The account was not created")} />}
      <Button type="submit" variant="contained" size="large" loading={busy} sx={{ minHeight: 42 }}>
        {t("Create admin account")}
      </Button>
    </Box>
  );
}

/** First run: the one-time link creates the admin and signs them in. */
export function SetupPage(): ReactElement {
  const [search] = useSearchParams();
  const token = search.get("token") ?? "";
  const setup = useSetupOpen();
  if (setup.open === false) {
    return (
      <AccessFrame title={t("Set-up is done")} text={t("This OVEN already has its admin.")}>
        <Button component={Link} to="/login" variant="contained" fullWidth>
          {t("Go to sign-in")}
        </Button>
      </AccessFrame>
    );
  }
  return (
    <AccessFrame title={t("Set up OVEN")} text={t("Create the first admin account.")}>
      {setup.failure === null ? null : <ErrorPanel error={setup.failure} title={t("The server could not be asked")} />}
      {token === "" ? (
        <Alert severity="warning">
          {tx(
            "This address lacks its one-time token. Open the whole link that the server printed when it started; it ends in {{ending}}. On the server's machine, this command makes a new one: {{command}}",
            { ending: <code>/setup?token=…</code>, command: <code>pnpm oven setup-link</code> },
          )}
        </Alert>
      ) : (
        <SetupForm token={token} />
      )}
    </AccessFrame>
  );
}
