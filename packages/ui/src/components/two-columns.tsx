import Box from "@mui/material/Box";
import type { ReactElement, ReactNode } from "react";

/** Fields of a form side by side, two in a row, and below each other on a phone. */
export function TwoColumns({ children }: { children: ReactNode }): ReactElement {
  return (
    <Box
      sx={{ display: "grid", gap: 2, gridTemplateColumns: { xs: "minmax(0, 1fr)", sm: "repeat(2, minmax(0, 1fr))" } }}
    >
      {children}
    </Box>
  );
}
