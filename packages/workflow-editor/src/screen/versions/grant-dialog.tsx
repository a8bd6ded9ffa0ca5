import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import type { GrantReport } from "@oven/contract/access";
import { t } from "@oven/i18n";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import type { ReactElement } from "react";
import { GrantView } from "./grant-view.tsx";

interface GrantDialogProps {
  path: string;
  version: number;
  onClose: () => void;
  /** Beside the way out: what can be done about permissions that are missing. */
  action?: ReactElement | undefined;
}

/** What a published version may do. */
export function GrantDialog({ path, version, onClose, action }: GrantDialogProps): ReactElement {
  const answer = useAnswer<GrantReport>(path);
  return (
    <Dialog open onClose={onClose} maxWidth="xs" fullWidth aria-labelledby="grant-title">
      <DialogTitle id="grant-title" sx={{ fontSize: 16 }}>
        {t("Permissions of version {{version}}", { version })}
      </DialogTitle>
      <DialogContent>
        <GrantView answer={answer} />
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2.5 }}>
        {action}
        <Button onClick={onClose}>{t("Close")}</Button>
      </DialogActions>
    </Dialog>
  );
}
