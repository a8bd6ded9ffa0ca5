import Box from "@mui/material/Box";
import type { ReactElement, ReactNode } from "react";
import { Link } from "react-router-dom";

/** A row of a list on a narrow screen: one tappable card. */
export function RowCard({
  to,
  title,
  aside,
  children,
}: {
  to: string;
  title: ReactNode;
  aside?: ReactNode;
  children?: ReactNode;
}): ReactElement {
  return (
    <Box
      component={Link}
      to={to}
      sx={{
        display: "block",
        px: 2,
        py: 1.5,
        color: "text.primary",
        textDecoration: "none",
        borderBottom: 1,
        borderColor: "divider",
        "&:last-of-type": { borderBottom: 0 },
        "&:hover": { bgcolor: "action.hover" },
        "&:focus-visible": { outlineOffset: -2 },
      }}
    >
      <Box sx={{ display: "flex", gap: 1, alignItems: "center" }}>
        <Box sx={{ flex: 1, minWidth: 0, fontWeight: 600, overflowWrap: "anywhere" }}>{title}</Box>
        {aside}
      </Box>
      <Box sx={{ display: "flex", flexWrap: "wrap", columnGap: 1.25, mt: 0.5, fontSize: 13, color: "text.secondary" }}>
        {children}
      </Box>
    </Box>
  );
}
