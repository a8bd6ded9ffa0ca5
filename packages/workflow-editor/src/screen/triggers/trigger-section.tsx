import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import type { Trigger } from "@oven/contract/trigger";
import { t } from "@oven/i18n";
import type { ReactElement } from "react";
import { Link as RouterLink } from "react-router-dom";

export interface TriggerSectionProps {
  triggers: readonly Trigger[];
  onAdd: (() => void) | undefined;
}

/** What starts the workflow, in its settings. */
export function TriggerSection({ triggers, onAdd }: TriggerSectionProps): ReactElement {
  return (
    <Box component="section" aria-label={t("What starts it?")} sx={{ display: "grid", gap: 0.75 }}>
      <Typography variant="h3" sx={{ fontSize: 14 }}>
        {t("What starts it?")}
      </Typography>
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: "none", display: "grid", gap: 0.5, fontSize: 13 }}>
        <li>{t("Somebody, by hand")}</li>
        {triggers.map(({ id, name, enabled }) => (
          <Box component="li" key={id} sx={{ overflowWrap: "anywhere" }}>
            <Link component={RouterLink} to={`/triggers/${id}/show`} underline="always">
              {name}
            </Link>
            {enabled ? null : ` (${t("off")})`}
          </Box>
        ))}
      </Box>
      {onAdd === undefined ? null : (
        <Button size="small" onClick={onAdd} sx={{ justifySelf: "start" }}>
          {t("Add a trigger")}
        </Button>
      )}
    </Box>
  );
}
