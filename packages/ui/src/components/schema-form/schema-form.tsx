import Box from "@mui/material/Box";
import FormHelperText from "@mui/material/FormHelperText";
import { getOwn, type Json, type JsonObject } from "@oven/contract";
import { type ReactElement, useState } from "react";
import { FieldControl, type FieldControlProps } from "./field-control.tsx";
import { FieldGroup } from "./field-group.tsx";
import { ListField } from "./list-field.tsx";
import { toNestedShape } from "./nested-shape.ts";
import { type SchemaField, toField, toFields } from "./schema-fields.ts";

export interface SchemaFormProps {
  schema: JsonObject | null;
  value: Json;
  /** `valid` is false while something typed is no value; `value` then keeps the last good one. */
  onChange: (value: Json, valid: boolean) => void;
  label: string;
  /** Why the server refused a field, by its name. */
  problems?: Readonly<Record<string, string>>;
}

/** A typed form for a value: one control per property, or one for the whole. */
export function SchemaForm({ schema, value, onChange, label, problems = {} }: SchemaFormProps): ReactElement {
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
        <FormField
          key={field.name}
          field={field}
          value={getOwn(object, field.name)}
          problem={getOwn(problems, field.name)}
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

/** One property: a control, or a form of its own where its schema names what stands in it. */
function FormField({ field, value, problem, onChange }: FieldControlProps): ReactElement {
  const shape = field.control === "json" ? toNestedShape(field.schema, value) : null;
  if (shape?.kind === "group") {
    return (
      <FieldGroup label={field.label} required={field.required}>
        <SchemaForm label={field.label} schema={shape.schema} value={value ?? {}} onChange={onChange} />
        <Refused problem={problem} />
      </FieldGroup>
    );
  }
  if (shape?.kind === "list") {
    return (
      <>
        <ListField
          field={field}
          items={shape.items}
          value={Array.isArray(value) ? value : []}
          onChange={onChange}
          renderItem={(item, label, change) =>
            shape.items.type === "object" ? (
              <FieldGroup label={label}>
                <SchemaForm label={label} schema={shape.items} value={item} onChange={change} />
              </FieldGroup>
            ) : (
              <FieldControl
                field={{ ...toField(label, shape.items, true), label }}
                value={item}
                onChange={(next, valid) => change(next ?? item, valid)}
              />
            )
          }
        />
        <Refused problem={problem} />
      </>
    );
  }
  return <FieldControl field={field} value={value} problem={problem} onChange={onChange} />;
}

/** Below a field of several controls. */
function Refused({ problem }: Pick<FieldControlProps, "problem">): ReactElement | null {
  return problem === undefined ? null : <FormHelperText error>{problem}</FormHelperText>;
}
