import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Drawer from "@mui/material/Drawer";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import type { Json, JsonObject } from "@oven/contract";
import { isObject } from "@oven/contract";
import type { Trigger, TriggerType } from "@oven/contract/trigger";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { SchemaForm } from "@oven/ui/components/schema-form/schema-form.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import type { NewTriggerProps } from "@oven/ui/ui-module.ts";
import { type FormEvent, type ReactElement, useState } from "react";
import { ScheduleFields } from "./schedule-fields.tsx";
import { TriggerAddress } from "./trigger-address.tsx";
import { useTriggerTypes } from "./use-trigger-types.ts";

/** What a person does, and what has a button of its own, is not among what arrives by itself. */
const BY_HAND = "manual";

/** A new trigger of the workflow that is edited: its kind, and what that kind needs. The rest is on the trigger's page. */
export function NewTriggerSheet(props: NewTriggerProps): ReactElement {
  const { types, error } = useTriggerTypes();
  const [chosen, setChosen] = useState(props.type);
  const [saved, setSaved] = useState<Trigger | null>(null);
  const type = types.find(({ id }) => id === chosen);
  const onClose = saved === null ? props.onClose : props.onSaved;
  return (
    <Drawer
      anchor="right"
      open
      onClose={onClose}
      slotProps={{ paper: { role: "dialog", "aria-label": t("What starts it?") } }}
    >
      <Box sx={{ width: { xs: "100vw", sm: 460 }, p: 2.5, display: "grid", gap: 2, alignContent: "start" }}>
        <Typography variant="h2">{t("What starts it?")}</Typography>
        {error ? <ErrorPanel error={error} title={t("The kinds of triggers could not be loaded")} /> : null}
        {saved === null ? (
          <>
            <TextField
              select
              label={t("Kind")}
              value={type === undefined ? "" : type.id}
              helperText={type?.docs}
              onChange={(event) => setChosen(event.target.value)}
            >
              {types
                .filter(({ id }) => id !== BY_HAND)
                .map(({ id, title }) => (
                  <MenuItem key={id} value={id}>
                    {title}
                  </MenuItem>
                ))}
            </TextField>
            {type === undefined ? null : <Fields {...props} key={type.id} type={type} onStored={setSaved} />}
          </>
        ) : (
          <>
            <Typography>
              {saved.enabled
                ? t("“{{name}}” starts this workflow from now on.", { name: saved.name })
                : t("“{{name}}” is saved. It is switched on when you publish.", { name: saved.name })}
            </Typography>
            <TriggerAddress trigger={saved} />
            <Button variant="contained" autoFocus onClick={props.onSaved} sx={{ justifySelf: "start" }}>
              {t("Go on")}
            </Button>
          </>
        )}
      </Box>
    </Drawer>
  );
}

const countOf = ({ properties }: JsonObject): number => (isObject(properties) ? Object.keys(properties).length : 0);

/** The settings that must be given, and the others. */
function splitSchema(schema: JsonObject): [needed: JsonObject, more: JsonObject] {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const properties = Object.entries(isObject(schema.properties) ? schema.properties : {});
  const part = (isNeeded: boolean): JsonObject => ({
    ...schema,
    properties: Object.fromEntries(
      properties.filter(([name, of]) => isNeeded === (required.includes(name) && !(isObject(of) && "default" in of))),
    ),
  });
  return [part(true), part(false)];
}

interface FieldsProps extends Omit<NewTriggerProps, "type"> {
  type: TriggerType;
  onStored: (trigger: Trigger) => void;
}

function Fields({ kind, type, enabled, workflowId, onStored, onClose }: FieldsProps): ReactElement {
  const [name, setName] = useState(type.title);
  const [config, setConfig] = useState<{ value: JsonObject; valid: boolean }>({
    value: {},
    valid: type.id !== "schedule",
  });
  const [needed, more] = splitSchema(type.configSchema);
  const form = {
    value: config.value,
    onChange: (value: Json, ok: boolean) =>
      setConfig({ value: isObject(value) ? value : config.value, valid: ok && isObject(value) }),
  };
  const { busy, failure, run } = useAction(async () => {
    const target = { kind, workflowId: await workflowId() };
    const body = { type: type.id, name, enabled, target, config: config.value };
    const { json } = await api("triggers", { method: "POST", body });
    onStored(json as Trigger); // cast: 201 carries the row
  });
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void run();
  };
  return (
    <Box component="form" onSubmit={onSubmit} sx={{ display: "grid", gap: 2 }}>
      <TextField label={t("Name")} required value={name} onChange={(event) => setName(event.target.value)} />
      {type.id === "schedule" ? (
        <ScheduleFields config={config.value} onChange={(value, valid) => setConfig({ value, valid })} />
      ) : (
        <>
          {countOf(needed) === 0 ? null : <SchemaForm label={t("Settings")} schema={needed} {...form} />}
          {countOf(more) === 0 ? null : (
            <Box component="details">
              <Box component="summary" sx={{ cursor: "pointer", fontSize: 13, fontWeight: 600 }}>
                {t("More settings")}
              </Box>
              <Box sx={{ mt: 1.5 }}>
                <SchemaForm label={t("More settings")} schema={more} {...form} />
              </Box>
            </Box>
          )}
        </>
      )}
      {failure === null ? null : <ErrorPanel error={failure} title={t("The trigger was not saved")} />}
      <Box sx={{ display: "flex", gap: 1 }}>
        <Button type="submit" variant="contained" loading={busy} disabled={!config.valid}>
          {t("Save")}
        </Button>
        <Button onClick={onClose}>{t("Cancel")}</Button>
      </Box>
    </Box>
  );
}
