import DownloadRounded from "@mui/icons-material/DownloadRounded";
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import type { PersonReport } from "@oven/contract/access";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { type ReactElement, useState } from "react";
import { exportPerson } from "./export-person.ts";
import { HoldingList } from "./holding-list.tsx";

const toReport = (json: unknown): PersonReport => json as PersonReport; // cast: what these routes answer

/** Finds one person's data by their e-mail address, exports it, and erases it once the address is typed again. */
export function PersonDataDialog({
  email: given,
  onClose,
}: {
  /** Of a user; empty: the address is asked for. */
  email: string;
  onClose: (erased: boolean) => void;
}): ReactElement {
  const [email, setEmail] = useState(given);
  const [found, setFound] = useState<PersonReport | null>(null);
  const [erased, setErased] = useState<PersonReport | null>(null);
  if (erased !== null) return <ErasedDialog report={erased} onClose={() => onClose(true)} />;
  if (found !== null) return <FoundDialog report={found} onErased={setErased} onClose={() => onClose(false)} />;
  return (
    <FormDialog
      title={t("Personal data")}
      submitLabel={t("Look for it")}
      failureTitle={t("The data was not looked for")}
      usable={email.trim() !== ""}
      onClose={() => onClose(false)}
      onSubmit={async () => {
        setFound(toReport((await api("persons/find", { method: "POST", body: { email: email.trim() } })).json));
      }}
    >
      <Box sx={{ color: "text.secondary" }}>
        {t("What OVEN holds of a person, with or without an account: it can be exported and erased.")}
      </Box>
      <TextField
        fullWidth
        autoFocus
        required
        type="email"
        label={t("E-mail of the person")}
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
    </FormDialog>
  );
}

function FoundDialog({
  report,
  onErased,
  onClose,
}: {
  report: PersonReport;
  onErased: (report: PersonReport) => void;
  onClose: () => void;
}): ReactElement {
  const email = report.email ?? "";
  const [confirm, setConfirm] = useState("");
  const exporting = useAction(() => exportPerson(email));
  const isEmpty = report.holdings.length === 0;
  return (
    <FormDialog
      title={t("Personal data of {{email}}", { email })}
      submitLabel={t("Erase for good")}
      failureTitle={t("The person was not erased")}
      usable={!isEmpty && confirm.trim().toLowerCase() === email}
      maxWidth="md"
      onClose={onClose}
      extra={
        <Button
          startIcon={<DownloadRounded />}
          loading={exporting.busy}
          disabled={isEmpty}
          onClick={() => void exporting.run()}
        >
          {t("Export as JSON")}
        </Button>
      }
      onSubmit={async () => {
        onErased(toReport((await api("persons/erase", { method: "POST", body: { email, confirm } })).json));
      }}
    >
      {isEmpty ? (
        <Alert severity="info">{t("Nothing is held of this person.")}</Alert>
      ) : (
        <>
          <HoldingList holdings={report.holdings} />
          {exporting.failure === null ? null : (
            <ErrorPanel error={exporting.failure} title={t("The data was not exported")} />
          )}
          <Alert severity="warning">
            {t("Erasing cannot be undone. Export the data first. To go on, type the e-mail address of the person.")}
          </Alert>
          <TextField
            fullWidth
            label={t("Type {{text}}", { text: email })}
            value={confirm}
            autoComplete="off"
            onChange={(event) => setConfirm(event.target.value)}
          />
        </>
      )}
    </FormDialog>
  );
}

function ErasedDialog({ report, onClose }: { report: PersonReport; onClose: () => void }): ReactElement {
  return (
    <FormDialog
      title={t("Erased: {{email}}", { email: report.email ?? "" })}
      submitLabel={t("Done")}
      failureTitle=""
      usable
      maxWidth="md"
      onClose={onClose}
      onSubmit={async () => onClose()}
    >
      <HoldingList holdings={report.holdings} />
    </FormDialog>
  );
}
