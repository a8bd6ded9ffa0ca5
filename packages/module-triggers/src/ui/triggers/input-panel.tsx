import Box from "@mui/material/Box";
import ToggleButton from "@mui/material/ToggleButton";
import ToggleButtonGroup from "@mui/material/ToggleButtonGroup";
import { isObject, type Json, type JsonObject } from "@oven/contract";
import { t } from "@oven/i18n";
import { toFields } from "@oven/ui/components/schema-form/schema-fields.ts";
import { SchemaForm } from "@oven/ui/components/schema-form/schema-form.tsx";
import { type ReactElement, useState } from "react";
import { InputFields } from "./input-fields.tsx";
import { type InputWay, toInputWay } from "./trigger-input.ts";

export interface InputPanelProps {
  payloadSchema: JsonObject | null;
  arriving: readonly string[] | null;
  sample: Json;
  value: JsonObject | null;
  problems: Record<string, string>;
  /** `name` is the field that was changed; without it the input as a whole was. */
  onChange: (value: JsonObject | null, valid: boolean, name?: string) => void;
}

/** What a trigger hands to its workflow: what arrives, the workflow's fields filled in, or JSON. */
export function InputPanel(props: InputPanelProps): ReactElement {
  const { payloadSchema, arriving, sample, value, problems, onChange } = props;
  const [chosen, setChosen] = useState<InputWay | null>(null);
  const hasFields = (toFields(payloadSchema) ?? []).length > 0;
  const shown = chosen ?? toInputWay(value, { payloadSchema, arriving });
  const way = shown === "fields" && !hasFields ? "json" : shown;
  const choose = (next: InputWay): void => {
    setChosen(next);
    onChange(next === "arrives" ? null : (value ?? {}), true);
  };
  return (
    <Box sx={{ display: "grid", gap: 2 }}>
      <ToggleButtonGroup
        exclusive
        size="small"
        value={way}
        aria-label={t("Where the input comes from")}
        sx={{ flexWrap: "wrap" }}
        onChange={(_event, next: InputWay | null) => (next === null ? undefined : choose(next))}
      >
        <ToggleButton value="arrives">{t("What arrives, as it is")}</ToggleButton>
        {hasFields ? <ToggleButton value="fields">{t("Fill in fields")}</ToggleButton> : null}
        <ToggleButton value="json">JSON</ToggleButton>
      </ToggleButtonGroup>
      {way === "fields" ? (
        <InputFields
          payloadSchema={payloadSchema}
          value={value ?? {}}
          sample={sample}
          problems={problems}
          onChange={onChange}
        />
      ) : way === "json" ? (
        <SchemaForm
          label={t("Input: an object with $.paths over what arrives")}
          schema={null}
          value={value ?? {}}
          onChange={(next, ok) => onChange(isObject(next) ? next : value, ok && isObject(next))}
        />
      ) : (
        <Box sx={{ fontSize: 13.5, color: "text.secondary" }}>
          {arriving === null
            ? t("The workflow gets what arrives as its input.")
            : t("The workflow gets what arrives as its input: {{keys}}.", { keys: arriving.join(", ") })}
        </Box>
      )}
    </Box>
  );
}
