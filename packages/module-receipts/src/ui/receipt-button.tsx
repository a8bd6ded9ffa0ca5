import ReceiptLongOutlined from "@mui/icons-material/ReceiptLongOutlined";
import Button from "@mui/material/Button";
import ListItemText from "@mui/material/ListItemText";
import Menu from "@mui/material/Menu";
import MenuItem from "@mui/material/MenuItem";
import { isTerminal } from "@oven/contract/run";
import { t } from "@oven/i18n";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { kindOf } from "@oven/ui/components/workflow-kind.ts";
import type { RunActionProps } from "@oven/ui/ui-module.ts";
import { type ReactElement, useState } from "react";
import { downloadAnswer } from "./download-answer.ts";

/** On the page of a run that has ended: its signed receipt, and the log that the receipt is about. */
export function ReceiptButton({ run }: RunActionProps): ReactElement | null {
  const mayRead = useCan("executions.read");
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const { busy, failure, run: download, reset } = useAction(downloadAnswer);
  if (!mayRead || !isTerminal(run.status)) return null;
  const path = `${kindOf(run.kind).executionResource}/${run.id}/receipt`;
  const take = (from: string, name: string) => {
    setAnchor(null);
    void download(from, name);
  };
  return (
    <>
      <Button
        startIcon={<ReceiptLongOutlined />}
        loading={busy}
        aria-haspopup="menu"
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {t("Receipt")}
      </Button>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        <MenuItem onClick={() => take(`${path}?certificate=true`, `receipt-${run.id}.json`)}>
          <ListItemText primary={t("Download receipt")} secondary={t("Signed, for anyone to verify")} />
        </MenuItem>
        <MenuItem onClick={() => take(`${path}/log`, `receipt-${run.id}.log`)}>
          <ListItemText primary={t("Download its log")} secondary={t("What the receipt was made of")} />
        </MenuItem>
      </Menu>
      {failure === null ? null : (
        <ErrorPanel error={failure} title={t("The receipt was not downloaded")} onRetry={reset} />
      )}
    </>
  );
}
