import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import { MEMORY_CONTENT_LIMIT, MEMORY_KEY_LIMIT, type MemoryEntry } from "@oven/contract/ai";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { type ReactElement, useState } from "react";
import { useRefresh } from "react-admin";
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
  const missing = (entry === undefined && owner === "") || key.trim() === "" || content.trim() === "";
  return (
    <FormDialog
      title={entry === undefined ? t("New memory") : t("Correct the memory")}
      submitLabel={t("Remember")}
      failureTitle={t("The memory was not kept")}
      usable={!missing}
      onClose={onClose}
      onSubmit={async () => {
        const fact = { key: key.trim(), content: content.trim() };
        const [field = "", id] = owner.split(":");
        if (entry !== undefined) await api(`agent-memory/${entry.id}`, { method: "PUT", body: fact });
        else await api("agent-memory", { method: "POST", body: { ...fact, [field]: Number(id) } });
        refresh();
        onClose();
      }}
    >
      {entry === undefined ? (
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
      ) : null}
      <TextField
        fullWidth
        required
        label={t("What it is about")}
        placeholder={t("delivery times")}
        value={key}
        onChange={(event) => setKey(event.target.value)}
        slotProps={{ htmlInput: { maxLength: MEMORY_KEY_LIMIT } }}
      />
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
    </FormDialog>
  );
}
