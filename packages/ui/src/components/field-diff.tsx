import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import type { compareDefinitions, VersionChange } from "@oven/contract/workflow";
import { t, tx } from "@oven/i18n";
import type { ReactElement } from "react";
import { ChangeLines } from "./change-lines.tsx";

type Comparison = ReturnType<typeof compareDefinitions>;

/** Everything two definitions differ in, field by field: old, then new. */
export function FieldDiff({ comparison }: { comparison: Comparison }): ReactElement {
  const { added, removed, moved, changed, settings } = comparison;
  const byState = Map.groupBy(changed, ({ stateId }) => stateId);
  if (added.length + removed.length + moved.length + changed.length + settings.length === 0)
    return <Box sx={{ p: 1.75, fontSize: 13, color: "text.secondary" }}>{t("They do the same.")}</Box>;
  return (
    <Box sx={{ display: "grid", gap: 1.75, p: 1.75, fontSize: 13 }}>
      <Names title={t("Added")} ids={added} />
      <Names title={t("Removed")} ids={removed} />
      {moved.map(({ stateId, from, to }) => (
        <div key={stateId}>
          {tx("{{stateId}} moved from {{from}} to {{to}}", {
            stateId: <b>{stateId}</b>,
            from: from ?? t("the top"),
            to: to ?? t("the top"),
          })}
        </div>
      ))}
      {[...byState].map(([stateId, changes]) => (
        <Changes key={stateId} title={stateId} changes={changes} />
      ))}
      {settings.length === 0 ? null : <Changes title={t("Settings of the workflow")} changes={settings} />}
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
  const lines = changes.map(({ path, from, to }) => ({ name: path, before: from, after: to }));
  return (
    <Box sx={{ display: "grid", gap: 0.5 }}>
      <Typography variant="h3">{title}</Typography>
      <ChangeLines label={t("Changes of {{title}}", { title })} lines={lines} paths />
    </Box>
  );
}
