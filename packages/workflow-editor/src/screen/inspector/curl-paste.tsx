import ContentPasteRounded from "@mui/icons-material/ContentPasteRounded";
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import type { JsonObject } from "@oven/contract";
import { isObject } from "@oven/contract";
import { t } from "@oven/i18n";
import { findState, getAt, setAt } from "@oven/scope";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";
import { type ReactElement, useState } from "react";
import type { EditorStore } from "../../editor/editor-store.ts";
import { parseCurl } from "../../inspector/curl/parse-curl.ts";

/** What a command says anew; the rest of the step's input stays. */
const OF_COMMAND = ["method", "url", "urlSecrets", "query", "headers", "body", "bodyType"];

export interface CurlPasteProps {
  store: EditorStore;
  stateId: string;
  /** The step was filled: its fields are decided anew. */
  onFilled: () => void;
}

/** Fills an HTTP step from a curl command, in one step of undo. */
export function CurlPaste({ store, stateId, onFilled }: CurlPasteProps): ReactElement {
  const [open, setOpen] = useState(false);
  const [reason, setReason] = useState<string | null>(null);
  const [notes, setNotes] = useState<readonly string[]>([]);
  const fill = (text: string): void => {
    const parsed = parseCurl(text);
    setReason(parsed.ok ? null : parsed.reason);
    if (!parsed.ok) return;
    store.flush();
    const address = findState(store.document, stateId)?.address;
    if (address === undefined) return;
    const at = [...address, "invoke", "input"];
    const before = getAt(store.document, at);
    const kept: JsonObject = Object.fromEntries(
      Object.entries(isObject(before) ? before : {}).filter(([name]) => !OF_COMMAND.includes(name)),
    );
    store.apply(t("Fill {{id}} from a curl command", { id: stateId }), {
      document: setAt(store.document, at, { ...kept, ...parsed.input }),
    });
    setNotes(parsed.notes);
    setOpen(false);
    onFilled();
  };
  return (
    <Box sx={{ display: "grid", gap: 1 }}>
      <Button
        size="small"
        variant="outlined"
        startIcon={<ContentPasteRounded />}
        aria-expanded={open}
        onClick={() => {
          setOpen(!open);
          setReason(null);
        }}
        sx={{ justifySelf: "start" }}
      >
        {t("Paste a curl command")}
      </Button>
      {open ? (
        <TextField
          label={t("curl command")}
          placeholder="curl https://api.example.com/items -H 'Accept: application/json'"
          multiline
          minRows={3}
          maxRows={8}
          autoFocus
          error={reason !== null}
          helperText={reason ?? t("It is read, not run. Enter fills the step.")}
          onPaste={(event) => {
            event.preventDefault();
            fill(event.clipboardData.getData("text"));
          }}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || !(event.target instanceof HTMLTextAreaElement)) return;
            event.preventDefault();
            fill(event.target.value);
          }}
          slotProps={{ htmlInput: { spellCheck: false, style: { fontFamily: MONOSPACE, fontSize: 12.5 } } }}
        />
      ) : null}
      {notes.length === 0 ? null : (
        <Alert severity="info" onClose={() => setNotes([])} sx={{ fontSize: 12.5, overflowWrap: "anywhere" }}>
          <Box component="ul" aria-label={t("What to know about this command")} sx={{ m: 0, pl: 2 }}>
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </Box>
        </Alert>
      )}
    </Box>
  );
}
