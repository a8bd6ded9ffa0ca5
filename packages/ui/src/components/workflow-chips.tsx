import CableOutlined from "@mui/icons-material/CableOutlined";
import Box from "@mui/material/Box";
import { t } from "@oven/i18n";
import type { ReactElement } from "react";
import { ToneChip } from "./status-chip.tsx";

/** Whether a workflow or an agent is enabled. */
export function EnabledChip({ enabled }: { enabled: boolean }): ReactElement {
  return enabled ? (
    <ToneChip tone="completed" word={t("enabled")} />
  ) : (
    <ToneChip tone="cancelled" word={t("disabled")} />
  );
}

/** Marks what is offered as a tool over MCP. */
export function McpChip(): ReactElement {
  return (
    <Box
      component="span"
      title={t("Offered as a tool over MCP")}
      sx={{
        display: "inline-flex",
        alignItems: "center",
        gap: 0.5,
        height: 24,
        px: 0.875,
        borderRadius: 1.5,
        fontSize: 12.5,
        fontWeight: 600,
        color: "text.secondary",
        border: "1px solid var(--oven-border-strong)",
      }}
    >
      <CableOutlined sx={{ fontSize: 15 }} />
      MCP
    </Box>
  );
}
