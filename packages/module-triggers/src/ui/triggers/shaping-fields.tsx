import Box from "@mui/material/Box";
import Checkbox from "@mui/material/Checkbox";
import FormControlLabel from "@mui/material/FormControlLabel";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import { MAX_BATCH_EVENTS, type TriggerShaping } from "@oven/contract/trigger";
import { t } from "@oven/i18n";
import type { ReactElement, ReactNode } from "react";
import { DurationField } from "./duration-field.tsx";
import { type Gathering, gathering, gatheringOf, switched, withPart } from "./shaping-draft.ts";

const GATHERINGS: { value: Gathering; label: string }[] = [
  { value: "none", label: t("A run of its own, at once") },
  { value: "debounce", label: t("One run with the last event, once no more come") },
  { value: "batch", label: t("One run for several events together") },
];
const OVERS: { value: "skip" | "wait"; label: string }[] = [
  { value: "wait", label: t("Waits for its turn") },
  { value: "skip", label: t("Starts nothing") },
];

export interface ShapingFieldsProps {
  value: TriggerShaping | null;
  onChange: (value: TriggerShaping | null) => void;
}

/** How events become runs: which ones are left out, which ones share a run, and how often one starts. */
export function ShapingFields({ value, onChange }: ShapingFieldsProps): ReactElement {
  const { dedupe, debounce, batch, rate } = value ?? {};
  return (
    <Box sx={{ display: "grid", gap: 2 }}>
      <TextField
        select
        label={t("Each event leads to")}
        value={gatheringOf(value)}
        onChange={(event) => {
          const chosen = GATHERINGS.find((one) => one.value === event.target.value);
          if (chosen !== undefined) onChange(gathering(value, chosen.value));
        }}
        {...(batch === undefined ? {} : { helperText: t("The workflow gets a list: events.") })}
      >
        {GATHERINGS.map((one) => (
          <MenuItem key={one.value} value={one.value}>
            {one.label}
          </MenuItem>
        ))}
      </TextField>
      {debounce === undefined ? null : (
        <Fields>
          <DurationField
            label={t("Quiet for")}
            required
            value={debounce.quietMs}
            onChange={(quietMs = 0) => onChange(withPart(value, "debounce", { ...debounce, quietMs }))}
          />
          <DurationField
            label={t("At the latest after")}
            value={debounce.maxMs}
            onChange={(maxMs) => onChange(withPart(value, "debounce", maybe({ ...debounce }, "maxMs", maxMs)))}
          />
          <KeyField
            value={debounce.key}
            onChange={(key) => onChange(withPart(value, "debounce", maybe({ ...debounce }, "key", key)))}
          />
        </Fields>
      )}
      {batch === undefined ? null : (
        <Fields>
          <NumberField
            label={t("As soon as so many came")}
            value={batch.count}
            min={2}
            max={MAX_BATCH_EVENTS}
            onChange={(count) => onChange(withPart(value, "batch", { ...batch, count }))}
          />
          <DurationField
            label={t("Or so long after the first")}
            required
            value={batch.withinMs}
            onChange={(withinMs = 0) => onChange(withPart(value, "batch", { ...batch, withinMs }))}
          />
          <KeyField
            value={batch.key}
            onChange={(key) => onChange(withPart(value, "batch", maybe({ ...batch }, "key", key)))}
          />
        </Fields>
      )}
      <FormControlLabel
        control={
          <Checkbox
            checked={dedupe !== undefined}
            onChange={(event) => onChange(switched(value, "dedupe", event.target.checked))}
          />
        }
        label={t("Leave out an event whose key came before")}
      />
      {dedupe === undefined ? null : (
        <Fields>
          <DurationField
            label={t("Within")}
            required
            value={dedupe.withinMs}
            onChange={(withinMs = 0) => onChange(withPart(value, "dedupe", { ...dedupe, withinMs }))}
          />
          <KeyField
            required
            value={dedupe.key}
            onChange={(key = "") => onChange(withPart(value, "dedupe", { ...dedupe, key }))}
          />
        </Fields>
      )}
      <FormControlLabel
        control={
          <Checkbox
            checked={rate !== undefined}
            onChange={(event) => onChange(switched(value, "rate", event.target.checked))}
          />
        }
        label={t("Limit how many runs start")}
      />
      {rate === undefined ? null : (
        <Fields>
          <NumberField
            label={t("At most so many runs")}
            value={rate.count}
            min={1}
            max={10_000}
            onChange={(count) => onChange(withPart(value, "rate", { ...rate, count }))}
          />
          <DurationField
            label={t("In each period of")}
            required
            value={rate.perMs}
            onChange={(perMs = 0) => onChange(withPart(value, "rate", { ...rate, perMs }))}
          />
          <TextField
            select
            label={t("What is above that")}
            value={rate.over}
            onChange={(event) => {
              const chosen = OVERS.find((one) => one.value === event.target.value);
              if (chosen !== undefined) onChange(withPart(value, "rate", { ...rate, over: chosen.value }));
            }}
          >
            {OVERS.map((one) => (
              <MenuItem key={one.value} value={one.value}>
                {one.label}
              </MenuItem>
            ))}
          </TextField>
          <KeyField
            value={rate.key}
            onChange={(key) => onChange(withPart(value, "rate", maybe({ ...rate }, "key", key)))}
          />
        </Fields>
      )}
    </Box>
  );
}

/** Without what is left empty. */
function maybe<T extends object, K extends keyof T>(settings: T, name: K, value: T[K] | undefined): T {
  const { [name]: _, ...others } = settings;
  return (value === undefined ? others : { ...others, [name]: value }) as T; // cast: the name is an optional one
}

function Fields({ children }: { children: ReactNode }): ReactElement {
  return (
    <Box sx={{ display: "grid", gap: 2, pl: 2, gridTemplateColumns: { xs: "1fr", sm: "1fr 1fr" } }}>{children}</Box>
  );
}

interface NumberFieldProps {
  label: string;
  value: number;
  min: number;
  max: number;
  onChange: (value: number) => void;
}

function NumberField({ label, value, min, max, onChange }: NumberFieldProps): ReactElement {
  return (
    <TextField
      label={label}
      type="number"
      required
      value={value === 0 ? "" : value}
      onChange={(event) => onChange(Number(event.target.value))}
      slotProps={{ htmlInput: { min, max, step: 1 } }}
    />
  );
}

interface KeyFieldProps {
  value: string | undefined;
  required?: boolean;
  onChange: (value: string | undefined) => void;
}

function KeyField({ value, required = false, onChange }: KeyFieldProps): ReactElement {
  return (
    <TextField
      label={required ? t("Key") : t("For each key by itself")}
      required={required}
      value={value ?? ""}
      onChange={(event) => onChange(event.target.value === "" ? undefined : event.target.value)}
      helperText={
        required
          ? t("Made of what arrives, such as ctx.id")
          : t("Made of what arrives, such as ctx.id; empty: all together")
      }
    />
  );
}
