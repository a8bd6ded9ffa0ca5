import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import { t } from "@oven/i18n";
import { CodeBlock } from "@oven/ui/components/code-block.tsx";
import type { ReactElement } from "react";

/** The link of an invitation, this once. */
export function InvitationLinkDialog(props: { email: string; link: string; onClose: () => void }): ReactElement {
  return (
    <Dialog open maxWidth="sm" fullWidth aria-labelledby="invite-title">
      <DialogTitle id="invite-title" sx={{ fontSize: 16 }}>
        {t("Invitation for {{email}}", { email: props.email })}
      </DialogTitle>
      <DialogContent sx={{ display: "grid", gap: 2 }}>
        <CodeBlock text={props.link} what={t("the invitation link")} />
        <Alert severity="info">
          {t(
            "Copy the link and hand it over yourself: no mail is sent, and it is not shown again. It works once, for seven days.",
          )}
        </Alert>
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2.5 }}>
        <Button variant="contained" onClick={props.onClose}>
          {t("I have copied it")}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
