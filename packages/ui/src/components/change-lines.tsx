import Box from "@mui/material/Box";
import type { Json } from "@oven/contract";
import type { ReactElement } from "react";
import { MONOSPACE } from "../theme/tokens.ts";

export interface ChangeLine {
  /** The name of the field; empty: the value as a whole. */
  name: string;
  before: Json | undefined;
  after: Json | undefined;
}

const show = (value: Json | undefined): string =>
  value === undefined ? "nothing" : typeof value === "string" ? value : JSON.stringify(value);

/** Fields with their values before and after. */
export function ChangeLines({
  label,
  lines,
  paths = false,
}: {
  /** For who cannot see what stands above. */
  label: string;
  lines: readonly ChangeLine[];
  /** The names are paths. */
  paths?: boolean;
}): ReactElement {
  return (
    <Box component="ul" aria-label={label} sx={{ m: 0, p: 0, listStyle: "none", display: "grid", gap: 1 }}>
      {lines.map(({ name, before, after }) => (
        <Box
          component="li"
          key={name}
          sx={{ fontSize: 13, lineHeight: "20px", overflowWrap: "anywhere", whiteSpace: "pre-wrap" }}
        >
          {name === "" ? null : (
            <Box sx={{ color: "text.secondary", ...(paths ? { fontFamily: MONOSPACE, fontSize: 12 } : {}) }}>
              {name}
            </Box>
          )}
          <Value element="del" tone="failed" text={show(before)} />
          {" → "}
          <Value element="ins" tone="completed" text={show(after)} />
        </Box>
      ))}
    </Box>
  );
}

function Value({
  element,
  tone,
  text,
}: {
  element: "del" | "ins";
  tone: "failed" | "completed";
  text: string;
}): ReactElement {
  return (
    <Box
      component={element}
      sx={{
        px: 0.5,
        borderRadius: 1,
        ...(element === "ins" ? { textDecoration: "none" } : {}),
        bgcolor: `var(--oven-status-${tone}-soft)`,
        color: `var(--oven-status-${tone})`,
      }}
    >
      {text}
    </Box>
  );
}
