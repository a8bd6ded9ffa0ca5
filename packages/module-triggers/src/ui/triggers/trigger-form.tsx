import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Checkbox from "@mui/material/Checkbox";
import FormControlLabel from "@mui/material/FormControlLabel";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import type { Json, JsonObject } from "@oven/contract";
import { isObject } from "@oven/contract";
import type { Trigger } from "@oven/contract/trigger";
import { t } from "@oven/i18n";
import { asApiError } from "@oven/ui/api/api-error.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { SchemaForm } from "@oven/ui/components/schema-form/schema-form.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useTargets } from "@oven/ui/components/use-target-names.ts";
import { type FormEvent, type ReactElement, type ReactNode, useState } from "react";
import { InputPanel } from "./input-panel.tsx";
import { ScheduleFields } from "./schedule-fields.tsx";
import { ShapingFields } from "./shaping-fields.tsx";
import { toFieldProblems } from "./trigger-input.ts";
import { useTriggerTypes } from "./use-trigger-types.ts";

export type TriggerDraft = Pick<
  Trigger,
  "name" | "type" | "config" | "filter" | "input" | "shaping" | "overlap" | "overlapCountsPaused"
> & {
  target: Trigger["target"] | null;
  /** Why each firing of the saved one is refused. */
  problem: Trigger["problem"];
};

const OVERLAPS: { value: Trigger["overlap"]; label: string }[] = [
  { value: "allow", label: t("Start all the same") },
  { value: "skip", label: t("Leave it out") },
  { value: "queue", label: t("Wait until it has ended") },
  { value: "cancel", label: t("Cancel it, then start") },
];

interface TriggerFormProps {
  start: TriggerDraft;
  isNew: boolean;
  save: (draft: TriggerDraft & { target: Trigger["target"] }) => Promise<void>;
  actions?: ReactNode;
}

