import TextField from "@mui/material/TextField";
import type { VectorStore } from "@oven/contract/ai";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { type ReactElement, useState } from "react";

interface AddDialogProps {
  store: VectorStore;
  onClose: (added: boolean) => void;
}

/** A text as a document; of the same title it replaces the one before. */
export function AddTextDialog({ store, onClose }: AddDialogProps): ReactElement {
  const [title, setTitle] = useState("");
  const [text, setText] = useState("");
  return (
    <FormDialog
      title={t("Add a text")}
      submitLabel={t("Add it")}
      failureTitle={t("The text was not added")}
      usable={title.trim() !== "" && text.trim() !== ""}
      onClose={() => onClose(false)}
      onSubmit={async () => {
        const body = { title: title.trim(), key: title.trim().slice(0, 200), text, mediaType: "text/markdown" };
        await api(`vector-stores/${store.id}/documents`, { method: "POST", body });
        onClose(true);
      }}
    >
      <TextField
        autoFocus
        required
        label={t("Title")}
        helperText={t("Embedded with each passage. A text of the same title is replaced.")}
        value={title}
        onChange={(event) => setTitle(event.target.value)}
        slotProps={{ htmlInput: { maxLength: 300 } }}
      />
      <TextField
        required
        multiline
        minRows={8}
        maxRows={20}
        label={t("Text")}
        helperText={t("Headings of Markdown say where a passage belongs")}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </FormDialog>
  );
}

/** A page of the internet, read once. */
export function AddPageDialog({ store, onClose }: AddDialogProps): ReactElement {
  const [url, setUrl] = useState("");
  const [title, setTitle] = useState("");
  return (
    <FormDialog
      title={t("Add a page")}
      submitLabel={t("Read it")}
      failureTitle={t("The page was not added")}
      usable={/^https?:\/\/./.test(url.trim())}
      onClose={() => onClose(false)}
      onSubmit={async () => {
        const body = { url: url.trim(), ...(title.trim() === "" ? {} : { title: title.trim() }) };
        await api(`vector-stores/${store.id}/documents/page`, { method: "POST", body });
        onClose(true);
      }}
    >
      <TextField
        autoFocus
        required
        label={t("Address")}
        placeholder="https://example.com/handbook"
        helperText={t("It is read once, now. Add it again to read it again.")}
        value={url}
        onChange={(event) => setUrl(event.target.value)}
      />
      <TextField
        label={t("Title")}
        helperText={t("Empty: the address")}
        value={title}
        onChange={(event) => setTitle(event.target.value)}
      />
    </FormDialog>
  );
}
