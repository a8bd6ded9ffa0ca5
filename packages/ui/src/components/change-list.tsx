import Box from "@mui/material/Box";
import { type Json, toLabel } from "@oven/contract";
import { t } from "@oven/i18n";
import type { ReactElement } from "react";
import { ChangeLines } from "./change-lines.tsx";
import { toChanges } from "./schema-form/schema-fields.ts";

/** What an edit changes: old, then new. */
export function ChangeList({ before, after }: { before: Json; after: Json }): ReactElement {
  const changes = toChanges(before, after);
  if (changes.length === 0)
    return <Box sx={{ fontSize: 13, color: "text.secondary" }}>{t("Nothing changed yet.")}</Box>;
  const lines = changes.map((change) => ({ ...change, name: change.name === "" ? "" : toLabel(change.name) }));
  return <ChangeLines label={t("Changes")} lines={lines} />;
}
