import Box from "@mui/material/Box";
import type { Json } from "@oven/contract";
import { tx } from "@oven/i18n";
import type { ReactElement } from "react";
import { Code, previewJson } from "./tool-box.tsx";

/** One line about a call that has ended: the tool, how it went, and the beginning of what came back. */
export function ToolOutcome({ tool, failed, value }: { tool: string; failed: boolean; value: Json }): ReactElement {
  const shown = (
    <Box component="span" sx={{ color: "text.secondary" }}>
      <Code>{previewJson(value)}</Code>
    </Box>
  );
  const name = <Code>{tool}</Code>;
  return (
    <>
      {failed
        ? tx("{{tool}} failed: {{error}}", { tool: name, error: shown })
        : tx("{{tool}} answered {{result}}", { tool: name, result: shown })}
    </>
  );
}
