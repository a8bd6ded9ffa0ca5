import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import type { compareDefinitions, Json, VersionChange } from "@oven/contract";
import type { ReactElement } from "react";
import { MONOSPACE } from "../../theme/tokens.ts";

type Comparison = ReturnType<typeof compareDefinitions>;

const show = (value: Json | undefined): string =>
  value === undefined ? "nothing" : typeof value === "string" ? value : JSON.stringify(value);

/** Everything two definitions differ in, field by field: old, then new. */
export function FieldDiff({ comparison }: { comparison: Comparison }): ReactElement {
  const { added, removed, moved, changed, settings } = comparison;
  const byState = Map.groupBy(changed, ({ stateId }) => stateId);
  if (added.length + removed.length + moved.length + changed.length + settings.length === 0)
    return <Box sx={{ p: 1.75, fontSize: 13, color: "text.secondary" }}>They do the same.</Box>;
  return (
    <Box sx={{ display: "grid", gap: 1.75, p: 1.75, fontSize: 13 }}>
      <Names title="Added" ids={added} />
      <Names title="Removed" ids={removed} />
      {moved.map(({ stateId, from, to }) => (
        <div key={stateId}>
          <b>{stateId}</b> moved from {from ?? "the top"} to {to ?? "the top"}
        </div>
      ))}
      {[...byState].map(([stateId, changes]) => (
        <Changes key={stateId} title={stateId} changes={changes} />
      ))}
      {settings.length === 0 ? null : <Changes title="Settings of the workflow" changes={settings} />}
    </Box>
  );
}

function Names({ title, ids }: { title: string; ids: readonly string[] }): ReactElement | null {
  if (ids.length === 0) return null;
  return (
    <div>
      <b>{title}:</b> {ids.join(", ")}
    </div>
  );
}

function Changes({ title, changes }: { title: string; changes: readonly VersionChange[] }): ReactElement {
  return (
    <Box>
      <Typography variant="h3">{title}</Typography>
      <Box
        component="ul"
        aria-label={`Changes of ${title}`}
        sx={{ m: 0, mt: 0.5, p: 0, listStyle: "none", display: "grid", gap: 1 }}
      >
        {changes.map((change) => (
          <Box component="li" key={change.path} sx={{ overflowWrap: "anywhere", whiteSpace: "pre-wrap" }}>
            <Box sx={{ fontFamily: MONOSPACE, fontSize: 12, color: "text.secondary" }}>{change.path}</Box>
            <Box
              component="del"
              sx={{
                px: 0.5,
                borderRadius: 1,
                bgcolor: "var(--oven-status-failed-soft)",
                color: "var(--oven-status-failed)",
              }}
            >
              {show(change.from)}
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
              {show(change.to)}
            </Box>
          </Box>
        ))}
      </Box>
    </Box>
  );
}
