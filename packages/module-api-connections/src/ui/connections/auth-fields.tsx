import Box from "@mui/material/Box";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { t } from "@oven/i18n";
import { ChoiceField } from "@oven/ui/components/choice-field.tsx";
import { SecretField } from "@oven/ui/components/secret-field.tsx";
import type { ReactElement } from "react";
import type { ConnectionDraft } from "./connection-draft.ts";

export interface FieldProps {
  draft: ConnectionDraft;
  onChange: (more: Partial<ConnectionDraft>) => void;
}

const WAYS: readonly { value: ConnectionDraft["auth"]; label: string }[] = [
  { value: "none", label: t("Nothing") },
  { value: "api-key", label: t("A key in a header or the address") },
  { value: "bearer", label: t("A bearer token") },
  { value: "basic", label: t("User name and password") },
  { value: "oauth", label: t("OAuth: a person signs in") },
  { value: "client-credentials", label: t("OAuth: client id and secret") },
];
const ACCOUNTS: readonly { value: ConnectionDraft["accounts"]; label: string }[] = [
  { value: "shared", label: t("One account for all runs") },
  { value: "own", label: t("The account of the person who starts the run") },
];
const KEY_PLACES: readonly { value: ConnectionDraft["keyIn"]; label: string }[] = [
  { value: "header", label: t("Header") },
  { value: "query", label: t("Address") },
];
const CLIENT_PLACES: readonly { value: ConnectionDraft["clientIn"]; label: string }[] = [
  { value: "header", label: t("In a header") },
  { value: "body", label: t("In the body") },
];

/** How the API learns who calls it. */
export function AuthFields({ draft, onChange }: FieldProps): ReactElement {
  const { auth, accounts } = draft;
  return (
    <>
      <ChoiceField
        label={t("How it is signed in")}
        value={auth}
        choices={WAYS}
        onChange={(value) =>
          onChange({ auth: value, ...(value === "client-credentials" ? { accounts: "shared" } : {}) })
        }
      />
      {auth === "none" || auth === "client-credentials" ? null : (
        <ChoiceField
          label={t("Whose account")}
          value={accounts}
          choices={ACCOUNTS}
          helperText={
            accounts === "own"
              ? t("A run waits until the person has connected theirs, and never uses that of another person.")
              : undefined
          }
          onChange={(value) => onChange({ accounts: value })}
        />
      )}
      {auth === "api-key" ? <KeyFields draft={draft} onChange={onChange} /> : null}
      {auth === "basic" && accounts === "shared" ? (
        <TextField label={t("User")} value={draft.user} onChange={(event) => onChange({ user: event.target.value })} />
      ) : null}
      {accounts === "shared" && (auth === "api-key" || auth === "bearer" || auth === "basic") ? (
        <SecretField
          required
          label={t("Secret")}
          helperText={t("Its hosts must name that of the API.")}
          value={draft.secret}
          onChange={(secret) => onChange({ secret })}
        />
      ) : null}
      {auth === "oauth" || auth === "client-credentials" ? <OAuthFields draft={draft} onChange={onChange} /> : null}
    </>
  );
}

function KeyFields({ draft, onChange }: FieldProps): ReactElement {
  return (
    <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: "repeat(auto-fit, minmax(156px, 1fr))" }}>
      <ChoiceField
        label={t("Where the key stands")}
        value={draft.keyIn}
        choices={KEY_PLACES}
        onChange={(keyIn) => onChange({ keyIn })}
      />
      <TextField
        required
        label={t("What it is called there")}
        value={draft.keyName}
        onChange={(event) => onChange({ keyName: event.target.value })}
      />
      <TextField
        label={t("What stands before it")}
        value={draft.keyPrefix}
        onChange={(event) => onChange({ keyPrefix: event.target.value })}
      />
    </Box>
  );
}

function OAuthFields({ draft, onChange }: FieldProps): ReactElement {
  const { auth } = draft;
  return (
    <>
      {auth === "oauth" ? (
        <>
          <Typography variant="body2" color="text.secondary">
            {t(
              "Register OVEN as a client at the service. The address to send people back to is on the connection's page once it is saved.",
            )}
          </Typography>
          <TextField
            required
            label={t("Sign-in page")}
            value={draft.authorizationUrl}
            onChange={(event) => onChange({ authorizationUrl: event.target.value })}
          />
        </>
      ) : null}
      <TextField
        required
        label={t("Token address")}
        value={draft.tokenUrl}
        onChange={(event) => onChange({ tokenUrl: event.target.value })}
      />
      <TextField
        required
        label={t("Client id")}
        value={draft.clientId}
        onChange={(event) => onChange({ clientId: event.target.value })}
      />
      <SecretField
        required={auth === "client-credentials"}
        label={t("Secret of the client")}
        helperText={t("Its hosts must name that of the token address.")}
        value={draft.clientSecret}
        onChange={(clientSecret) => onChange({ clientSecret })}
      />
      <ChoiceField
        label={t("Where the client's secret is sent")}
        value={draft.clientIn}
        choices={CLIENT_PLACES}
        onChange={(clientIn) => onChange({ clientIn })}
      />
      <TextField
        label={t("Scope")}
        helperText={t("Words separated by spaces. Ask for no more than the approved operations need.")}
        value={draft.scope}
        onChange={(event) => onChange({ scope: event.target.value })}
      />
    </>
  );
}
