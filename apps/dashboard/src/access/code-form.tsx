import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import { t } from "@oven/i18n";
import { ApiError } from "@oven/ui/api/api-error.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { type FormEvent, type ReactElement, useState } from "react";
import { useLogin } from "react-admin";

/** The second half of signing in with a password. */
export function CodeForm({ onBack }: { onBack: () => void }): ReactElement {
  const login = useLogin();
  const [code, setCode] = useState("");
  const { busy, failure, run } = useAction(() => login({ code }));
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void run();
  };
  return (
    <Box component="form" onSubmit={onSubmit} sx={{ display: "grid", gap: 2 }}>
      <TextField
        label={t("Code")}
        name="code"
        autoComplete="one-time-code"
        autoFocus
        required
        fullWidth
        value={code}
        onChange={(event) => setCode(event.target.value)}
        helperText={t("Without your phone, take one of your recovery codes.")}
      />
      {failure === null ? null : failure instanceof ApiError && failure.status === 401 ? (
        <Alert severity="error" role="alert">
          {t(
            "This code is not right, was used already, or your time for it is over. Wait for the next one, or begin again.",
          )}
        </Alert>
      ) : (
        <ErrorPanel error={failure} title={t("Signing in did not work")} />
      )}
      <Button type="submit" variant="contained" size="large" loading={busy} sx={{ minHeight: 42 }}>
        {t("Sign in")}
      </Button>
      <Button onClick={onBack} sx={{ minHeight: 42 }}>
        {t("Begin again")}
      </Button>
    </Box>
  );
}
