import Box from "@mui/material/Box";
import type { Json, JsonObject } from "@oven/contract";
import { t } from "@oven/i18n";
import { FieldsView } from "@oven/ui/components/fields-view.tsx";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";
import type { ReactElement } from "react";
import { DeceptiveNote } from "./deceptive-note.tsx";

/** What is proposed: text to read, the fields of an object, or the call of a tool with its arguments. */
export function ProposalView({
  proposal,
  schema,
  tool,
}: {
  proposal: Json;
  schema: JsonObject | null;
  tool: string | null;
}): ReactElement {
  return (
    <Box>
      <DeceptiveNote value={[tool, proposal]} />
      {tool === null ? null : (
        <Box sx={{ mb: 1.25, fontFamily: MONOSPACE, fontSize: 15, fontWeight: 600, overflowWrap: "anywhere" }}>
          {tool}
        </Box>
      )}
      <FieldsView value={proposal} schema={schema} what={t("the proposal")} />
    </Box>
  );
}
