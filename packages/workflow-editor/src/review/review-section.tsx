import Box from "@mui/material/Box";
import type { ReactElement, ReactNode } from "react";

/** A part of a review, under a heading. */
export function ReviewSection({ title, children }: { title: string; children: ReactNode }): ReactElement {
  return (
    <Box component="section" sx={{ px: { xs: 2, sm: 2.5 }, py: 2, borderTop: 1, borderColor: "divider" }}>
      <Box component="h3" sx={{ m: 0, mb: 1, fontSize: 12.5, fontWeight: 600, color: "text.secondary" }}>
        {title}
      </Box>
      {children}
    </Box>
  );
}
