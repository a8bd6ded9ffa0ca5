import MenuItem from "@mui/material/MenuItem";
import TextField, { type TextFieldProps } from "@mui/material/TextField";
import type { ReactElement } from "react";

/** One entry of a choice: its value and the words for it. */
export interface Choice<Value extends string> {
  value: Value;
  label: string;
}

export interface ChoiceFieldProps<Value extends string>
  extends Omit<TextFieldProps, "value" | "onChange" | "select" | "children"> {
  value: Value;
  choices: readonly Choice<Value>[];
  onChange: (value: Value) => void;
}

/** A field whose value is one of a few. */
export function ChoiceField<Value extends string>(props: ChoiceFieldProps<Value>): ReactElement {
  const { choices, onChange, ...others } = props;
  return (
    <TextField
      {...others}
      select
      // cast: the menu has the choices only
      onChange={(event) => onChange(event.target.value as Value)}
    >
      {choices.map(({ value, label }) => (
        <MenuItem key={value} value={value}>
          {label}
        </MenuItem>
      ))}
    </TextField>
  );
}
