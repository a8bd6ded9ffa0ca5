import Box from "@mui/material/Box";
import { getOwn, type Json, type JsonObject } from "@oven/contract";
import { type ReactElement, useState } from "react";
import { FieldControl } from "./field-control.tsx";
import { type SchemaField, toFields } from "./schema-fields.ts";

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
    const field: SchemaField = {
      name: "",
      label,
      description: null,
      required: false,
      control,
      choices: [],
      schema: schema ?? {},
    };
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
          value={getOwn(object, field.name)}
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
