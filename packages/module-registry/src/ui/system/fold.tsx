import Box from "@mui/material/Box";
import { type ReactElement, type ReactNode, useState } from "react";

/** One thing of a list: its name and a line, the rest below when it is opened. */
export function Fold({
  title,
  line,
  children,
}: {
  title: ReactNode;
  line: ReactNode;
  children: () => ReactNode;
}): ReactElement {
  // What is folded away is not drawn: sixty schemas are ten thousand elements.
  const [open, setOpen] = useState(false);
  return (
    <Box
      component="details"
      onToggle={(event) => setOpen(event.currentTarget.open)}
      sx={{
        borderBottom: 1,
        borderColor: "divider",
        "&:last-of-type": { borderBottom: 0 },
        "& > summary": { py: 1.25, cursor: "pointer" },
      }}
    >
      <summary>
        <Box component="span" sx={{ fontWeight: 600, overflowWrap: "anywhere" }}>
          {title}
        </Box>
        <Box component="span" sx={{ display: "block", ml: 2.25, fontSize: 13, color: "text.secondary" }}>
          {line}
        </Box>
      </summary>
      {open ? <Box sx={{ ml: { xs: 0, sm: 2.25 }, pb: 2, display: "grid", gap: 1.5 }}>{children()}</Box> : null}
    </Box>
  );
}

/** A few words under a name. */
export function Fact({ name, children }: { name: string; children: ReactNode }): ReactElement {
  return (
    <Box>
      <Box sx={{ mb: 0.5, fontSize: 12.5, fontWeight: 600, color: "text.secondary" }}>{name}</Box>
      {children}
    </Box>
  );
}
