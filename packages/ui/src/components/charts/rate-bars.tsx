import Box from "@mui/material/Box";
import { t } from "@oven/i18n";
import type { ReactElement } from "react";
import { Link } from "react-router-dom";

export interface RateBar {
  key: string;
  /** Below the bar. */
  label: string;
  /** 0 to 1. */
  rate: number;
  /** Where the bar leads. */
  to: string;
  /** What the bar says; it begins with the label. */
  title: string;
}

/** Shares of a whole beside each other: the full height is all of it. */
export function RateBars({
  name,
  total,
  bars,
}: {
  name: string;
  total: string;
  bars: readonly RateBar[];
}): ReactElement {
  return (
    <Box component="figure" sx={{ m: 0, minWidth: 0 }}>
      <Box component="figcaption" sx={{ display: "flex", gap: 1, mb: 0.75, fontSize: 12.5, color: "text.secondary" }}>
        <Box component="span" sx={{ flex: 1 }}>
          {name}
        </Box>
        <Box component="span" sx={{ fontWeight: 600, color: "text.primary", fontVariantNumeric: "tabular-nums" }}>
          {total}
        </Box>
      </Box>
      <Box
        component="ol"
        aria-label={t("{{name}}, one by one", { name })}
        sx={{ display: "flex", gap: 0.5, m: 0, p: 0, listStyle: "none" }}
      >
        {bars.map(({ key, label, rate, to, title }) => (
          <Box component="li" key={key} sx={{ flex: "1 1 0", minWidth: 0, maxWidth: 56 }}>
            <Box
              component={Link}
              to={to}
              title={title}
              aria-label={title}
              sx={{ display: "block", textDecoration: "none", color: "text.secondary", textAlign: "center" }}
            >
              <Box
                aria-hidden
                sx={{
                  height: 64,
                  display: "flex",
                  alignItems: "flex-end",
                  borderRadius: "3px 3px 0 0",
                  overflow: "hidden",
                  bgcolor: "var(--oven-status-failed-soft)",
                  borderBottom: 1,
                  borderColor: "divider",
                }}
              >
                <Box sx={{ width: "100%", height: `${rate * 100}%`, bgcolor: "var(--oven-status-completed)" }} />
              </Box>
              <Box component="span" aria-hidden sx={{ fontSize: 11, lineHeight: "18px" }}>
                {label}
              </Box>
            </Box>
          </Box>
        ))}
      </Box>
    </Box>
  );
}
