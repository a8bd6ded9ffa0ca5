import TextField from "@mui/material/TextField";
import type { ChatSession } from "@oven/contract/agent";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { type ReactElement, useState } from "react";

/** Gives a chat another title. */
export function RenameDialog({
  session,
  onClose,
}: {
  session: ChatSession;
  onClose: (renamed: boolean) => void;
}): ReactElement {
  const [title, setTitle] = useState(session.title ?? "");
  const save = async (): Promise<void> => {
    await api(`chat-sessions/${session.id}`, { method: "PUT", body: { title: title.trim() } });
    onClose(true);
  };
  return (
    <FormDialog
      title={t("Rename the chat")}
      submitLabel={t("Rename")}
      failureTitle={t("It was not renamed")}
      maxWidth="xs"
      usable={title.trim() !== ""}
      onSubmit={save}
      onClose={() => onClose(false)}
    >
      <TextField
        autoFocus
        label={t("Title")}
        value={title}
        onChange={(event) => setTitle(event.target.value)}
        slotProps={{ htmlInput: { maxLength: 200 } }}
      />
    </FormDialog>
  );
}
