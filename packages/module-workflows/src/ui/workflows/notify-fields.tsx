import Box from "@mui/material/Box";
import FormControlLabel from "@mui/material/FormControlLabel";
import Link from "@mui/material/Link";
import Switch from "@mui/material/Switch";
import type { WorkflowNotify } from "@oven/contract/system";
import { t, tx } from "@oven/i18n";
import { useCan } from "@oven/ui/components/use-can.ts";
import type { ReactElement } from "react";
import { Link as RouterLink } from "react-router-dom";

export interface NotifyFieldsProps {
  notify: WorkflowNotify;
  onChange: (notify: WorkflowNotify) => void;
}

/** Whether whoever starts a run is told of its end; others are told by rules. */
export function NotifyFields({ notify, onChange }: NotifyFieldsProps): ReactElement {
  const mayRule = useCan("notification-rules.read");
  return (
    <Box role="group" aria-label={t("Notify the person who starts a run")}>
      <Box sx={{ fontSize: 13, color: "text.secondary" }}>
        {mayRule
          ? tx("Notify the person who starts a run (others: by {{link}})", {
              link: (
                <Link component={RouterLink} to="/notification-rules" underline="always">
                  {t("rules")}
                </Link>
              ),
            })
          : t("Notify the person who starts a run")}
      </Box>
      <Box sx={{ display: "flex", flexWrap: "wrap", columnGap: 2 }}>
        <FormControlLabel
          control={
            <Switch
              checked={notify.onComplete}
              onChange={(event) => onChange({ ...notify, onComplete: event.target.checked })}
            />
          }
          label={t("when it has completed")}
        />
        <FormControlLabel
          control={
            <Switch
              checked={notify.onFailure}
              onChange={(event) => onChange({ ...notify, onFailure: event.target.checked })}
            />
          }
          label={t("when it has failed")}
        />
      </Box>
    </Box>
  );
}
