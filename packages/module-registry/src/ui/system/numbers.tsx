import Box from "@mui/material/Box";
import type { ReactElement, ReactNode } from "react";

export interface NumberEntry {
  label: string;
  value: ReactNode;
  /** Below it, quiet: since when, or what it means. */
  line?: ReactNode;
}

/** Numbers side by side, each under its name. */
export function Numbers({ label, entries }: { label: string; entries: readonly NumberEntry[] }): ReactElement {
  return (
    <Box
      component="dl"
      aria-label={label}
      sx={{ m: 0, display: "grid", gap: 1.5, gridTemplateColumns: "repeat(auto-fill, minmax(150px, 1fr))" }}
    >
      {entries.map(({ label: name, value, line }) => (
        <Box key={name} sx={{ p: 1.75, borderRadius: 2, border: 1, borderColor: "divider" }}>
          <Box component="dt" sx={{ fontSize: 12.5, fontWeight: 600, color: "text.secondary" }}>
            {name}
          </Box>
          <Box component="dd" sx={{ m: 0, mt: 0.5, fontSize: 20, fontWeight: 650, fontVariantNumeric: "tabular-nums" }}>
            {value}
            {line === undefined ? null : (
              <Box sx={{ fontSize: 12.5, fontWeight: 400, color: "text.secondary" }}>{line}</Box>
            )}
          </Box>
        </Box>
      ))}
    </Box>
  );
}
