import Alert from "@mui/material/Alert";
import AlertTitle from "@mui/material/AlertTitle";
import Button from "@mui/material/Button";
import type { Trigger } from "@oven/contract/trigger";
import { t } from "@oven/i18n";
import type { ReactElement } from "react";
import { Link } from "react-router-dom";

/** Says that each firing of a trigger is refused as its workflow is now, and why. */
export function TriggerProblem({
  problem,
  editPath,
}: {
  problem: Trigger["problem"];
  editPath?: string;
}): ReactElement | null {
  if (problem === null) return null;
  return (
    <Alert
      severity="error"
      sx={{ mb: 2 }}
      action={
        editPath === undefined ? null : (
          <Button component={Link} to={editPath} color="inherit" size="small">
            {t("Repair")}
          </Button>
        )
      }
    >
      <AlertTitle>{t("Nothing is started: the input does not fit the workflow any more")}</AlertTitle>
      {problem.message}
    </Alert>
  );
}
