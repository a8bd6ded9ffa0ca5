import Box from "@mui/material/Box";
import type { Json } from "@oven/contract";
import { toLabel } from "@oven/workflow-editor/inspector";
import type { ReactElement } from "react";
import { toChanges } from "../../components/schema-form/schema-fields.ts";

const show = (value: Json | undefined): string =>
  value === undefined ? "nothing" : typeof value === "string" ? value : JSON.stringify(value);

/** What an edit changes: old, then new. */
export function ChangeList({ before, after }: { before: Json; after: Json }): ReactElement {
  const changes = toChanges(before, after);
  if (changes.length === 0) return <Box sx={{ fontSize: 13, color: "text.secondary" }}>Nothing changed yet.</Box>;
  return (
    <Box component="ul" aria-label="Changes" sx={{ m: 0, p: 0, listStyle: "none", display: "grid", gap: 1 }}>
      {changes.map((change) => (
        <Box
          component="li"
          key={change.name}
          sx={{ fontSize: 13, lineHeight: "20px", overflowWrap: "anywhere", whiteSpace: "pre-wrap" }}
        >
          {change.name === "" ? null : <Box sx={{ color: "text.secondary" }}>{toLabel(change.name)}</Box>}
          <Box
            component="del"
            sx={{
              px: 0.5,
              borderRadius: 1,
              bgcolor: "var(--oven-status-failed-soft)",
              color: "var(--oven-status-failed)",
            }}
          >
            {show(change.before)}
          </Box>
          {" → "}
          <Box
            component="ins"
            sx={{
              px: 0.5,
              borderRadius: 1,
              textDecoration: "none",
              bgcolor: "var(--oven-status-completed-soft)",
              color: "var(--oven-status-completed)",
            }}
          >
            {show(change.after)}
          </Box>
        </Box>
      ))}
    </Box>
  );
}
