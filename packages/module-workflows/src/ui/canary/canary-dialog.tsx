import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import type { WorkflowVersion } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { type ReactElement, useState } from "react";

/** Which version takes which share of the new runs, and when that ends by itself. */
export function CanaryDialog({
  path,
  versions,
  onBegun,
  onClose,
}: {
  path: string;
  versions: readonly WorkflowVersion[];
  onBegun: () => void;
  onClose: () => void;
}): ReactElement {
  const [version, setVersion] = useState(String(versions[0]?.version ?? ""));
  const [share, setShare] = useState("10");
  const [percent, setPercent] = useState("20");
  const [runs, setRuns] = useState("20");
  const isShare = (text: string): boolean => text !== "" && Number(text) >= 0 && Number(text) <= 100;
  const hasRule = percent !== "";
  const isUsable =
    isShare(share) && (!hasRule || (isShare(percent) && Number.isInteger(Number(runs)) && Number(runs) > 0));
  return (
    <FormDialog
      title={t("Try a version on a part of the runs")}
      submitLabel={t("Begin")}
      failureTitle={t("The candidate was not set")}
      usable={isUsable}
      onSubmit={async () => {
        const rollback = hasRule ? { failurePercent: Number(percent), minRuns: Number(runs) } : null;
        await api(path, { method: "PUT", body: { version: Number(version), share: Number(share), rollback } });
        onBegun();
        onClose();
      }}
      onClose={onClose}
    >
      <TextField select label={t("Candidate")} value={version} onChange={(event) => setVersion(event.target.value)}>
        {versions.map((one) => (
          <MenuItem key={one.version} value={String(one.version)}>
            {t("Version {{version}}", { version: one.version })}
          </MenuItem>
        ))}
      </TextField>
      <TextField
        type="number"
        label={t("Share of new runs, in percent")}
        value={share}
        onChange={(event) => setShare(event.target.value)}
      />
      <TextField
        type="number"
        label={t("Stop when more than this percentage fails")}
        helperText={t("Empty: only a person stops it")}
        value={percent}
        onChange={(event) => setPercent(event.target.value)}
      />
      <TextField
        type="number"
        label={t("But not before so many runs have ended")}
        disabled={!hasRule}
        value={runs}
        onChange={(event) => setRuns(event.target.value)}
      />
      <Typography variant="body2" color="text.secondary">
        {t("Runs that have begun keep their version.")}
      </Typography>
    </FormDialog>
  );
}
