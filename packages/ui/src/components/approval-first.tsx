import Typography from "@mui/material/Typography";
import { t } from "@oven/i18n";
import type { ReactElement } from "react";

/** In place of a form that calls a tool: only a run can ask for the approval that each call needs. */
export function ApprovalFirst(): ReactElement {
  return (
    <Typography variant="body2" color="text.secondary">
      {t(
        "A person must approve each call, so it is not made from this page alone. Add the tool to a workflow or give it to an agent, and start a run: it waits for the review, and makes the call when it is approved.",
      )}
    </Typography>
  );
}
