import Box from "@mui/material/Box";
import TextField from "@mui/material/TextField";
import { t } from "@oven/i18n";
import type { ReactElement } from "react";
import type { FieldProps } from "./auth-fields.tsx";

const FIELDS = [
  { key: "timeoutSeconds", label: t("Longest silence, in s") },
  { key: "maxKilobytes", label: t("Most kilobytes") },
  { key: "callsPerMinute", label: t("Calls a minute") },
  { key: "callsPerDay", label: t("Calls a day") },
] as const;

/** What calls may take, and how many there may be. */
export function LimitFields({ draft, onChange }: FieldProps): ReactElement {
  return (
    <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: "repeat(auto-fit, minmax(156px, 1fr))" }}>
      {FIELDS.map(({ key, label }) => (
        <TextField
          key={key}
          type="number"
          label={label}
          required={key !== "callsPerDay"}
          value={draft[key]}
          slotProps={{ inputLabel: { shrink: true } }}
          placeholder={key === "callsPerDay" ? t("no limit") : undefined}
          onChange={(event) => onChange({ [key]: event.target.value })}
        />
      ))}
    </Box>
  );
}
