import Box from "@mui/material/Box";
import type { ReactElement, ReactNode } from "react";

/** A list of rows whose parts wrap on narrow screens. */
export function RowList({ label, children }: { label: string; children: ReactNode }): ReactElement {
  return (
    <Box component="ul" aria-label={label} sx={{ m: 0, p: 0, listStyle: "none" }}>
      {children}
    </Box>
  );
}

/** One row of a panel's list. */
export function RowItem({ children }: { children: ReactNode }): ReactElement {
  return (
    <Box
      component="li"
      sx={{
        display: "flex",
        flexWrap: "wrap",
        alignItems: "center",
        columnGap: 2,
        rowGap: 0.5,
        px: 2,
        py: 1.25,
        borderBottom: 1,
        borderColor: "divider",
        "&:last-of-type": { borderBottom: 0 },
      }}
    >
      {children}
    </Box>
  );
}

/** A part of a row: how wide it would like to be, quiet or not. */
export function RowPart({
  basis,
  grow = 0,
  quiet = false,
  children,
}: {
  basis: number;
  grow?: number;
  quiet?: boolean;
  children: ReactNode;
}): ReactElement {
  return (
    <Box
      sx={{
        flex: `${grow} 1 ${basis}px`,
        minWidth: 0,
        overflowWrap: "anywhere",
        ...(quiet ? { fontSize: 13, color: "text.secondary" } : {}),
      }}
    >
      {children}
    </Box>
  );
}
