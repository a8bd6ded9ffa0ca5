import Box from "@mui/material/Box";
import Checkbox from "@mui/material/Checkbox";
import FormControlLabel from "@mui/material/FormControlLabel";
import type { ReactElement } from "react";

/** Several of a few choices. */
export function CheckList<Value extends string | number>({
  label,
  choices,
  chosen,
  onChange,
}: {
  label: string;
  choices: { value: Value; label: string }[];
  chosen: Value[];
  onChange: (chosen: Value[]) => void;
}): ReactElement {
  return (
    <Box component="fieldset" sx={{ border: 0, m: 0, p: 0, minWidth: 0 }}>
      <Box component="legend" sx={{ fontSize: 13, fontWeight: 600, p: 0, mb: 0.25 }}>
        {label}
      </Box>
      <Box sx={{ display: "flex", flexWrap: "wrap", columnGap: 2, maxHeight: 180, overflowY: "auto" }}>
        {choices.map((choice) => (
          <FormControlLabel
            key={choice.value}
            label={choice.label}
            control={
              <Checkbox
                size="small"
                checked={chosen.includes(choice.value)}
                onChange={(_, checked) =>
                  onChange(checked ? [...chosen, choice.value] : chosen.filter((value) => value !== choice.value))
                }
              />
            }
          />
        ))}
      </Box>
    </Box>
  );
}
