import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Menu from "@mui/material/Menu";
import MenuItem from "@mui/material/MenuItem";
import { t } from "@oven/i18n";
import { type ReactElement, useState } from "react";
import { type FieldMode, MODE_TITLES } from "../../inspector/field-mode.ts";

const HINTS: Record<FieldMode, string> = {
  fixed: t("Typed here"),
  text: t("Text with paths: {{example}}", { example: "$.trigger.orderId, {{ $.trigger.name }}" }),
  cel: t("A CEL expression over ctx"),
  literal: t("Never read as an expression"),
  json: t("Any value"),
};

/** A menu with the ways to give a field's value: fixed, text with paths, CEL, literal, JSON. */
export function ModeSwitch({
  label,
  mode,
  modes,
  onChoose,
}: {
  label: string;
  mode: FieldMode;
  modes: readonly FieldMode[];
  onChoose: (mode: FieldMode) => void;
}): ReactElement | null {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const all = modes.includes(mode) ? modes : [...modes, mode];
  if (all.length === 1) return null;
  return (
    <>
      <Button
        size="small"
        variant="text"
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        aria-label={t("fx {{mode}}: how {{label}} is given", { mode: MODE_TITLES[mode], label })}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{
          minWidth: 0,
          minHeight: 24,
          px: 0.75,
          py: 0,
          fontSize: 12,
          color: mode === "cel" ? "primary.main" : "text.secondary",
        }}
      >
        <Box component="span" sx={{ fontStyle: "italic", mr: 0.5 }}>
          fx
        </Box>{" "}
        {mode === modes[0] ? "" : MODE_TITLES[mode]}
      </Button>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        {all.map((one) => (
          <MenuItem
            key={one}
            selected={one === mode}
            onClick={() => {
              setAnchor(null);
              if (one !== mode) onChoose(one);
            }}
          >
            <Box>
              <Box sx={{ fontSize: 13.5 }}>{one === "text" && modes[0] === "text" ? t("Text") : MODE_TITLES[one]}</Box>
              <Box sx={{ fontSize: 12, color: "text.secondary" }}>{HINTS[one]}</Box>
            </Box>
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
