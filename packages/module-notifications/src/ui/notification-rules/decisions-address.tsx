import Box from "@mui/material/Box";
import { t } from "@oven/i18n";
import { CopyButton } from "@oven/ui/components/copy-button.tsx";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";
import type { ReactElement } from "react";

/** Where a messenger posts decisions, to be copied into its settings. */
export function DecisionsAddress({ path, label }: { path: string | null; label: string }): ReactElement {
  if (path === null) return <Box>{t("{{label}}: shown here once the rule is saved", { label })}</Box>;
  const address = window.location.origin + path;
  return (
    <>
      {label}
      <Box sx={{ display: "flex", alignItems: "center", gap: 1 }}>
        <Box sx={{ flex: 1, minWidth: 0, fontFamily: MONOSPACE, fontSize: 12.5, overflowWrap: "anywhere" }}>
          {address}
        </Box>
        <CopyButton text={address} what={t("the address")} small />
      </Box>
    </>
  );
}
