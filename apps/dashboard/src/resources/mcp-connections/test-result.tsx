import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import type { McpConnectionTest } from "@oven/contract";
import { t } from "@oven/i18n";
import type { ReactElement } from "react";
import { MONOSPACE } from "../../theme/tokens.ts";

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
  return (
    <Alert severity="success" role="status">
      {serverName ?? t("The server")} {t("answers in")} {latencyMs} {t("ms, speaks")} {protocolVersion}
      {t(", and has")} {tools.length === 1 ? t("one tool") : t("{{length}} tools", { length: tools.length })}
      {tools.length === 0 ? "." : ": "}
      <Box component="span" sx={{ fontFamily: MONOSPACE, fontSize: 12.5, overflowWrap: "anywhere" }}>
        {tools
          .slice(0, SHOWN)
          .map(({ name }) => name)
          .join(", ")}
      </Box>
      {more > 0 ? t(" and {{more}} more", { more }) : null}
    </Alert>
  );
}
