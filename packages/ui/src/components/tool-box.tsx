import Box from "@mui/material/Box";
import type { Json } from "@oven/contract";
import type { ReactElement, ReactNode } from "react";
import { MONOSPACE } from "../theme/tokens.ts";
import { JsonView } from "./json-view.tsx";

/** A short line of a value, for a summary. */
export function previewJson(value: Json): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 90 ? `${text.slice(0, 89)}…` : text;
}

/** A word of code within a sentence. */
export function Code({ children }: { children: string }): ReactElement {
  return (
    <Box component="span" sx={{ fontFamily: MONOSPACE, fontSize: 12.5, overflowWrap: "anywhere" }}>
      {children}
    </Box>
  );
}

/** A tool call or its result: one line that opens to the whole. */
export function ToolBox({
  title,
  value,
  failed = false,
}: {
  title: ReactNode;
  value: Json;
  failed?: boolean;
}): ReactElement {
  return (
    <Box
      component="details"
      sx={{
        border: 1,
        borderColor: failed ? "error.main" : "divider",
        borderRadius: 2,
        "& > summary": { cursor: "pointer", px: 1.25, py: 0.75, fontSize: 13 },
      }}
    >
      <summary>{title}</summary>
      <Box sx={{ px: 1.25, pb: 1.25 }}>
        <JsonView value={value} maxHeight={320} />
      </Box>
    </Box>
  );
}
