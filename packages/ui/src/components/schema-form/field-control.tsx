import Checkbox from "@mui/material/Checkbox";
import FormControl from "@mui/material/FormControl";
import FormControlLabel from "@mui/material/FormControlLabel";
import FormHelperText from "@mui/material/FormHelperText";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import type { Json } from "@oven/contract";
import { type ReactElement, useState } from "react";
import { MONOSPACE } from "../../theme/tokens.ts";
import { parseField, type SchemaField, toFieldText } from "./schema-fields.ts";

export interface FieldControlProps {
  field: SchemaField;
  value: Json | undefined;
  /** Why the server refused the value. */
  problem?: string | undefined;
  /** False: an empty field that is needed may be sent, and the server says that it is. Default true. */
  enforced?: boolean;
  onChange: (value: Json | undefined, valid: boolean) => void;
}

/** The control of one property of a schema. */
export function FieldControl({ field, value, problem, enforced = true, onChange }: FieldControlProps): ReactElement {
  const [draft, setDraft] = useState<{ text: string; message: string } | null>(null);
  const type = (text: string): void => {
    const parsed = parseField(field, text);
    setDraft(parsed.ok ? (field.control === "json" ? { text, message: "" } : null) : { text, message: parsed.message });
    onChange(parsed.ok ? parsed.value : undefined, parsed.ok);
  };
  const hint = draft?.message || problem || field.description;
  if (field.control === "boolean") {
    return (
      <FormControl error={problem !== undefined}>
        <FormControlLabel
          control={<Checkbox checked={value === true} onChange={(event) => onChange(event.target.checked, true)} />}
          label={field.label}
        />
        {problem === undefined ? null : <FormHelperText>{problem}</FormHelperText>}
      </FormControl>
    );
  }
  if (field.control === "choice") {
    return (
      <TextField
        select
        fullWidth
        {...(enforced ? {} : { slotProps: { htmlInput: { required: false } } })}
        label={field.label}
        required={field.required}
        error={problem !== undefined}
        helperText={problem ?? field.description}
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
      error={problem !== undefined || (draft !== null && draft.message !== "")}
      helperText={hint}
      slotProps={{
        htmlInput: {
          "data-field": field.name,
          ...(enforced ? {} : { required: false }),
          ...(field.control === "number" || field.control === "integer" ? { inputMode: "decimal" } : {}),
          ...(field.control === "json" ? { style: { fontFamily: MONOSPACE, fontSize: 12.5 }, spellCheck: false } : {}),
        },
      }}
    />
  );
}
