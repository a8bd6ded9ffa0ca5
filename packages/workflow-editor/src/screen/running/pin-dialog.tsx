import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import type { Json } from "@oven/contract";
import { t } from "@oven/i18n";
import { readTypedJson } from "@oven/ui/components/typed-value.ts";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";
import { type ReactElement, useState } from "react";

export interface PinDialogProps {
  stateId: string;
  output: Json | undefined;
  /** Undefined takes the pin away. */
  onChange: (output: Json | undefined) => void;
  onClose: () => void;
}

/** What runs of the draft take instead of calling a node. */
export function PinDialog({ stateId, output, onChange, onClose }: PinDialogProps): ReactElement {
  const [text, setText] = useState(() => JSON.stringify(output ?? {}, null, 2));
  const parsed = readTypedJson(text);
  return (
    <Dialog open onClose={onClose} maxWidth="sm" fullWidth aria-labelledby="pin-title">
      <DialogTitle id="pin-title" sx={{ fontSize: 16 }}>
        {t("Pinned output of {{stateId}}", { stateId })}
      </DialogTitle>
      <DialogContent sx={{ display: "grid", gap: 2 }}>
        <Typography variant="body2" color="text.secondary">
          {t(
            "Runs from the editor take this instead of calling the node. All who edit the workflow share it; it is no part of the workflow.",
          )}
        </Typography>
        <TextField
          label={t("Output as JSON")}
          multiline
          minRows={6}
          maxRows={16}
          autoFocus
          value={text}
          error={!parsed.ok}
          helperText={parsed.ok ? " " : parsed.message}
          onChange={(event) => setText(event.target.value)}
          slotProps={{ htmlInput: { spellCheck: false, style: { fontFamily: MONOSPACE, fontSize: 13 } } }}
        />
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2.5 }}>
        {output === undefined ? null : (
          <Button
            onClick={() => {
              onChange(undefined);
              onClose();
            }}
            sx={{ mr: "auto" }}
          >
            {t("Unpin")}
          </Button>
        )}
        <Button onClick={onClose}>{t("Cancel")}</Button>
        <Button
          variant="contained"
          disabled={!parsed.ok}
          onClick={() => {
            if (parsed.ok) onChange(parsed.value);
            onClose();
          }}
        >
          {t("Pin")}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
