import ToggleButton from "@mui/material/ToggleButton";
import ToggleButtonGroup from "@mui/material/ToggleButtonGroup";
import type { JsonObject } from "@oven/contract";
import { t } from "@oven/i18n";
import { type ReactElement, useContext, useState } from "react";
import type { ValueControlProps } from "./control-props.ts";
import { FormContext } from "./form-context.ts";
import { JsonField } from "./json-field.tsx";
import { SchemaPart } from "./schema-part.tsx";

/** A JSON Schema: as fields to be built, or as JSON. Both are the same text, so changing between them changes nothing. */
export function SchemaControl({ id, field, at, value }: ValueControlProps): ReactElement {
  const { write, type, seal, fixed } = useContext(FormContext);
  const [as, setAs] = useState<"fields" | "json">("fields");
  // A payload is an object; what comes out can be anything.
  const isObject = field.name === "payloadSchema";
  const schema: JsonObject =
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? value
      : isObject
        ? { type: "object", properties: {} }
        : {};
  return (
    <>
      <ToggleButtonGroup
        exclusive
        size="small"
        value={as}
        aria-label={t("How {{label}} is edited", { label: field.label })}
        onChange={(_, next: "fields" | "json" | null) => {
          if (next === null) return;
          seal();
          setAs(next);
        }}
        sx={{ "& > button": { py: 0.25, px: 1.25, fontSize: 12.5, textTransform: "none" } }}
      >
        <ToggleButton value="fields">{t("Builder")}</ToggleButton>
        <ToggleButton value="json">JSON</ToggleButton>
      </ToggleButtonGroup>
      {as === "json" ? (
        <JsonField id={id} label={field.label} value={value} onChange={(next) => type(at, next)} />
      ) : (
        <SchemaPart
          name={field.label}
          schema={schema}
          rootOnly={isObject}
          ordered={fixed}
          onChange={(next, done) => {
            const written = isEmpty(next, isObject) ? undefined : next;
            if (done) {
              write(at, written);
              seal();
            } else type(at, written);
          }}
        />
      )}
    </>
  );
}

/** Says nothing about a value. Of a payload it is known without a word that it is an object. */
function isEmpty(schema: JsonObject, isPayload: boolean): boolean {
  const { properties, type, ...others } = schema;
  if (!Object.keys(others).every((key) => key === "x-order")) return false;
  return type === undefined || (isPayload && type === "object" && Object.keys(properties ?? {}).length === 0);
}
