import Box from "@mui/material/Box";
import type { Json } from "@oven/contract";
import { t } from "@oven/i18n";
import { toLabel } from "@oven/workflow-editor/inspector";
import type { ReactElement } from "react";
import { ChangeLines } from "../../components/change-lines.tsx";
import { toChanges } from "../../components/schema-form/schema-fields.ts";

/** What an edit changes: old, then new. */
export function ChangeList({ before, after }: { before: Json; after: Json }): ReactElement {
  const changes = toChanges(before, after);
  if (changes.length === 0)
    return <Box sx={{ fontSize: 13, color: "text.secondary" }}>{t("Nothing changed yet.")}</Box>;
  const lines = changes.map((change) => ({ ...change, name: change.name === "" ? "" : toLabel(change.name) }));
  return <ChangeLines label={t("Changes")} lines={lines} />;
}
