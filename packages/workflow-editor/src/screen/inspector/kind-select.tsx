import TextField from "@mui/material/TextField";
import type { Json } from "@oven/contract";
import { t } from "@oven/i18n";
import type { ReactElement } from "react";
import { kindOf, SCHEMA_KINDS, type SchemaKind, withKind } from "../../inspector/schema-builder.ts";
import type { ChangeSchema } from "./schema-props.ts";

/** What kind of value it is. */
export function KindSelect({
  name,
  schema,
  onChange,
}: {
  name: string;
  schema: Json;
  onChange: ChangeSchema;
}): ReactElement {
  const kind = kindOf(schema);
  return (
    <TextField
      select
      value={kind}
      onChange={(event) => {
        const next = event.target.value as SchemaKind; // cast: an option of the list
        if (next !== "other") onChange(withKind(schema, next), true);
      }}
      slotProps={{ select: { native: true }, htmlInput: { "aria-label": t("Type of {{name}}", { name }) } }}
      sx={{ minWidth: 0 }}
    >
      {SCHEMA_KINDS.map(({ kind: one, title }) => (
        <option key={one} value={one}>
          {title}
        </option>
      ))}
      {kind === "other" ? <option value="other">JSON</option> : null}
    </TextField>
  );
}
