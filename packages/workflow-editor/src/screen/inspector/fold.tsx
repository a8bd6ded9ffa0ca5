import ExpandLessRounded from "@mui/icons-material/ExpandLessRounded";
import ExpandMoreRounded from "@mui/icons-material/ExpandMoreRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { type ReactElement, type ReactNode, useState } from "react";

/** A part of the inspector under a heading that opens it. */
export function Fold({
  title,
  open: begins = false,
  children,
}: {
  title: string;
  open?: boolean;
  children: ReactNode;
}): ReactElement {
  const [open, setOpen] = useState(begins);
  const Icon = open ? ExpandLessRounded : ExpandMoreRounded;
  return (
    <Box component="section" aria-label={title} sx={{ borderTop: 1, borderColor: "divider", pt: 1 }}>
      <Button
        size="small"
        variant="text"
        aria-expanded={open}
        startIcon={<Icon />}
        onClick={() => setOpen(!open)}
        sx={{ fontWeight: 600 }}
      >
        {title}
      </Button>
      {open ? <Box sx={{ display: "grid", gap: 1.5, pt: 1 }}>{children}</Box> : null}
    </Box>
  );
}
