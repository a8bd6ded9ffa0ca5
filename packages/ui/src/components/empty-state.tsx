import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import type { ReactElement, ReactNode } from "react";

export interface EmptyStateProps {
  icon: ReactNode;
  title: string;
  /** What to do next. */
  text: string;
  action?: ReactNode;
}

/** Stands where a list has nothing: what would be here, and what to do first. */
export function EmptyState({ icon, title, text, action }: EmptyStateProps): ReactElement {
  return (
    <Box sx={{ display: "grid", justifyItems: "center", textAlign: "center", px: 3, py: { xs: 5, sm: 7 } }}>
      <Box
        sx={{
          display: "grid",
          placeItems: "center",
          width: 44,
          height: 44,
          mb: 1.5,
          borderRadius: 2.5,
          color: "text.secondary",
          bgcolor: "var(--oven-sunken)",
          "& svg": { fontSize: 22 },
        }}
      >
        {icon}
      </Box>
      <Typography variant="h2" component="p">
        {title}
      </Typography>
      <Typography color="text.secondary" sx={{ mt: 0.5, maxWidth: 440 }}>
        {text}
      </Typography>
      {action === undefined ? null : <Box sx={{ mt: 2 }}>{action}</Box>}
    </Box>
  );
}
