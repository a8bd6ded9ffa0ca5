import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import type { Json } from "@oven/contract";
import { t } from "@oven/i18n";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";
import { type ReactElement, useState } from "react";
import { VARIABLE_TYPE } from "../../inspector/dragged-variable.ts";
import type { Variable } from "../../inspector/variables.ts";

export interface VariableListProps {
  variables: readonly Variable[];
  lastValue: (variable: Variable) => Json | undefined;
}

const LONGEST = 60;
/** More of it would cover the page. */
const LONGEST_WHOLE = 2_000;

function toText(value: Json | undefined): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function cut(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** One variable: how it is written, its type, whether it is sure to be there, and its last value. */
export function VariableRow({
  variable,
  value,
  whole = false,
}: {
  variable: Variable;
  value: Json | undefined;
  /** All of its value, not its beginning. */
  whole?: boolean;
}): ReactElement {
  const text = toText(value);
  const shown = whole ? cut(text, LONGEST_WHOLE) : cut(text, LONGEST);
  const { path, type, always, keys } = variable;
  return (
    <Box sx={{ minWidth: 0, width: "100%", pl: Math.max(0, keys.length - 1) }}>
      <Box sx={{ display: "flex", gap: 1, alignItems: "baseline" }}>
        <Box sx={{ fontFamily: MONOSPACE, fontSize: 12.5, overflowWrap: "anywhere", flex: 1 }}>{path}</Box>
        <Box sx={{ fontSize: 11.5, color: "text.secondary", flex: "none" }}>
          {[type, always ? t("always there") : "maybe"].filter((part) => part !== null).join(" · ")}
        </Box>
      </Box>
      {shown === "" ? null : (
        <Box
          sx={{
            fontSize: 12,
            color: "text.secondary",
            overflowWrap: "anywhere",
            ...(whole ? { maxHeight: 160, overflow: "auto", whiteSpace: "pre-wrap" } : {}),
          }}
        >
          {shown}
        </Box>
      )}
    </Box>
  );
}

/** A long value is shown whole on demand. */
function OpenRow({ variable, value }: { variable: Variable; value: Json | undefined }): ReactElement {
  const [open, setOpen] = useState(false);
  if (toText(value).length <= LONGEST) return <VariableRow variable={variable} value={value} />;
  return (
    <Box sx={{ display: "flex", alignItems: "flex-start" }}>
      <VariableRow variable={variable} value={value} whole={open} />
      <Button
        size="small"
        variant="text"
        aria-expanded={open}
        aria-label={t("Whole value of {{path}}", { path: variable.path })}
        onClick={() => setOpen(!open)}
        sx={{ minWidth: 0, py: 0, fontSize: 12, flex: "none" }}
      >
        {open ? t("Less") : t("All")}
      </Button>
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
            <Box
              key={variable.path}
              draggable
              title={t("Drag it onto a field")}
              sx={{ cursor: "grab", borderRadius: 1, "&:hover": { bgcolor: "action.hover" } }}
              onDragStart={(event) => {
                event.dataTransfer.setData(VARIABLE_TYPE, variable.path);
                event.dataTransfer.effectAllowed = "copy";
              }}
            >
              <OpenRow variable={variable} value={lastValue(variable)} />
            </Box>
          ))}
        </Box>
      ))}
    </Box>
  );
}
