import TextField from "@mui/material/TextField";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";
import { type ReactElement, useContext } from "react";
import type { ValueControlProps } from "./control-props.ts";
import { FormContext } from "./form-context.ts";

const FEWEST_ROWS = 6;
const MOST_ROWS = 24;

/** Code, as it is written: nothing in it is a path or a template. */
export function CodeControl({ id, describedBy, at, value, invalid }: ValueControlProps): ReactElement {
  const { type } = useContext(FormContext);
  return (
    <TextField
      id={id}
      fullWidth
      multiline
      minRows={FEWEST_ROWS}
      maxRows={MOST_ROWS}
      error={invalid}
      value={typeof value === "string" ? value : ""}
      onChange={({ target }) => type(at, target.value === "" ? undefined : target.value)}
      slotProps={{
        htmlInput: {
          "aria-describedby": describedBy,
          spellCheck: false,
          autoCapitalize: "off",
          autoComplete: "off",
          style: { fontFamily: MONOSPACE, fontSize: 13 },
        },
      }}
    />
  );
}
