import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import type { ApiConnection, ApiInspection, CataloguedApi } from "@oven/contract/api";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ChoiceField } from "@oven/ui/components/choice-field.tsx";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { type ReactElement, useState } from "react";
import { fromService, proposedOperations } from "../catalogue/service-draft.ts";
import { ServiceSteps } from "../catalogue/service-steps.tsx";
import { AuthFields, type FieldProps } from "./auth-fields.tsx";
import {
  type ConnectionDraft,
  fromInspection,
  fromSignIn,
  NEW_CONNECTION,
  toSettings,
  toSource,
} from "./connection-draft.ts";
import { LimitFields } from "./limit-fields.tsx";
import { SourceFields } from "./source-fields.tsx";

export interface ConnectDialogProps {
  /** Of the catalogue; null: an API of the person's own. */
  service: CataloguedApi | null;
  /** `proposed`: names of operations to be looked at first. */
  onClose: (saved: ApiConnection | null, proposed: string[]) => void;
}

/** Connects an API in two steps: its document is read, then the settings that it proposes are looked at. */
export function ConnectDialog({ service, onClose }: ConnectDialogProps): ReactElement {
  const [draft, setDraft] = useState<ConnectionDraft>({
    ...NEW_CONNECTION,
    ...(service === null ? {} : { source: service.source.type, url: service.source.url }),
  });
  const [read, setRead] = useState<ApiInspection | null>(null);
  const change = (more: Partial<ConnectionDraft>): void => setDraft((current) => ({ ...current, ...more }));
  const source = toSource(draft);
  const readDocument = async (): Promise<void> => {
    const { json } = await api("api-connections/inspect", { method: "POST", body: { source } });
    const inspection = json as ApiInspection; // cast: the shape of the route
    setRead(inspection);
    if (!inspection.ok) return;
    change({ ...fromInspection(inspection), ...(service === null ? {} : fromService(service)) });
  };
  const save = async (): Promise<void> => {
    const { json } = await api("api-connections", { method: "POST", body: { ...toSettings(draft), source } });
    const proposed = service === null ? [] : proposedOperations(service, read?.operations ?? []);
    onClose(json as ApiConnection, proposed); // cast: the shape of the route
  };
  const isRead = read?.ok === true;
  return (
    <FormDialog
      title={service === null ? t("Connect an API") : t("Connect {{service}}", { service: service.name })}
      submitLabel={isRead ? t("Connect") : t("Read the document")}
      failureTitle={isRead ? t("The API was not connected") : t("The document could not be read")}
      usable={draft.source === "text" ? draft.text.trim() !== "" : draft.url.trim() !== ""}
      onSubmit={isRead ? save : readDocument}
      onClose={() => onClose(null, [])}
    >
      {service === null ? null : <ServiceSteps service={service} />}
      <SourceFields
        draft={draft}
        onChange={(more) => {
          change(more);
          setRead(null);
        }}
      />
      {read === null || read.ok ? null : (
        <Alert severity="error">
          {read.error} {read.fix}
        </Alert>
      )}
      {isRead ? (
        <>
          <Found inspection={read} />
          <NameFields draft={draft} onChange={change} />
          <ServerField inspection={read} draft={draft} onChange={change} />
          {service === null ? <ProposedWays inspection={read} draft={draft} onChange={change} /> : null}
          <AuthFields draft={draft} onChange={change} />
          <LimitFields draft={draft} onChange={change} />
        </>
      ) : null}
    </FormDialog>
  );
}

function Found({ inspection }: { inspection: ApiInspection }): ReactElement {
  const { title, version, operations, notes } = inspection;
  const usable = operations.filter(({ problem }) => problem === null).length;
  return (
    <Alert severity="success">
      <Box sx={{ fontWeight: 600, overflowWrap: "anywhere" }}>
        {title} {version}
      </Box>
      {usable === operations.length
        ? t("{{count}} operations, all of them usable. None may be called before you approve it.", {
            count: operations.length,
          })
        : t("{{count}} operations, {{usable}} of them usable. None may be called before you approve it.", {
            count: operations.length,
            usable,
          })}
      {notes.slice(0, MOST_NOTES).map((note) => (
        <Typography key={note} variant="body2" sx={{ mt: 0.5, overflowWrap: "anywhere" }}>
          {note}
        </Typography>
      ))}
    </Alert>
  );
}

const MOST_NOTES = 5;

/** What the connection is called here. */
export function NameFields({ draft, onChange }: FieldProps): ReactElement {
  return (
    <>
      <TextField
        required
        label={t("Name")}
        helperText={t("Its operations are called api.{{name}}.…: lower-case letters, digits and dashes", {
          name: draft.name === "" ? t("name") : draft.name,
        })}
        value={draft.name}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <TextField label={t("Title")} value={draft.title} onChange={(event) => onChange({ title: event.target.value })} />
    </>
  );
}

function ServerField({ inspection, draft, onChange }: FieldProps & { inspection: ApiInspection }): ReactElement {
  const { servers } = inspection;
  return (
    <>
      {servers.length < 2 ? null : (
        <ChoiceField
          label={t("Servers of the document")}
          value={servers.some(({ url }) => url === draft.serverUrl) ? draft.serverUrl : ""}
          choices={servers.map(({ url, description }) => ({
            value: url,
            label: description === "" ? url : `${url} (${description})`,
          }))}
          onChange={(serverUrl) => onChange({ serverUrl })}
        />
      )}
      <TextField
        required
        label={t("Server")}
        value={draft.serverUrl}
        onChange={(event) => onChange({ serverUrl: event.target.value })}
      />
    </>
  );
}

/** The ways of signing in that the document names: one is chosen, and may be changed below. */
function ProposedWays({ inspection, onChange }: FieldProps & { inspection: ApiInspection }): ReactElement | null {
  const ways = inspection.signIns.filter(({ how }) => how.type !== "other");
  const [chosen, setChosen] = useState(ways[0]?.name ?? "");
  if (ways.length < 2) return null;
  return (
    <ChoiceField
      label={t("Ways that the document names")}
      value={chosen}
      choices={ways.map(({ name, description }) => ({
        value: name,
        label: description === "" ? name : `${name}: ${description.slice(0, 80)}`,
      }))}
      onChange={(value) => {
        setChosen(value);
        const way = ways.find(({ name }) => name === value);
        if (way !== undefined) onChange(fromSignIn(way));
      }}
    />
  );
}
