import Box from "@mui/material/Box";
import type { ReactElement, ReactNode } from "react";

/** Fields that belong together, under a name. */
export function FieldGroup({
  label,
  required = false,
  children,
}: {
  label: string;
  required?: boolean;
  children: ReactNode;
}): ReactElement {
  return (
    <Box
      component="fieldset"
      sx={{
        m: 0,
        minWidth: 0,
        px: 1.75,
        pt: 0.75,
        pb: 1.75,
        display: "grid",
        gap: 1.75,
        border: 1,
        borderColor: "divider",
        borderRadius: 2,
      }}
    >
      <Box component="legend" sx={{ px: 0.75, fontSize: 13, color: "text.secondary" }}>
        {label}
        {required ? " *" : ""}
      </Box>
      {children}
    </Box>
  );
}
