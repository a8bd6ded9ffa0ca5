import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import type { McpConnectionTest } from "@oven/contract/mcp";
import { t, tx } from "@oven/i18n";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";
import type { ReactElement } from "react";

const SHOWN = 12;

/** What a server said that is not connected yet. */
export function TestResult({ tested }: { tested: McpConnectionTest }): ReactElement {
  const { ok, error, fix, protocolVersion, serverName, latencyMs, tools } = tested;
  if (!ok) {
    return (
      <Alert severity="error" role="status">
        {error} {fix}
      </Alert>
    );
  }
  const more = tools.length - SHOWN;
  const names = (
    <Box component="span" sx={{ fontFamily: MONOSPACE, fontSize: 12.5, overflowWrap: "anywhere" }}>
      {tools
        .slice(0, SHOWN)
        .map(({ name }) => name)
        .join(", ")}
    </Box>
  );
  return (
    <Alert severity="success" role="status">
      {t("{{server}} answers in {{latencyMs}} ms, speaks {{protocolVersion}}, and has {{count}} tools", {
        server: serverName ?? t("The server"),
        latencyMs,
        protocolVersion,
        count: tools.length,
      })}
      {tools.length === 0 ? "." : ": "}
      {more > 0 ? tx("{{tools}} and {{more}} more", { tools: names, more }) : names}
    </Alert>
  );
}
