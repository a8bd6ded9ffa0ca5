import Box from "@mui/material/Box";
import type { Json } from "@oven/contract";
import type { Variable } from "@oven/workflow-editor/inspector";
import type { ReactElement } from "react";
import { MONOSPACE } from "../../theme/tokens.ts";

export interface VariableListProps {
  variables: readonly Variable[];
  lastValue: (variable: Variable) => Json | undefined;
}

const LONGEST = 60;

function toShort(value: Json | undefined): string {
  if (value === undefined) return "";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** One variable: how it is written, its type, whether it is sure to be there, and its last value. */
export function VariableRow({ variable, value }: { variable: Variable; value: Json | undefined }): ReactElement {
  const shown = toShort(value);
  const { path, type, always, keys } = variable;
  return (
    <Box sx={{ minWidth: 0, width: "100%", pl: Math.max(0, keys.length - 1) }}>
      <Box sx={{ display: "flex", gap: 1, alignItems: "baseline" }}>
        <Box sx={{ fontFamily: MONOSPACE, fontSize: 12.5, overflowWrap: "anywhere", flex: 1 }}>{path}</Box>
        <Box sx={{ fontSize: 11.5, color: "text.secondary", flex: "none" }}>
          {[type, always ? "always there" : "maybe"].filter((part) => part !== null).join(" · ")}
        </Box>
      </Box>
      {shown === "" ? null : (
        <Box sx={{ fontSize: 12, color: "text.secondary", overflowWrap: "anywhere" }}>{shown}</Box>
      )}
    </Box>
  );
}

/** Everything that is in scope, under the step or source it comes from. */
export function VariableList({ variables, lastValue }: VariableListProps): ReactElement {
  const groups = Map.groupBy(variables, ({ group }) => group);
  return (
    <Box sx={{ display: "grid", gap: 1.25 }}>
      {[...groups].map(([group, rows]) => (
        <Box key={group}>
          <Box sx={{ fontSize: 12, fontWeight: 600, color: "text.secondary", mb: 0.25 }}>{group}</Box>
          {rows.map((variable) => (
            <VariableRow key={variable.path} variable={variable} value={lastValue(variable)} />
          ))}
        </Box>
      ))}
    </Box>
  );
}
