import Box from "@mui/material/Box";
import type { PersonHoldings } from "@oven/contract/access";
import { t } from "@oven/i18n";
import type { ReactElement } from "react";

/** What is held of a person, row by row, with what erasing does or did. */
export function HoldingList({ holdings }: { holdings: readonly PersonHoldings[] }): ReactElement {
  const words: Record<PersonHoldings["erasure"], string> = {
    delete: t("is deleted"),
    remove: t("is deleted"),
    clear: t("the person is taken out"),
    retain: t("stays"),
  };
  return (
    <Box component="ul" sx={{ m: 0, p: 0, listStyle: "none", display: "grid", gap: 0.75 }}>
      {holdings.map(({ module, table, title, rows, erasure, why, left }) => (
        <Box component="li" key={`${module} ${title}`} sx={{ borderBottom: 1, borderColor: "divider", pb: 0.75 }}>
          <Box sx={{ display: "flex", gap: 1.5, alignItems: "baseline" }}>
            <Box sx={{ minWidth: 40, textAlign: "right", fontVariantNumeric: "tabular-nums" }}>{rows}</Box>
            <Box sx={{ flex: 1, minWidth: 0 }} title={table}>
              {t(title)}
            </Box>
            <Box sx={{ fontSize: 13, color: erasure === "retain" ? "warning.main" : "text.secondary" }}>
              {words[erasure]}
            </Box>
          </Box>
          {left.length === 0 ? null : (
            <Box sx={{ pl: 6.5, fontSize: 13, color: "warning.main" }}>
              {t("These runs have not ended, or others go on from them: {{runs}}. Cancel them, and erase again.", {
                runs: left.join(", "),
              })}
            </Box>
          )}
          {why === null ? null : <Box sx={{ pl: 6.5, fontSize: 13, color: "text.secondary" }}>{t(why)}</Box>}
        </Box>
      ))}
    </Box>
  );
}
