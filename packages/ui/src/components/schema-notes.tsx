import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import type { SchemaNote } from "@oven/contract";
import { t } from "@oven/i18n";
import type { ReactElement } from "react";
import { MONOSPACE } from "../theme/tokens.ts";
import { schemaNoteText } from "./schema-note-text.ts";

/** What models and clients do not see of the schema of a tool or an agent. */
export function SchemaNotes({ notes = [] }: { notes?: readonly SchemaNote[] | undefined }): ReactElement | null {
  if (notes.length === 0) return null;
  return (
    <Box component="details" sx={{ "& > summary": { cursor: "pointer" } }}>
      <Typography component="summary" variant="body2">
        {t("{{count}} parts of its schema are not shown to every model or client", { count: notes.length })}
      </Typography>
      <Typography variant="body2" color="text.secondary" sx={{ mt: 0.5 }}>
        {t("They cannot take them. Each call is still checked by the whole schema, unless it says “not checked”.")}
      </Typography>
      <Box component="ul" sx={{ m: 0, mt: 0.5, pl: 2.5, fontSize: 13 }}>
        {notes.map((note) => (
          <Box component="li" key={`${note.path} ${note.message}`} sx={{ overflowWrap: "anywhere" }}>
            <Box component="span" sx={{ fontFamily: MONOSPACE }}>
              {note.path}
            </Box>{" "}
            {schemaNoteText(note)}
          </Box>
        ))}
      </Box>
    </Box>
  );
}
