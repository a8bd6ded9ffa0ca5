import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import { t } from "@oven/i18n";
import { type FormEvent, type ReactElement, type ReactNode, useId } from "react";
import { ErrorPanel } from "./error-panel.tsx";
import { useAction } from "./use-action.ts";

export interface FormDialogProps {
  title: string;
  submitLabel: string;
  submitIcon?: ReactNode;
  /** What is told when it fails: "The provider was not saved". */
  failureTitle: string;
  /** Whether what is filled in can be sent. */
  usable: boolean;
  onSubmit: () => Promise<void>;
  onClose: () => void;
  maxWidth?: "xs" | "sm" | "md";
  /** Left of the buttons. */
  extra?: ReactNode;
  children: ReactNode;
}

/** Fields in a dialog that are sent together. A failure stays in the dialog with what to do. */
export function FormDialog(props: FormDialogProps): ReactElement {
  const {
    title,
    submitLabel,
    submitIcon,
    failureTitle,
    usable,
    onSubmit,
    onClose,
    maxWidth = "sm",
    extra,
    children,
  } = props;
  const { busy, failure, run } = useAction(onSubmit);
  const id = useId();
  return (
    <Dialog open onClose={onClose} maxWidth={maxWidth} fullWidth aria-labelledby={id}>
      <Box
        component="form"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          // A dialog inside of another page's form would send that one too.
          event.stopPropagation();
          void run();
        }}
        sx={{ display: "flex", flexDirection: "column", minHeight: 0 }}
      >
        <DialogTitle id={id} sx={{ fontSize: 16, overflowWrap: "anywhere" }}>
          {title}
        </DialogTitle>
        <DialogContent>
          {/* A label that floats above the first field needs room. */}
          <Box sx={{ display: "grid", gridTemplateColumns: "minmax(0, 1fr)", gap: 2.25, pt: 0.75 }}>
            {children}
            {failure === null ? null : <ErrorPanel error={failure} title={failureTitle} />}
          </Box>
        </DialogContent>
        <DialogActions sx={{ px: 3, pb: 2.5, flexWrap: "wrap", rowGap: 1 }}>
          {extra}
          <Box sx={{ flex: 1 }} />
          <Button onClick={onClose}>{t("Close")}</Button>
          <Button type="submit" variant="contained" startIcon={submitIcon} loading={busy} disabled={!usable}>
            {submitLabel}
          </Button>
        </DialogActions>
      </Box>
    </Dialog>
  );
}
