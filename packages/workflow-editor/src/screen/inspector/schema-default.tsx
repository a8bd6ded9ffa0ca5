import TextField from "@mui/material/TextField";
import type { Json, JsonObject } from "@oven/contract";
import { t } from "@oven/i18n";
import type { ReactElement } from "react";
import { readNumber, toScalarText } from "../../inspector/scalar-text.ts";
import { kindOf, withKeyword } from "../../inspector/schema-builder.ts";
import { JsonField } from "./json-field.tsx";
import { useDraftText } from "./use-draft-text.ts";

interface SchemaDefaultProps {
  name: string;
  schema: JsonObject;
  onChange: (schema: JsonObject) => void;
}

/** What counts while nothing is given. */
export function SchemaDefault({ name, schema, onChange }: SchemaDefaultProps): ReactElement | null {
  const kind = kindOf(schema);
  const label = t("Default of {{name}}", { name });
  const read = (text: string): Json | undefined =>
    text === "" ? undefined : kind === "number" || kind === "integer" ? readNumber(text) : text;
  const [text, type] = useDraftText(schema.default, toScalarText, read);
  const set = (value: Json | undefined): void => onChange(withKeyword(schema, "default", value));
  const choices =
    kind === "boolean" ? [true, false] : kind === "choice" && Array.isArray(schema.enum) ? schema.enum : null;
  if (choices !== null)
    return (
      <TextField
        select
        label={t("Default")}
        value={schema.default === undefined ? "" : JSON.stringify(schema.default)}
        onChange={(event) => set(event.target.value === "" ? undefined : JSON.parse(event.target.value))}
        slotProps={{ select: { native: true }, inputLabel: { shrink: true }, htmlInput: { "aria-label": label } }}
      >
        <option value="">{t("None")}</option>
        {choices.map((choice) => (
          <option key={JSON.stringify(choice)} value={JSON.stringify(choice)}>
            {kind === "boolean" ? (choice === true ? t("Yes") : t("No")) : String(choice)}
          </option>
        ))}
      </TextField>
    );
  if (kind === "list" || kind === "object" || kind === "any")
    return schema.default === undefined ? null : (
      <JsonField id={`default-${name}`} label={label} value={schema.default} onChange={set} />
    );
  return (
    <TextField
      label={t("Default")}
      value={text}
      type={kind === "date" ? "date" : "text"}
      placeholder={kind === "moment" ? "2026-01-31T09:00:00Z" : ""}
      onChange={(event) => set(type(event.target.value))}
      slotProps={{ inputLabel: { shrink: true }, htmlInput: { "aria-label": label } }}
    />
  );
}
