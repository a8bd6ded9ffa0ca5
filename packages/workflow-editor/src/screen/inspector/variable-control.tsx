import Box from "@mui/material/Box";
import FormControlLabel from "@mui/material/FormControlLabel";
import Switch from "@mui/material/Switch";
import TextField from "@mui/material/TextField";
import type { Json } from "@oven/contract";
import { t } from "@oven/i18n";
import type { Address } from "@oven/scope";
import { type ReactElement, useContext, useId } from "react";
import { readNumber, toScalarText } from "../../inspector/scalar-text.ts";
import { toVariableType, VARIABLE_TYPES, type VariableType, variableTypeOf } from "../../inspector/variable-types.ts";
import { FormContext } from "./form-context.ts";
import { JsonField } from "./json-field.tsx";
import { useDraftText } from "./use-draft-text.ts";
import { useTyped } from "./use-typed.ts";

/** What a variable begins with: its type, and a field that fits it. */
export function VariableControl({ name, at }: { name: string; at: Address }): ReactElement {
  const { write, seal } = useContext(FormContext);
  const value = useTyped(at);
  const type = variableTypeOf(value);
  return (
    <Box
      onBlur={seal}
      sx={{ display: "grid", gap: 1, gridTemplateColumns: "minmax(96px, 120px) minmax(0, 1fr)", alignItems: "start" }}
    >
      <TextField
        select
        value={type}
        onChange={(event) => {
          write(at, toVariableType(value, event.target.value as VariableType)); // cast: one of the options
          seal();
        }}
        slotProps={{ select: { native: true }, htmlInput: { "aria-label": t("Type of {{name}}", { name }) } }}
      >
        {VARIABLE_TYPES.map(({ value: option, label }) => (
          <option key={option} value={option}>
            {label}
          </option>
        ))}
      </TextField>
      <ValueField name={name} at={at} type={type} value={value} />
    </Box>
  );
}

interface ValueFieldProps {
  name: string;
  at: Address;
  type: VariableType;
  value: Json | undefined;
}

function ValueField({ name, at, type, value }: ValueFieldProps): ReactElement {
  const { write, type: typing } = useContext(FormContext);
  const id = useId();
  const label = t("Value of {{name}}", { name });
  switch (type) {
    case "text":
      return (
        <TextField
          multiline
          maxRows={8}
          value={typeof value === "string" ? value : ""}
          onChange={(event) => typing(at, event.target.value)}
          slotProps={{ htmlInput: { "aria-label": label } }}
        />
      );
    case "number":
      return <NumberField label={label} at={at} value={value} />;
    case "boolean":
      return (
        <FormControlLabel
          control={
            <Switch
              size="small"
              checked={value === true}
              onChange={(event) => write(at, event.target.checked)}
              slotProps={{ input: { "aria-label": label } }}
            />
          }
          label={value === true ? t("Yes") : t("No")}
        />
      );
    case "nothing":
      return <Box sx={{ py: 1, fontSize: 13, color: "text.secondary" }}>{t("until a step sets it")}</Box>;
    default:
      return (
        <Box sx={{ minWidth: 0 }}>
          {/* Emptied it is still a list or an object: the variable is there. */}
          <JsonField
            id={id}
            label={label}
            value={value}
            onChange={(next) => typing(at, next ?? (type === "list" ? [] : {}))}
          />
        </Box>
      );
  }
}

function NumberField({ label, at, value }: { label: string; at: Address; value: Json | undefined }): ReactElement {
  const { type: typing } = useContext(FormContext);
  // Only a number is taken: a text here would make the variable one of another type.
  const read = (text: string): Json | undefined => {
    const number = readNumber(text);
    return typeof number === "number" ? number : value;
  };
  const [text, draft] = useDraftText(value, toScalarText, read);
  const isNumber = typeof readNumber(text) === "number";
  return (
    <TextField
      value={text}
      error={!isNumber}
      helperText={isNumber ? undefined : t("Not a number")}
      onChange={(event) => typing(at, draft(event.target.value))}
      slotProps={{ htmlInput: { inputMode: "decimal", "aria-label": label } }}
    />
  );
}
