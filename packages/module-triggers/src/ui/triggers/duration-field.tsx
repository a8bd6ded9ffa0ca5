import Box from "@mui/material/Box";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import { t } from "@oven/i18n";
import { type ReactElement, useState } from "react";

const UNITS = [
  { size: 1_000, word: t("seconds") },
  { size: 60_000, word: t("minutes") },
  { size: 3_600_000, word: t("hours") },
  { size: 86_400_000, word: t("days") },
];
const SECONDS = 1_000;

export interface DurationFieldProps {
  label: string;
  /** Milliseconds; undefined: none. */
  value: number | undefined;
  required?: boolean;
  onChange: (milliseconds: number | undefined) => void;
}

/** A length of time, as a number and a unit. */
export function DurationField({ label, value, required = false, onChange }: DurationFieldProps): ReactElement {
  const [unit, setUnit] = useState(() => largestUnit(value));
  const setNumber = (text: string): void => {
    const number = Number(text);
    onChange(text === "" || !Number.isFinite(number) ? undefined : Math.round(number * unit));
  };
  return (
    <Box sx={{ display: "grid", gap: 1, gridTemplateColumns: "1fr 1fr" }}>
      <TextField
        label={label}
        type="number"
        required={required}
        value={value === undefined ? "" : value / unit}
        onChange={(event) => setNumber(event.target.value)}
        slotProps={{ htmlInput: { min: 1, step: "any" } }}
      />
      <TextField
        select
        value={unit}
        slotProps={{ select: { SelectDisplayProps: { "aria-label": t("Unit of: {{label}}", { label }) } } }}
        onChange={(event) => {
          const chosen = Number(event.target.value);
          setUnit(chosen);
          if (value !== undefined) onChange(Math.round((value / unit) * chosen));
        }}
      >
        {UNITS.map(({ size, word }) => (
          <MenuItem key={size} value={size}>
            {word}
          </MenuItem>
        ))}
      </TextField>
    </Box>
  );
}

/** The largest one that needs no fraction. */
export function largestUnit(milliseconds: number | undefined): number {
  if (milliseconds === undefined) return SECONDS;
  return UNITS.toReversed().find(({ size }) => milliseconds >= size && milliseconds % size === 0)?.size ?? SECONDS;
}
