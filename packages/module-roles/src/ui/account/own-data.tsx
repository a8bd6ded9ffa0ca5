import DownloadRounded from "@mui/icons-material/DownloadRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { t } from "@oven/i18n";
import { Panel } from "@oven/ui/components/panel.tsx";
import type { ReactElement } from "react";

/** One's own data as a file. */
export function OwnData(): ReactElement {
  return (
    <Panel title={t("Your data")}>
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 2, alignItems: "center" }}>
        <Box sx={{ flex: 1, minWidth: 220, color: "text.secondary" }}>
          {t("Everything that is held of you, as one file, without passwords and keys. An owner can erase it.")}
        </Box>
        <Button variant="outlined" startIcon={<DownloadRounded />} href="/api/account/personal-data" download>
          {t("Export as JSON")}
        </Button>
      </Box>
    </Panel>
  );
}
