import Box from "@mui/material/Box";
import type { SxProps, Theme } from "@mui/material/styles";
import Typography from "@mui/material/Typography";
import type { ReactElement, ReactNode } from "react";

export interface PanelProps {
  title?: ReactNode;
  /** Right of the title. */
  aside?: ReactNode;
  children: ReactNode;
  /** Without inner padding: tables and graphs. */
  flush?: boolean;
  sx?: SxProps<Theme>;
}

/** A card with an optional title row. */
export function Panel({ title, aside, children, flush = false, sx = {} }: PanelProps): ReactElement {
  return (
    <Box
      component="section"
      sx={[
        {
          bgcolor: "background.paper",
          border: 1,
          borderColor: "divider",
          borderRadius: 2.5,
          minWidth: 0,
          overflow: "hidden",
        },
        ...(Array.isArray(sx) ? sx : [sx]),
      ]}
    >
      {title === undefined ? null : (
        <Box
          sx={{
            display: "flex",
            flexWrap: "wrap",
            alignItems: "center",
            gap: 1,
            minHeight: 44,
            px: 2,
            borderBottom: 1,
            borderColor: "divider",
          }}
        >
          <Typography variant="h2" sx={{ flex: 1 }}>
            {title}
          </Typography>
          {aside}
        </Box>
      )}
      <Box sx={flush ? {} : { p: 2 }}>{children}</Box>
    </Box>
  );
}
