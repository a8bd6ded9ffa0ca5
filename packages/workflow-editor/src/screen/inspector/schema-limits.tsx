import Box from "@mui/material/Box";
import TextField from "@mui/material/TextField";
import type { JsonObject } from "@oven/contract";
import { t } from "@oven/i18n";
import type { ReactElement } from "react";
import { readNumber, toScalarText } from "../../inspector/scalar-text.ts";
import { kindOf, type LimitKey, limitsOf, withKeyword } from "../../inspector/schema-builder.ts";
import { useDraftText } from "./use-draft-text.ts";

const TITLES: Record<LimitKey, string> = {
  minLength: "At least, characters",
  maxLength: "At most, characters",
  pattern: "Pattern (RE2)",
  minimum: "At least",
  maximum: "At most",
  minItems: "At least, entries",
  maxItems: "At most, entries",
};

interface SchemaLimitsProps {
  name: string;
  schema: JsonObject;
  onChange: (schema: JsonObject) => void;
}

/** What bounds a value of its kind. */
export function SchemaLimits({ name, schema, onChange }: SchemaLimitsProps): ReactElement | null {
  const limits = limitsOf(kindOf(schema));
  if (limits.length === 0) return null;
  return (
    <Box sx={{ display: "grid", gridTemplateColumns: "1fr 1fr", gap: 1, mt: 0.5 }}>
      {limits.map((key) => (
        <LimitInput key={key} name={name} limit={key} schema={schema} onChange={onChange} />
      ))}
    </Box>
  );
}

function LimitInput({ name, limit, schema, onChange }: SchemaLimitsProps & { limit: LimitKey }): ReactElement {
  const isText = limit === "pattern";
  const read = (text: string) => (isText ? (text === "" ? undefined : text) : readNumber(text));
  const [text, type] = useDraftText(schema[limit], toScalarText, read);
  const value = schema[limit];
  const isWrong = value !== undefined && (isText ? typeof value !== "string" : typeof value !== "number");
  return (
    <TextField
      label={TITLES[limit]}
      value={text}
      error={isWrong}
      helperText={isWrong ? t("Not a number") : undefined}
      onChange={(event) => onChange(withKeyword(schema, limit, type(event.target.value)))}
      slotProps={{
        htmlInput: {
          "aria-label": t("{{limit}}, of {{name}}", { limit: TITLES[limit], name }),
          ...(isText ? { spellCheck: false } : { inputMode: "decimal" }),
        },
      }}
      sx={isText ? { gridColumn: "1 / -1" } : {}}
    />
  );
}
