import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import { t } from "@oven/i18n";
import { SHORTEST_PASSWORD } from "@oven/module-roles/ui/account/shortest-password.ts";
import { api } from "@oven/ui/api/api-client.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { type FormEvent, type ReactElement, useEffect, useState } from "react";
import { Link, useSearchParams } from "react-router-dom";
import { AccessFrame } from "./access-frame.tsx";

function AcceptForm({ token, email }: { token: string; email: string }): ReactElement {
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const { busy, failure, run } = useAction(async () => {
    await api("invitations/accept", { method: "POST", body: { token, name, password } });
    window.location.assign("/");
  });
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void run();
  };
  return (
    <Box component="form" onSubmit={onSubmit} sx={{ display: "grid", gap: 2 }}>
      <TextField label={t("E-mail")} value={email} fullWidth disabled autoComplete="username" />
      <TextField
        label={t("Name")}
        name="name"
        autoComplete="name"
        autoFocus
        required
        fullWidth
        value={name}
        onChange={(event) => setName(event.target.value)}
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
        helperText={t("At least {{SHORTEST_PASSWORD}} characters", { SHORTEST_PASSWORD })}
        slotProps={{ htmlInput: { minLength: SHORTEST_PASSWORD } }}
      />
      {failure === null ? null : <ErrorPanel error={failure} title={t("The account was not created")} />}
      <Button type="submit" variant="contained" size="large" loading={busy} sx={{ minHeight: 42 }}>
        {t("Join")}
      </Button>
    </Box>
  );
}

/** Where a one-time link leads: name and password, then signed in. */
export function InvitationPage(): ReactElement {
  const [search] = useSearchParams();
  const token = search.get("token") ?? "";
  const [email, setEmail] = useState<string | null>(null);
  const { failure, run } = useAction(async () => {
    const reply = await api("invitations/inspect", { method: "POST", body: { token } });
    // cast: the shape of POST /api/invitations/inspect
    setEmail((reply.json as { email: string }).email);
  });
  useEffect(() => {
    if (token !== "") void run();
  }, [token]);
  return (
    <AccessFrame title={t("Join OVEN")} text={t("Somebody invited you. Choose a name and a password.")}>
      {token === "" ? (
        <Alert severity="warning">
          {t("This address lacks its one-time token. Open the whole link you were given.")}
        </Alert>
      ) : failure !== null ? (
        <Box sx={{ display: "grid", gap: 2 }}>
          <ErrorPanel error={failure} title={t("This invitation does not work")} />
          <Button component={Link} to="/login" variant="outlined">
            {t("Go to sign-in")}
          </Button>
        </Box>
      ) : email === null ? null : (
        <AcceptForm token={token} email={email} />
      )}
    </AccessFrame>
  );
}
