import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { t } from "@oven/i18n";
import { type ReactElement, useContext, useState } from "react";
import { withDefault } from "../../inspector/with-default.ts";
import { FormContext } from "./form-context.ts";
import { VariablePicker } from "./variable-picker.tsx";

export interface MissingValueFixProps {
  text: string;
  /** The path that leads to nothing on some way, as it stands in the text. */
  path: string;
  onFix: (text: string) => void;
}

/** Says with one click what stands where a value is missing: nothing, or another value. */
export function MissingValueFix({ text, path, onFix }: MissingValueFixProps): ReactElement {
  const { variables, lastValue } = useContext(FormContext);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const button = { size: "small", variant: "outlined", sx: { py: 0 } } as const;
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", gap: 0.5 }}>
      <Button {...button} onClick={() => onFix(withDefault(text, path))}>
        {t("Leave it empty then")}
      </Button>
      <Button {...button} onClick={(event) => setAnchor(event.currentTarget)}>
        {t("Take another value then…")}
      </Button>
      {anchor === null ? null : (
        <VariablePicker
          anchor={anchor}
          label={t("The value to take when {{path}} is missing", { path })}
          variables={variables().filter((variable) => variable.path !== path)}
          lastValue={lastValue}
          onPick={(variable) => {
            setAnchor(null);
            onFix(withDefault(text, path, variable.path));
          }}
          onClose={() => setAnchor(null)}
        />
      )}
    </Box>
  );
}
