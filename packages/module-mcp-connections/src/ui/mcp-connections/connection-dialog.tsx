import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import FormControlLabel from "@mui/material/FormControlLabel";
import Switch from "@mui/material/Switch";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import type { ProposedMcpServer } from "@oven/contract/api";
import type { McpConnection, McpConnectionTest } from "@oven/contract/mcp";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ChoiceField } from "@oven/ui/components/choice-field.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { SecretField } from "@oven/ui/components/secret-field.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { type ReactElement, useState } from "react";
import { type ConnectionDraft, NEW_CONNECTION, toBody, toDraft, toTest } from "./connection-draft.ts";
import { TestResult } from "./test-result.tsx";

const WAYS: readonly { value: ConnectionDraft["auth"]; label: string }[] = [
  { value: "none", label: t("Nothing") },
  { value: "bearer", label: t("A token, kept as a secret") },
  { value: "oauth", label: t("OAuth: somebody signs in") },
  { value: "client-credentials", label: t("OAuth: client id and secret") },
];

/** Connects a server, or changes how it is reached. */
export function ConnectionDialog({
  connection,
  proposed = null,
  onClose,
}: {
  connection: McpConnection | null;
  /** A server that another page proposes to connect. */
  proposed?: ProposedMcpServer | null;
  onClose: (saved: McpConnection | null) => void;
}): ReactElement {
  const [draft, setDraft] = useState<ConnectionDraft>(
    connection === null ? { ...NEW_CONNECTION, ...proposed } : toDraft(connection),
  );
  const [tested, setTested] = useState<McpConnectionTest | null>(null);
  const change = (more: Partial<ConnectionDraft>): void => {
    setDraft((current) => ({ ...current, ...more }));
    setTested(null);
  };
  const save = async (): Promise<void> => {
    const { json } = await (connection === null
      ? api("mcp-connections", { method: "POST", body: toBody(draft) })
      : api(`mcp-connections/${connection.id}`, { method: "PUT", body: toBody(draft) }));
    onClose(json as McpConnection); // cast: the shape of the route
  };
  const test = useAction(async () => {
    const { json } = await api("mcp-connections/test", { method: "POST", body: toTest(draft) });
    setTested(json as McpConnectionTest); // cast: the shape of the route
  });
  return (
    <FormDialog
      title={connection === null ? t("Connect an MCP server") : t("Connection “{{name}}”", { name: connection.name })}
      submitLabel={connection === null ? t("Connect") : t("Save")}
      failureTitle={t("The connection was not saved")}
      extra={
        <Button loading={test.busy} disabled={draft.url.trim() === ""} onClick={() => void test.run()}>
          {t("Test connection")}
        </Button>
      }
      usable
      onSubmit={save}
      onClose={() => onClose(null)}
    >
      <TextField
        fullWidth
        autoFocus
        required
        label={t("Address")}
        placeholder="https://mcp.example.com/mcp"
        value={draft.url}
        onChange={(event) => change({ url: event.target.value })}
      />
      <TextField
        required
        label={t("Name")}
        helperText={t("Its tools are called mcp.{{name}}.…: lower-case letters, digits and dashes", {
          name: draft.name === "" ? t("name") : draft.name,
        })}
        value={draft.name}
        onChange={(event) => change({ name: event.target.value })}
      />
      <TextField label={t("Title")} value={draft.title} onChange={(event) => change({ title: event.target.value })} />
      <AuthFields draft={draft} onChange={change} />
      <LimitFields draft={draft} onChange={change} />
      <FormControlLabel
        control={<Switch checked={draft.enabled} onChange={(event) => change({ enabled: event.target.checked })} />}
        label={t("In use")}
      />
      {tested === null ? null : <TestResult tested={tested} />}
      {test.failure === null ? null : <ErrorPanel error={test.failure} title={t("It could not be tested")} />}
    </FormDialog>
  );
}

interface FieldProps {
  draft: ConnectionDraft;
  onChange: (more: Partial<ConnectionDraft>) => void;
}

function AuthFields({ draft, onChange }: FieldProps): ReactElement {
  const { auth } = draft;
  const isOauth = auth === "oauth" || auth === "client-credentials";
  return (
    <>
      <ChoiceField
        label={t("What it asks for")}
        value={auth}
        choices={WAYS}
        onChange={(value) => onChange({ auth: value })}
      />
      {auth === "bearer" ? (
        <SecretField
          required
          label={t("Name of the secret")}
          helperText={t("Its hosts must name the server's.")}
          value={draft.secret}
          onChange={(secret) => onChange({ secret })}
        />
      ) : null}
      {isOauth ? (
        <>
          <TextField
            required={auth === "client-credentials"}
            label={t("Client id")}
            helperText={auth === "oauth" ? t("Empty: OVEN registers itself") : undefined}
            value={draft.clientId}
            onChange={(event) => onChange({ clientId: event.target.value })}
          />
          <SecretField
            required={auth === "client-credentials"}
            label={t("Name of the secret with the client's secret")}
            helperText={t("Its hosts must name those of the authorization server.")}
            value={draft.clientSecret}
            onChange={(clientSecret) => onChange({ clientSecret })}
          />
          <TextField
            label={t("Scope")}
            helperText={t("Empty: what the server asks for")}
            value={draft.scope}
            onChange={(event) => onChange({ scope: event.target.value })}
          />
        </>
      ) : null}
    </>
  );
}

function LimitFields({ draft, onChange }: FieldProps): ReactElement {
  return (
    <>
      <NumberFields
        draft={draft}
        onChange={onChange}
        fields={[
          { key: "timeoutSeconds", label: t("Longest silence, in s") },
          { key: "totalSeconds", label: t("Longest call, in s") },
          { key: "maxKilobytes", label: t("Most kilobytes") },
          { key: "callsPerMinute", label: t("Calls a minute") },
          { key: "callsPerDay", label: t("Calls a day") },
        ]}
      />
      <Typography variant="body2" color="text.secondary">
        {t(
          "Each run, and each conversation, has a session of its own with the server. It ends with the run, or when it is idle.",
        )}
      </Typography>
      <NumberFields
        draft={draft}
        onChange={onChange}
        fields={[
          { key: "maxSessions", label: t("Sessions at once") },
          { key: "sessionWaitSeconds", label: t("Wait for a session, in s") },
          { key: "sessionIdleSeconds", label: t("Idle session ends after, in s") },
        ]}
      />
    </>
  );
}

type NumberField =
  | "timeoutSeconds"
  | "totalSeconds"
  | "maxKilobytes"
  | "callsPerMinute"
  | "callsPerDay"
  | "maxSessions"
  | "sessionWaitSeconds"
  | "sessionIdleSeconds";

function NumberFields({
  draft,
  onChange,
  fields,
}: FieldProps & { fields: readonly { key: NumberField; label: string }[] }): ReactElement {
  return (
    <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: "repeat(auto-fit, minmax(156px, 1fr))" }}>
      {fields.map(({ key, label }) => (
        <TextField
          key={key}
          type="number"
          label={label}
          required={key !== "callsPerDay"}
          value={draft[key]}
          slotProps={{ inputLabel: { shrink: true } }}
          placeholder={key === "callsPerDay" ? t("no limit") : undefined}
          onChange={(event) => onChange({ [key]: event.target.value })}
        />
      ))}
    </Box>
  );
}
