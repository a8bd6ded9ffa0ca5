import Box from "@mui/material/Box";
import type { Trigger } from "@oven/contract/trigger";
import { t } from "@oven/i18n";
import { CopyButton } from "@oven/ui/components/copy-button.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";
import type { ReactElement } from "react";

const HINTS: Record<string, string> = {
  webhook: t("Whoever knows it may post; its last part is a secret."),
  form: t("Whoever knows it may fill the form in."),
  mcp: "For clients of MCP with a key that may fire triggers.",
};

function pathOf({ id, type, token }: Trigger): string | null {
  if (type === "mcp") return `/api/mcp/triggers/${id}`;
  if (token === null) return null;
  return type === "form" ? `/forms/${token}` : `/api/hooks/${token}`;
}

/** Where a trigger that is reached over HTTP is reached. */
export function TriggerAddress({ trigger }: { trigger: Trigger }): ReactElement | null {
  const path = pathOf(trigger);
  if (path === null) return null;
  const address = window.location.origin + path;
  return (
    <Panel title={t("Address")}>
      <Box sx={{ display: "flex", alignItems: "center", gap: 1 }}>
        <Box sx={{ flex: 1, minWidth: 0, fontFamily: MONOSPACE, fontSize: 12.5, overflowWrap: "anywhere" }}>
          {address}
        </Box>
        <CopyButton text={address} what={t("the address")} small />
      </Box>
      <Box sx={{ mt: 1, fontSize: 13, color: "text.secondary" }}>{HINTS[trigger.type]}</Box>
    </Panel>
  );
}
