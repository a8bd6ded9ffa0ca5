import PauseRounded from "@mui/icons-material/PauseRounded";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import type { NewHold } from "@oven/contract/run";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import { type ReactElement, useState } from "react";

export interface HoldButtonProps {
  about: NewHold;
  label: string;
  /** Of the dialog: what is held. */
  title: string;
  onDone: () => void;
}

/** Holds something, with a reason; nothing for those who may not. */
export function HoldButton({ about, label, title, onDone }: HoldButtonProps): ReactElement | null {
  const mayManage = useCan("holds.manage");
  const [asking, setAsking] = useState(false);
  const [reason, setReason] = useState("");
  if (!mayManage) return null;
  return (
    <>
      <Button startIcon={<PauseRounded />} onClick={() => setAsking(true)}>
        {label}
      </Button>
      {asking ? (
        <FormDialog
          title={title}
          submitLabel={t("Hold")}
          failureTitle={t("Nothing is held")}
          maxWidth="xs"
          usable
          onClose={() => setAsking(false)}
          onSubmit={async () => {
            await api("holds", { method: "POST", body: { ...about, ...(reason.trim() !== "" && { reason }) } });
            setAsking(false);
            setReason("");
            onDone();
          }}
        >
          <Typography variant="body2" color="text.secondary" sx={{ mb: 2 }}>
            {t(
              "Calls that are under way finish and are recorded; no new step begins. Nothing is lost, and it goes on where it stands when you let it.",
            )}
          </Typography>
          <TextField
            fullWidth
            multiline
            maxRows={4}
            autoFocus
            label={t("Reason (optional)")}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        </FormDialog>
      ) : null}
    </>
  );
}
