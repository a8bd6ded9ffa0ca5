import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import { MEMORY_CONTENT_LIMIT, MEMORY_KEY_LIMIT, type MemoryEntry } from "@oven/contract/ai";
import { t } from "@oven/i18n";
import { type FormEvent, type ReactElement, useState } from "react";
import { useRefresh } from "react-admin";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { useAction } from "../../components/use-action.ts";
import { api } from "../../providers/api-client.ts";
import type { Owners } from "./use-owners.ts";

export interface MemoryDialogProps {
  owners: Owners;
  /** Absent: a new one. */
  entry?: MemoryEntry;
  onClose: () => void;
}

/** Writes a memory, or corrects one; either way it is embedded anew. */
export function MemoryDialog({ owners, entry, onClose }: MemoryDialogProps): ReactElement {
  const [owner, setOwner] = useState("");
  const [key, setKey] = useState(entry?.key ?? "");
  const [content, setContent] = useState(entry?.content ?? "");
  const refresh = useRefresh();
  const { busy, failure, run } = useAction(async () => {
    const fact = { key: key.trim(), content: content.trim() };
    const [field = "", id] = owner.split(":");
    if (entry !== undefined) await api(`agent-memory/${entry.id}`, { method: "PUT", body: fact });
    else await api("agent-memory", { method: "POST", body: { ...fact, [field]: Number(id) } });
    refresh();
    onClose();
  });
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void run();
  };
  const missing = (entry === undefined && owner === "") || key.trim() === "" || content.trim() === "";
  return (
    <Dialog open onClose={onClose} maxWidth="sm" fullWidth aria-labelledby="memory-title">
      <Box component="form" onSubmit={onSubmit}>
        <DialogTitle id="memory-title" sx={{ fontSize: 16 }}>
          {entry === undefined ? t("New memory") : t("Correct the memory")}
        </DialogTitle>
        <DialogContent sx={{ display: "grid", gap: 2 }}>
          {entry === undefined ? (
            <Box sx={{ pt: 0.75 }}>
              <TextField
                select
                fullWidth
                required
                label={t("Who remembers it")}
                value={owner}
                onChange={(event) => setOwner(event.target.value)}
                helperText={t("It is remembered about everybody; runs remember about the person they talk to.")}
              >
                {owners.choices.map((choice) => (
                  <MenuItem key={choice.key} value={choice.key}>
                    {choice.name}
                  </MenuItem>
                ))}
              </TextField>
            </Box>
          ) : null}
          <Box sx={entry === undefined ? {} : { pt: 0.75 }}>
            <TextField
              fullWidth
              required
              label={t("What it is about")}
              placeholder={t("delivery times")}
              value={key}
              onChange={(event) => setKey(event.target.value)}
              slotProps={{ htmlInput: { maxLength: MEMORY_KEY_LIMIT } }}
            />
          </Box>
          <TextField
            fullWidth
            required
            multiline
            minRows={3}
            maxRows={10}
            label={t("What to remember")}
            value={content}
            onChange={(event) => setContent(event.target.value)}
            slotProps={{ htmlInput: { maxLength: MEMORY_CONTENT_LIMIT } }}
          />
          {failure === null ? null : <ErrorPanel error={failure} title={t("The memory was not kept")} />}
        </DialogContent>
        <DialogActions sx={{ px: 3, pb: 2.5 }}>
          <Button onClick={onClose}>{t("Close")}</Button>
          <Button type="submit" variant="contained" loading={busy} disabled={missing}>
            {t("Remember")}
          </Button>
        </DialogActions>
      </Box>
    </Dialog>
  );
}
