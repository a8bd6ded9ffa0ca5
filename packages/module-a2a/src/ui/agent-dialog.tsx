import FormControlLabel from "@mui/material/FormControlLabel";
import Switch from "@mui/material/Switch";
import TextField from "@mui/material/TextField";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ChoiceField } from "@oven/ui/components/choice-field.tsx";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { SecretField } from "@oven/ui/components/secret-field.tsx";
import { type ReactElement, useState } from "react";
import type { A2aAuth, A2aConnection } from "../shapes.ts";

const WAYS: readonly { value: A2aAuth["type"]; label: string }[] = [
  { value: "none", label: t("Nothing") },
  { value: "bearer", label: t("A token, kept as a secret") },
  { value: "header", label: t("A header, kept as a secret") },
];
const MS_OF_HOUR = 3_600_000;

/** Connects an agent, or changes how it is reached. */
export function AgentDialog({
  connection,
  onClose,
}: {
  connection: A2aConnection | null;
  onClose: (saved: A2aConnection | null) => void;
}): ReactElement {
  const before = connection?.auth;
  const [name, setName] = useState(connection?.name ?? "");
  const [title, setTitle] = useState(connection?.title ?? "");
  const [url, setUrl] = useState(connection?.url ?? "");
  const [way, setWay] = useState<A2aAuth["type"]>(before?.type ?? "none");
  const [secret, setSecret] = useState(before !== undefined && before.type !== "none" ? before.secret : "");
  const [header, setHeader] = useState(before?.type === "header" ? before.header : "x-api-key");
  const [hours, setHours] = useState(String((connection?.maxTotalMs ?? 24 * MS_OF_HOUR) / MS_OF_HOUR));
  const [perMinute, setPerMinute] = useState(String(connection?.callsPerMinute ?? 120));
  const [perDay, setPerDay] = useState(String(connection?.callsPerDay ?? ""));
  const [enabled, setEnabled] = useState(connection?.enabled ?? true);
  const save = async (): Promise<void> => {
    const auth = way === "none" ? { type: way } : { type: way, secret, ...(way === "header" ? { header } : {}) };
    const body = {
      ...{ name: name.trim(), title: title.trim() === "" ? null : title.trim(), url: url.trim(), auth, enabled },
      maxTotalMs: Math.round(Number(hours) * MS_OF_HOUR),
      ...{ callsPerMinute: Number(perMinute), callsPerDay: perDay.trim() === "" ? null : Number(perDay) },
    };
    const { json } = await (connection === null
      ? api("a2a-connections", { method: "POST", body })
      : api(`a2a-connections/${connection.id}`, { method: "PUT", body }));
    onClose(json as A2aConnection); // cast: the shape of the route
  };
  return (
    <FormDialog
      title={connection === null ? t("Connect an agent") : t("Connection “{{name}}”", { name: connection.name })}
      submitLabel={connection === null ? t("Connect") : t("Save")}
      failureTitle={t("The connection was not saved")}
      usable
      onSubmit={save}
      onClose={() => onClose(null)}
    >
      <TextField
        fullWidth
        autoFocus
        required
        label={t("Address")}
        placeholder="https://agent.example.com"
        helperText={t("Of the agent, or of its card if it ends in .json")}
        value={url}
        onChange={(event) => setUrl(event.target.value)}
      />
      <TextField
        required
        label={t("Name")}
        helperText={t("Its tool is called a2a.{{name}}.ask: lower-case letters, digits and dashes", {
          name: name === "" ? t("name") : name,
        })}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <TextField label={t("Title")} value={title} onChange={(event) => setTitle(event.target.value)} />
      <ChoiceField label={t("The agent asks for")} value={way} choices={WAYS} onChange={setWay} />
      {way === "header" ? (
        <TextField required label={t("Header")} value={header} onChange={(event) => setHeader(event.target.value)} />
      ) : null}
      {way === "none" ? null : (
        <SecretField
          required
          label={t("Name of the secret")}
          helperText={t("Its hosts must name the agent's.")}
          value={secret}
          onChange={setSecret}
        />
      )}
      <TextField
        required
        type="number"
        label={t("Longest task, in hours")}
        value={hours}
        onChange={(event) => setHours(event.target.value)}
      />
      <TextField
        required
        type="number"
        label={t("Calls a minute")}
        value={perMinute}
        onChange={(event) => setPerMinute(event.target.value)}
      />
      <TextField
        type="number"
        label={t("Calls a day")}
        placeholder={t("no limit")}
        slotProps={{ inputLabel: { shrink: true } }}
        value={perDay}
        onChange={(event) => setPerDay(event.target.value)}
      />
      <FormControlLabel
        control={<Switch checked={enabled} onChange={(event) => setEnabled(event.target.checked)} />}
        label={t("In use")}
      />
    </FormDialog>
  );
}
