import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import TextField from "@mui/material/TextField";
import type { ChatSession } from "@oven/contract/agent";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { type FormEvent, type ReactElement, useState } from "react";

/** Gives a chat another title. */
export function RenameDialog({
  session,
  onClose,
}: {
  session: ChatSession;
  onClose: (renamed: boolean) => void;
}): ReactElement {
  const [title, setTitle] = useState(session.title ?? "");
  const save = useAction(async () => {
    await api(`chat-sessions/${session.id}`, { method: "PUT", body: { title: title.trim() } });
    onClose(true);
  });
  return (
    <Dialog open onClose={() => onClose(false)} maxWidth="xs" fullWidth aria-labelledby="rename-title">
      <Box
        component="form"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void save.run();
        }}
      >
        <DialogTitle id="rename-title" sx={{ fontSize: 16 }}>
          {t("Rename the chat")}
        </DialogTitle>
        <DialogContent sx={{ display: "grid", gap: 2 }}>
          <TextField
            autoFocus
            label={t("Title")}
            value={title}
            onChange={(event) => setTitle(event.target.value)}
            slotProps={{ htmlInput: { maxLength: 200 } }}
            sx={{ mt: 0.75 }}
          />
          {save.failure === null ? null : <ErrorPanel error={save.failure} title={t("It was not renamed")} />}
        </DialogContent>
        <DialogActions sx={{ px: 3, pb: 2.5 }}>
          <Button onClick={() => onClose(false)}>{t("Cancel")}</Button>
          <Button type="submit" variant="contained" loading={save.busy} disabled={title.trim() === ""}>
            {t("Rename")}
          </Button>
        </DialogActions>
      </Box>
    </Dialog>
  );
}
