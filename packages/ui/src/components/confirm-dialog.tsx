import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import Typography from "@mui/material/Typography";
import { t } from "@oven/i18n";
import { type ReactElement, useState } from "react";
import { ErrorPanel } from "./error-panel.tsx";

export interface ConfirmDialogProps {
  open: boolean;
  /** Names the thing: `Delete "Support reply"?` */
  title: string;
  text: string;
  confirmLabel: string;
  onConfirm: () => Promise<void>;
  onClose: () => void;
}

/** Asks once. A failure stays in the dialog with what to do. */
export function ConfirmDialog({
  open,
  title,
  text,
  confirmLabel,
  onConfirm,
  onClose,
}: ConfirmDialogProps): ReactElement {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const close = (): void => {
    setFailure(null);
    onClose();
  };
  const confirm = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      await onConfirm();
      close();
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog open={open} onClose={close} maxWidth="xs" fullWidth aria-labelledby="confirm-title">
      <DialogTitle id="confirm-title" sx={{ fontSize: 16, pb: 0.5 }}>
        {title}
      </DialogTitle>
      <DialogContent>
        <Typography color="text.secondary">{text}</Typography>
        {failure === null ? null : (
          <div style={{ marginTop: 16 }}>
            <ErrorPanel error={failure} title={t("That did not work")} />
          </div>
        )}
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2.5 }}>
        <Button onClick={close}>{t("Keep")}</Button>
        <Button variant="contained" color="error" loading={busy} onClick={() => void confirm()}>
          {confirmLabel}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
