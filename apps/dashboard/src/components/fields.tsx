import Box from "@mui/material/Box";
import type { ReactElement, ReactNode } from "react";

/** A label above a value, in rows that wrap. */
export function Facts({ children }: { children: ReactNode }): ReactElement {
  return (
    <Box
      component="dl"
      sx={{ display: "grid", gridTemplateColumns: "repeat(auto-fill, minmax(140px, 1fr))", gap: 1.75, m: 0 }}
    >
      {children}
    </Box>
  );
}

export function Fact({ label, children }: { label: string; children: ReactNode }): ReactElement {
  return (
    <Box sx={{ minWidth: 0 }}>
      <Box component="dt" sx={{ fontSize: 12, color: "text.secondary", mb: 0.25 }}>
        {label}
      </Box>
      <Box component="dd" sx={{ m: 0, fontVariantNumeric: "tabular-nums", overflowWrap: "anywhere" }}>
        {children}
      </Box>
    </Box>
  );
}
