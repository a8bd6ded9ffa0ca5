import Box from "@mui/material/Box";
import type { Json, JsonObject } from "@oven/contract";

import type { ReactElement } from "react";
import { ToolBox } from "./tool-box.tsx";
import { ToolOutcome } from "./tool-outcome.tsx";

interface ToolResult {
  tool: string;
  call: JsonObject;
}

/** A list of results as a tool executor gives them; null for anything else. */
export function readToolResults(value: Json): ToolResult[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const results: ToolResult[] = [];
  for (const call of value) {
    if (typeof call !== "object" || call === null || Array.isArray(call)) return null;
    if (typeof call.tool !== "string" || !("arguments" in call)) return null;
    results.push({ tool: call.tool, call });
  }
  return results;
}

/** What tools answered, one box for each call. */
export function ToolResults({ results }: { results: readonly ToolResult[] }): ReactElement {
  return (
    <Box sx={{ display: "grid", gap: 0.75 }}>
      {results.map(({ tool, call }, index) => (
        <ToolBox
          key={`${index} ${tool}`}
          failed={call.error !== undefined}
          title={
            <ToolOutcome tool={tool} failed={call.error !== undefined} value={call.error ?? call.result ?? null} />
          }
          value={call}
        />
      ))}
    </Box>
  );
}
