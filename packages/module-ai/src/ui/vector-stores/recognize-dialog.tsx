import Box from "@mui/material/Box";
import type { KnowledgeDocument, RecognitionLanguage } from "@oven/contract/ai";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { type ReactElement, useState } from "react";
import { languageNames } from "./document-words.ts";
import { RecognitionLanguages } from "./recognition-languages.tsx";

interface RecognizeDialogProps {
  document: KnowledgeDocument;
  onClose: (isAsked: boolean) => void;
}

/** Asks for the languages, and has the document taken in anew with the text of its pages recognized. */
export function RecognizeDialog({ document, onClose }: RecognizeDialogProps): ReactElement {
  const { id, vectorStoreId, recognition } = document;
  const [languages, setLanguages] = useState<RecognitionLanguage[]>(recognition?.languages ?? ["eng"]);
  const isOther = languageNames(languages) !== languageNames(recognition?.languages ?? []);
  return (
    <FormDialog
      title={t("Recognize text")}
      submitLabel={t("Recognize it")}
      failureTitle={t("Text recognition was not started")}
      usable={languages.length > 0 && isOther}
      onClose={() => onClose(false)}
      onSubmit={async () => {
        const path = `vector-stores/${vectorStoreId}/documents/${id}/recognize`;
        await api(path, { method: "POST", body: { languages } });
        onClose(true);
      }}
    >
      <Box>
        {t(
          "Pages without text are drawn and read, which takes some seconds each, on this server. Then the whole document is embedded again; until it is ready, it is found as it is now.",
        )}
      </Box>
      <RecognitionLanguages value={languages} onChange={setLanguages} />
    </FormDialog>
  );
}
