import Box from "@mui/material/Box";
import type { ReactElement } from "react";
import { MONOSPACE } from "../theme/tokens.ts";
import { CopyButton } from "./copy-button.tsx";

/** Text to copy, whole lines as they are. */
export function CodeBlock({ text, what }: { text: string; what: string }): ReactElement {
  return (
    // Beside each other: a line that is scrolled would go under a button that lies over it.
    <Box sx={{ display: "flex", alignItems: "flex-start", borderRadius: 2, bgcolor: "var(--oven-sunken)" }}>
      <Box
        component="pre"
        tabIndex={0}
        aria-label={what}
        sx={{
          flex: 1,
          minWidth: 0,
          m: 0,
          p: 1.75,
          minHeight: 46,
          borderRadius: 2,
          overflow: "auto",
          fontFamily: MONOSPACE,
          fontSize: 12.5,
          lineHeight: "20px",
        }}
      >
        {text}
      </Box>
      <Box sx={{ flex: "none", p: 1, pl: 0 }}>
        <CopyButton text={text} what={what} label />
      </Box>
    </Box>
  );
}
