import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import { t, tx } from "@oven/i18n";
import { ApiError } from "@oven/ui/api/api-error.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { type FormEvent, type ReactElement, useState } from "react";
import { useLogin } from "react-admin";
import { CodeNeededError } from "../providers/auth-provider.ts";
import { AccessFrame } from "./access-frame.tsx";
import { CodeForm } from "./code-form.tsx";
import { OtherWays } from "./other-ways.tsx";
import { useSetupOpen } from "./use-setup-open.ts";

/** A wrong password is an everyday thing; anything else shows the whole error. */
function isRefused(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

export function LoginPage(): ReactElement {
  const [isCodeNeeded, setCodeNeeded] = useState(false);
  return (
    <AccessFrame
      title={isCodeNeeded ? t("One more step") : t("Sign in")}
      text={
        isCodeNeeded
          ? t("Type the code that your authenticator app shows now.")
          : t("Workflows, executions and reviews of your team.")
      }
    >
      {isCodeNeeded ? (
        <CodeForm onBack={() => setCodeNeeded(false)} />
      ) : (
        <PasswordForm onCodeNeeded={() => setCodeNeeded(true)} />
      )}
    </AccessFrame>
  );
}

function PasswordForm({ onCodeNeeded }: { onCodeNeeded: () => void }): ReactElement {
  const login = useLogin();
  const setup = useSetupOpen();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const { busy, failure, run } = useAction(async () => {
    try {
      await login({ email, password });
    } catch (error) {
      if (!(error instanceof CodeNeededError)) throw error;
      onCodeNeeded();
    }
  });
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void run();
  };
  return (
    <>
      {setup.open === true ? (
        <Alert severity="info" sx={{ mb: 2.5 }}>
          {tx(
            "There is no admin yet. Open the set-up link that the server printed when it started; it ends in {{ending}}.",
            {
              ending: <code>/setup?token=…</code>,
            },
          )}
        </Alert>
      ) : null}
      <Box component="form" onSubmit={onSubmit} sx={{ display: "grid", gap: 2 }}>
        <TextField
          label={t("E-mail")}
          type="email"
          name="email"
          autoComplete="username"
          autoFocus
          required
          fullWidth
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <TextField
          label={t("Password")}
          type="password"
          name="password"
          autoComplete="current-password"
          required
          fullWidth
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        {failure === null ? null : isRefused(failure) ? (
          <Alert severity="error" role="alert">
            {t("E-mail and password do not belong together. Check both and try again.")}
          </Alert>
        ) : (
          <ErrorPanel error={failure} title={t("Signing in did not work")} />
        )}
        <Button type="submit" variant="contained" size="large" loading={busy} sx={{ minHeight: 42 }}>
          {t("Sign in")}
        </Button>
        <OtherWays />
      </Box>
    </>
  );
}
