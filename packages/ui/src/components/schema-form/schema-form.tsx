import Box from "@mui/material/Box";
import Checkbox from "@mui/material/Checkbox";
import FormControlLabel from "@mui/material/FormControlLabel";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import type { Json, JsonObject } from "@oven/contract";
import { type ReactElement, useState } from "react";
import { MONOSPACE } from "../../theme/tokens.ts";
import { parseField, type SchemaField, toFields, toFieldText } from "./schema-fields.ts";

export interface SchemaFormProps {
  schema: JsonObject | null;
  value: Json;
  /** `valid` is false while something typed is no value; `value` then keeps the last good one. */
  onChange: (value: Json, valid: boolean) => void;
  label: string;
}

/** A typed form for a value: one control per property, or one for the whole. */
export function SchemaForm({ schema, value, onChange, label }: SchemaFormProps): ReactElement {
  const fields = toFields(schema);
  const [broken, setBroken] = useState<ReadonlySet<string>>(new Set());
  const object: JsonObject = typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};

  const settle = (name: string, valid: boolean): boolean => {
    const next = new Set(broken);
    if (valid) next.delete(name);
    else next.add(name);
    setBroken(next);
    return next.size === 0;
  };

  if (fields === null) {
    const control = typeof value === "string" ? "long-text" : "json";
    const field: SchemaField = { name: "", label, description: null, required: false, control, choices: [] };
    return (
      <FieldControl
        field={field}
        value={value}
        onChange={(next, valid) =>
          onChange(next === undefined ? (typeof value === "string" ? "" : null) : next, settle("", valid))
        }
      />
    );
  }
  return (
    <Box role="group" aria-label={label} sx={{ display: "grid", gap: 2 }}>
      {fields.map((field) => (
        <FieldControl
          key={field.name}
          field={field}
          value={object[field.name]}
          onChange={(next, valid) => {
            const allValid = settle(field.name, valid);
            if (!valid) return onChange(object, false);
            const { [field.name]: _, ...others } = object;
            // The key keeps its place, so that an unchanged value stays byte-equal.
            const changed =
              next === undefined
                ? others
                : Object.fromEntries(
                    Object.hasOwn(object, field.name)
                      ? Object.entries(object).map(([key, old]) => [key, key === field.name ? next : old])
                      : [...Object.entries(object), [field.name, next]],
                  );
            onChange(changed, allValid);
          }}
        />
      ))}
    </Box>
  );
}

interface FieldControlProps {
  field: SchemaField;
  value: Json | undefined;
  onChange: (value: Json | undefined, valid: boolean) => void;
}

function FieldControl({ field, value, onChange }: FieldControlProps): ReactElement {
  const [draft, setDraft] = useState<{ text: string; message: string } | null>(null);
  const type = (text: string): void => {
    const parsed = parseField(field, text);
    setDraft(parsed.ok ? (field.control === "json" ? { text, message: "" } : null) : { text, message: parsed.message });
    onChange(parsed.ok ? parsed.value : undefined, parsed.ok);
  };
  const hint = draft?.message || field.description;
  if (field.control === "boolean") {
    return (
      <FormControlLabel
        control={<Checkbox checked={value === true} onChange={(event) => onChange(event.target.checked, true)} />}
        label={field.label}
      />
    );
  }
  if (field.control === "choice") {
    return (
      <TextField
        select
        fullWidth
        label={field.label}
        required={field.required}
        helperText={field.description}
        value={value === undefined ? "" : JSON.stringify(value)}
        onChange={(event) => onChange(event.target.value === "" ? undefined : JSON.parse(event.target.value), true)}
      >
        {field.required ? null : <MenuItem value="">–</MenuItem>}
        {field.choices.map((choice) => (
          <MenuItem key={JSON.stringify(choice)} value={JSON.stringify(choice)}>
            {String(choice)}
          </MenuItem>
        ))}
      </TextField>
    );
  }
  const long = field.control === "long-text" || field.control === "json";
  return (
    <TextField
      fullWidth
      label={field.label}
      required={field.required}
      multiline={long}
      {...(long ? { minRows: 3, maxRows: 16 } : {})}
      value={draft?.text ?? toFieldText(field, value)}
      onChange={(event) => type(event.target.value)}
      error={draft !== null && draft.message !== ""}
      helperText={hint}
      slotProps={{
        htmlInput: {
          ...(field.control === "number" || field.control === "integer" ? { inputMode: "decimal" } : {}),
          ...(field.control === "json" ? { style: { fontFamily: MONOSPACE, fontSize: 12.5 }, spellCheck: false } : {}),
        },
      }}
    />
  );
}
