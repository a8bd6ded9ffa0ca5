import ScienceOutlined from "@mui/icons-material/ScienceOutlined";
import Box from "@mui/material/Box";
import Tooltip from "@mui/material/Tooltip";
import { t } from "@oven/i18n";
import type { ReactElement } from "react";

/** Wherever a model's part was played by a script. */
export function SimulatedChip(): ReactElement {
  return (
    <Tooltip title={t("A scripted model answered, not a real one")}>
      <Box
        component="span"
        sx={{
          display: "inline-flex",
          alignItems: "center",
          gap: 0.5,
          px: 0.75,
          height: 22,
          borderRadius: 1.5,
          fontSize: 12,
          fontWeight: 550,
          color: "text.secondary",
          border: "1px dashed var(--oven-border-strong)",
          whiteSpace: "nowrap",
        }}
      >
        <ScienceOutlined sx={{ fontSize: 14 }} />
        {t("simulated")}
      </Box>
    </Tooltip>
  );
}
