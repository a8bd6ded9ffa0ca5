import UploadFileOutlined from "@mui/icons-material/UploadFileOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Checkbox from "@mui/material/Checkbox";
import FormControlLabel from "@mui/material/FormControlLabel";
import type { RecognitionLanguage, VectorStore } from "@oven/contract/ai";
import { t } from "@oven/i18n";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { visuallyHidden } from "@oven/ui/components/visually-hidden.ts";
import { type DragEvent, type ReactElement, useRef, useState } from "react";
import { AddPageDialog, AddTextDialog } from "./add-dialogs.tsx";
import { ACCEPTED } from "./document-words.ts";
import { RecognitionLanguages } from "./recognition-languages.tsx";
import { useUploads } from "./use-uploads.ts";

interface AddDocumentsProps {
  store: VectorStore;
  onAdded: () => void;
}

/** Files by drop or from a picker, a text, or a page of the internet. */
export function AddDocuments({ store, onAdded }: AddDocumentsProps): ReactElement {
  const { uploads, add, retry, dismiss } = useUploads(store.id, onAdded);
  const [recognizes, setRecognizes] = useState(false);
  const [languages, setLanguages] = useState<RecognitionLanguage[]>(["eng"]);
  const addFiles = (files: FileList | null): void =>
    add([...(files ?? [])], recognizes && languages.length > 0 ? languages : null);
  const [over, setOver] = useState(false);
  const [open, setOpen] = useState<"text" | "page" | null>(null);
  const picker = useRef<HTMLInputElement>(null);
  const sending = uploads.filter(({ state }) => state !== "failed").length;
  const close = (added: boolean): void => {
    setOpen(null);
    if (added) onAdded();
  };
  return (
    <Box
      component="section"
      aria-label={t("Add documents")}
      onDragOver={(event: DragEvent) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event: DragEvent) => {
        event.preventDefault();
        setOver(false);
        addFiles(event.dataTransfer.files);
      }}
      sx={{
        display: "grid",
        gap: 1.5,
        p: 2,
        borderRadius: 2,
        border: "1.5px dashed",
        borderColor: over ? "primary.main" : "var(--oven-border-strong)",
        bgcolor: over ? "action.selected" : "transparent",
      }}
    >
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1, alignItems: "center" }}>
        <Box sx={{ flex: "1 1 220px", fontSize: 13.5, color: "text.secondary" }}>
          {t(
            "Drop files here: text, Markdown, HTML, PDF or Word, up to 20 MiB each. A file of the same name replaces the one before.",
          )}
        </Box>
        <Button variant="contained" startIcon={<UploadFileOutlined />} onClick={() => picker.current?.click()}>
          {t("Choose files")}
        </Button>
        <Button variant="outlined" onClick={() => setOpen("text")}>
          {t("Paste text")}
        </Button>
        <Button variant="outlined" onClick={() => setOpen("page")}>
          {t("Add a page")}
        </Button>
        <input
          ref={picker}
          type="file"
          multiple
          tabIndex={-1}
          accept={ACCEPTED}
          aria-label={t("Files to add")}
          style={visuallyHidden}
          onChange={(event) => {
            addFiles(event.target.files);
            event.target.value = "";
          }}
        />
      </Box>
      <Box sx={{ display: "flex", flexWrap: "wrap", columnGap: 3, alignItems: "center" }}>
        <FormControlLabel
          label={t("Recognize text on scanned pages of PDFs (some seconds a page)")}
          control={
            <Checkbox size="small" checked={recognizes} onChange={(_event, checked) => setRecognizes(checked)} />
          }
        />
        {recognizes ? <RecognitionLanguages value={languages} onChange={setLanguages} /> : null}
      </Box>
      {sending > 0 ? (
        <Box role="status" sx={{ fontSize: 13.5 }}>
          {t("Sending {{count}} files…", { count: sending })}
        </Box>
      ) : null}
      {uploads.map(({ id, file, state, failure, isRefused }) =>
        state === "failed" ? (
          <ErrorPanel
            key={id}
            error={failure}
            title={t("{{name}} was not added", { name: file.name })}
            onRetry={isRefused ? undefined : () => retry(id)}
          >
            <Button
              size="small"
              onClick={() => dismiss(id)}
              aria-label={t("Leave it out: {{name}}", { name: file.name })}
            >
              {t("Leave it out")}
            </Button>
          </ErrorPanel>
        ) : null,
      )}
      {open === "text" ? <AddTextDialog store={store} onClose={close} /> : null}
      {open === "page" ? <AddPageDialog store={store} onClose={close} /> : null}
    </Box>
  );
}