/** What starts what, when, and on which terms. */
export function TriggerForm({ start, isNew, save, actions }: TriggerFormProps): ReactElement {
  const [draft, setDraft] = useState(start);
  const [valid, setValid] = useState({ config: true, filter: true, input: true });
  const { types, error } = useTriggerTypes();
  const targets = useTargets();
  /** Fields that were changed since it was refused. */
  const [edited, setEdited] = useState<ReadonlySet<string>>(new Set());
  const type = types.find(({ id }) => id === draft.type);
  const { busy, failure, run } = useAction(async () => {
    if (draft.target !== null) await save({ ...draft, target: draft.target });
  });
  const keyOf = ({ kind, workflowId }: Trigger["target"]): string => `${kind}:${workflowId}`;
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    setEdited(new Set());
    void run();
  };
  const setConfig = (config: JsonObject, ok: boolean): void => {
    setDraft((before) => ({ ...before, config }));
    setValid((before) => ({ ...before, config: ok }));
  };
  const target = targets.find((one) => draft.target !== null && keyOf(one) === keyOf(draft.target));
  const payloadSchema = isObject(target?.payloadSchema) ? target.payloadSchema : null;
  const refused = failure === null ? start.problem : asApiError(failure);
  const problems = Object.fromEntries(
    Object.entries(toFieldProblems(refused, draft.input, payloadSchema)).filter(([name]) => !edited.has(name)),
  );
  return (
    <Box component="form" onSubmit={onSubmit} sx={{ display: "grid", gap: 2, maxWidth: 860 }}>
      {error ? <ErrorPanel error={error} title={t("The kinds of triggers could not be loaded")} /> : null}
      <Panel>
        <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: { xs: "1fr", sm: "1fr 1fr" } }}>
          <TextField
            label={t("Name")}
            required
            autoFocus={isNew}
            value={draft.name}
            onChange={(event) => setDraft({ ...draft, name: event.target.value })}
          />
          <TextField
            select
            label={t("Starts")}
            required
            value={draft.target === null || targets.length === 0 ? "" : keyOf(draft.target)}
            onChange={(event) => {
              const chosen = targets.find((target) => keyOf(target) === event.target.value);
              if (chosen !== undefined)
                setDraft({ ...draft, target: { kind: chosen.kind, workflowId: chosen.workflowId } });
            }}
          >
            {targets.map((target) => (
              <MenuItem key={keyOf(target)} value={keyOf(target)}>
                {target.kind === "workflow" ? t("{{name}} (workflow)", { name: target.name }) : target.name}
              </MenuItem>
            ))}
          </TextField>
          <TextField
            select
            label={t("Kind")}
            required
            disabled={!isNew}
            sx={{ gridColumn: { sm: "1 / -1" } }}
            value={type === undefined ? "" : draft.type}
            helperText={type?.docs}
            onChange={(event) => {
              setDraft({ ...draft, type: event.target.value, config: {} });
              setValid({ ...valid, config: event.target.value !== "schedule" });
            }}
          >
            {types.map(({ id, title }) => (
              <MenuItem key={id} value={id}>
                {title}
              </MenuItem>
            ))}
          </TextField>
        </Box>
      </Panel>
      {type === undefined ? null : type.id === "schedule" ? (
        <Panel title={t("When")}>
          <ScheduleFields key={type.id} config={draft.config} onChange={setConfig} />
        </Panel>
      ) : Object.keys(type.configSchema.properties ?? {}).length === 0 ? null : (
        <Panel title={t("Settings")}>
          <SchemaForm
            key={type.id}
            label={t("Settings")}
            schema={type.configSchema}
            value={draft.config}
            onChange={(value, ok) => setConfig(isObject(value) ? value : draft.config, ok && isObject(value))}
          />
        </Panel>
      )}
      <Panel title={t("How events become runs")}>
        <ShapingFields value={draft.shaping} onChange={(shaping) => setDraft({ ...draft, shaping })} />
      </Panel>
      <Panel title={t("When an earlier run is still under way")}>
        <Box sx={{ display: "grid", gap: 1 }}>
          <TextField
            select
            label={t("Then")}
            value={draft.overlap}
            onChange={(event) => {
              const chosen = OVERLAPS.find(({ value }) => value === event.target.value);
              if (chosen !== undefined) setDraft({ ...draft, overlap: chosen.value });
            }}
          >
            {OVERLAPS.map(({ value, label }) => (
              <MenuItem key={value} value={value}>
                {label}
              </MenuItem>
            ))}
          </TextField>
          {draft.overlap === "allow" ? null : (
            <FormControlLabel
              control={
                <Checkbox
                  checked={draft.overlapCountsPaused}
                  onChange={(event) => setDraft({ ...draft, overlapCountsPaused: event.target.checked })}
                />
              }
              label={t("A run that waits for a person counts, too")}
            />
          )}
        </Box>
      </Panel>
      <Panel title={t("Input")}>
        <InputPanel
          key={`${draft.type} ${target === undefined ? "" : keyOf(target)} ${draft.shaping?.batch === undefined}`}
          payloadSchema={payloadSchema}
          arriving={draft.shaping?.batch === undefined ? (type?.arriving ?? null) : ["events"]}
          sample={draft.shaping?.batch === undefined ? (type?.sample ?? {}) : { events: [type?.sample ?? {}] }}
          value={draft.input}
          problems={problems}
          onChange={(input, ok, name) => {
            setDraft({ ...draft, input });
            setValid({ ...valid, input: ok });
            if (name !== undefined) setEdited(new Set([...edited, name]));
          }}
        />
      </Panel>
      <Panel title={t("Filter")}>
        <SchemaForm
          label={t("Filter: a guard; nothing lets everything through")}
          schema={null}
          value={draft.filter as Json} // cast: a guard is JSON
          onChange={(value, ok) => {
            setDraft({ ...draft, filter: value as Trigger["filter"] }); // cast: the server checks it
            setValid({ ...valid, filter: ok });
          }}
        />
      </Panel>
      {failure === null ? null : <ErrorPanel error={failure} title={t("The trigger was not saved")} />}
      <Box sx={{ display: "flex", gap: 1 }}>
        <Button
          type="submit"
          variant="contained"
          loading={busy}
          disabled={draft.target === null || !valid.config || !valid.filter || !valid.input}
        >
          {t("Save")}
        </Button>
        {actions}
      </Box>
    </Box>
  );
}
