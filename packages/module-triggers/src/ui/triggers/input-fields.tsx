import BoltOutlined from "@mui/icons-material/BoltOutlined";
import EditOutlined from "@mui/icons-material/EditOutlined";
import Autocomplete from "@mui/material/Autocomplete";
import Box from "@mui/material/Box";
import IconButton from "@mui/material/IconButton";
import TextField from "@mui/material/TextField";
import Tooltip from "@mui/material/Tooltip";
import { getOwn, type Json, type JsonObject } from "@oven/contract";
import { t } from "@oven/i18n";
import { FieldControl } from "@oven/ui/components/schema-form/field-control.tsx";
import { type SchemaField, toFields } from "@oven/ui/components/schema-form/schema-fields.ts";
import { type ReactElement, useState } from "react";
import { isComputed, isReference, pathsOf } from "./trigger-input.ts";

export interface InputFieldsProps {
  payloadSchema: JsonObject | null;
  value: JsonObject;
  /** What arrives may look like this. */
  sample: Json;
  /** Why the server refused a field, by its name. */
  problems: Record<string, string>;
  /** `name` is the field that was changed; `valid` is false while something typed is no value. */
  onChange: (value: JsonObject, valid: boolean, name: string) => void;
}

/** The payload of a workflow field by field: a fixed value, or one that is read from what arrives. */
export function InputFields({ payloadSchema, value, sample, problems, onChange }: InputFieldsProps): ReactElement {
  const fields = toFields(payloadSchema) ?? [];
  const [broken, setBroken] = useState<ReadonlySet<string>>(new Set());
  const change = (name: string, next: Json | undefined, valid: boolean): void => {
    const stillBroken = new Set([...broken].filter((other) => other !== name));
    if (!valid) stillBroken.add(name);
    setBroken(stillBroken);
    const { [name]: before, ...others } = value;
    const kept = valid ? next : before;
    onChange(kept === undefined ? others : { ...value, [name]: kept }, stillBroken.size === 0, name);
  };
  const others = Object.keys(value).filter((name) => !fields.some((field) => field.name === name));
  return (
    <Box role="group" aria-label={t("Input of the workflow")} sx={{ display: "grid", gap: 2 }}>
      {fields.map((field) => (
        <InputField
          key={field.name}
          field={field}
          value={getOwn(value, field.name)}
          paths={pathsOf(sample)}
          problem={getOwn(problems, field.name)}
          onChange={(next, valid) => change(field.name, next, valid)}
        />
      ))}
      {others.length === 0 ? null : (
        <Box sx={{ fontSize: 13, color: "text.secondary" }}>
          {t("Also handed over, and shown as JSON: {{names}}", { names: others.join(", ") })}
        </Box>
      )}
    </Box>
  );
}

interface InputFieldProps {
  field: SchemaField;
  value: Json | undefined;
  paths: readonly string[];
  problem: string | undefined;
  onChange: (value: Json | undefined, valid: boolean) => void;
}

function InputField({ field, value, paths, problem, onChange }: InputFieldProps): ReactElement {
  const [isRead, setIsRead] = useState(isReference(value));
  const switchTo = isRead
    ? t("Write a fixed value for {{field}}", { field: field.label })
    : t("Take {{field}} from what arrives", { field: field.label });
  return (
    <Box sx={{ display: "flex", gap: 1, alignItems: "flex-start" }}>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        {isRead ? (
          <Autocomplete
            freeSolo
            options={[...paths]}
            inputValue={typeof value === "string" ? value : ""}
            onInputChange={(_event, text, reason) => {
              if (reason !== "reset" || text !== "") onChange(text === "" ? undefined : text, true);
            }}
            renderInput={(params) => (
              <TextField
                {...params}
                label={field.label}
                error={problem !== undefined}
                helperText={
                  problem ?? t("A path into what arrives, such as {{example}}", { example: paths[0] ?? "$.order" })
                }
              />
            )}
          />
        ) : (
          // The server says what is missing: the browser's own words would keep it from being asked.
          <FieldControl
            field={isComputed(value) ? { ...field, control: "json" } : field}
            enforced={false}
            value={value}
            problem={problem}
            onChange={onChange}
          />
        )}
      </Box>
      <Tooltip title={switchTo}>
        <IconButton
          aria-label={switchTo}
          sx={{ mt: 0.25 }}
          onClick={() => {
            setIsRead(!isRead);
            onChange(undefined, true);
          }}
        >
          {isRead ? <EditOutlined fontSize="small" /> : <BoltOutlined fontSize="small" />}
        </IconButton>
      </Tooltip>
    </Box>
  );
}
