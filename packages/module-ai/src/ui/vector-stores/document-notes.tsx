import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import type { DocumentWarning, KnowledgeDocument } from "@oven/contract/ai";
import { t } from "@oven/i18n";
import { useCan } from "@oven/ui/components/use-can.ts";
import { type ReactElement, useState } from "react";
import { languageNames, listPages, recognizeLabel, warningText } from "./document-words.ts";
import { RecognizeDialog } from "./recognize-dialog.tsx";

/** Pages that are named; a long list hides what is said of them. */
const MOST_NAMED = 20;

interface DocumentNotesProps {
  document: KnowledgeDocument;
  /** It is taken in anew. */
  onChanged: () => void;
}

/** What is to be said of a document: why it failed, what of it is not found, what was recognized, and what can be done. */
export function DocumentNotes({ document, onChanged }: DocumentNotesProps): ReactElement {
  const { title, status, error, warnings, recognition } = document;
  const [isAsking, setIsAsking] = useState(false);
  const label = recognizeLabel(document);
  const mayUpdate = useCan("vector-stores.update");
  const wide = { flex: "1 1 100%", overflowWrap: "anywhere" } as const;
  return (
    <>
      {error === null ? null : (
        <Alert severity={status === "failed" ? "error" : "warning"} sx={wide}>
          {error.message}
          {error.fix === null ? null : <Box>{error.fix}</Box>}
        </Alert>
      )}
      {status === "ready" && recognition !== null && recognition.pages.length > 0 ? (
        <Alert severity="info" sx={wide}>
          {t("{{count}} pages were read by text recognition ({{languages}}): {{pages}}.", {
            count: recognition.pages.length,
            languages: languageNames(recognition.languages),
            pages: listPages(recognition.pages.slice(0, MOST_NAMED), recognition.pages.length),
          })}
        </Alert>
      ) : null}
      {warnings.map((warning) => (
        <Alert key={keyOf(warning)} severity="warning" sx={wide}>
          {warningText(warning)}
        </Alert>
      ))}
      {label !== null && mayUpdate ? (
        <Button size="small" variant="outlined" aria-label={`${label}: ${title}`} onClick={() => setIsAsking(true)}>
          {label}
        </Button>
      ) : null}
      {isAsking ? (
        <RecognizeDialog
          document={document}
          onClose={(isAsked) => {
            setIsAsking(false);
            if (isAsked) onChanged();
          }}
        />
      ) : null}
    </>
  );
}

function keyOf(warning: DocumentWarning): string {
  return warning.kind === "pages-not-recognized" ? `${warning.kind} ${warning.reason}` : warning.kind;
}
