import Box from "@mui/material/Box";
import type { ReactElement } from "react";
import { MONOSPACE } from "../theme/tokens.ts";
import { CopyButton } from "./copy-button.tsx";

/** Text to copy, whole lines as they are. */
export function CodeBlock({ text, what }: { text: string; what: string }): ReactElement {
  return (
    <Box sx={{ position: "relative" }}>
      <Box sx={{ position: "absolute", top: 8, right: 8 }}>
        <CopyButton text={text} what={what} label />
      </Box>
      <Box
        component="pre"
        tabIndex={0}
        aria-label={what}
        sx={{
          m: 0,
          p: 1.75,
          pr: 13,
          minHeight: 46,
          borderRadius: 2,
          overflow: "auto",
          bgcolor: "var(--oven-sunken)",
          fontFamily: MONOSPACE,
          fontSize: 12.5,
          lineHeight: "20px",
        }}
      >
        {text}
      </Box>
    </Box>
  );
}
