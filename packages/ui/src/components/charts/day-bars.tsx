import Box from "@mui/material/Box";
import { currentLocale, t } from "@oven/i18n";
import type { ReactElement } from "react";

export interface DayBar {
  /** `2026-03-02` */
  day: string;
  value: number;
  /** A part of the value, drawn in another colour at the bottom: `partTone`. */
  part?: number;
  /** Shown when it is pointed at. */
  title: string;
}

/** More have no room for a letter each: only the first and the last day are named. */
const MOST_NAMED = 14;

const weekday = (day: string): string =>
  new Date(`${day}T12:00:00Z`).toLocaleDateString(currentLocale(), { weekday: "narrow", timeZone: "UTC" });

interface DayBarsProps {
  name: string;
  /** What stands beside the name. */
  total: string;
  bars: readonly DayBar[];
  /** What the part of a bar is: what failed, or what is usual, above which the rest is drawn pale. */
  partTone?: "failed" | "usual";
}

const COLOURS = {
  failed: { whole: "primary.main", part: "var(--oven-status-failed)" },
  usual: { whole: "color-mix(in srgb, var(--oven-status-running) 40%, transparent)", part: "primary.main" },
};

/** A bar a day. */
export function DayBars({ name, total, bars, partTone = "failed" }: DayBarsProps): ReactElement {
  const colours = COLOURS[partTone];
  const most = Math.max(...bars.map(({ value }) => value), 0);
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
        role="img"
        aria-label={t("{{name}} by day: {{days}}", { name, days: bars.map(({ title }) => title).join("; ") })}
        sx={{ display: "flex", gap: 0.5, height: 64 }}
      >
        {bars.map(({ day, value, part = 0, title }) => (
          <Box
            key={day}
            title={title}
            sx={{ flex: 1, display: "flex", flexDirection: "column", alignItems: "center", minWidth: 0 }}
          >
            <Box sx={{ flex: 1, width: "100%", display: "flex", flexDirection: "column", justifyContent: "flex-end" }}>
              <Box
                sx={{
                  height: most === 0 ? 0 : `${(value / most) * 100}%`,
                  minHeight: value > 0 ? 3 : 0,
                  borderRadius: "3px 3px 0 0",
                  overflow: "hidden",
                  display: "flex",
                  flexDirection: "column",
                  justifyContent: "flex-end",
                  bgcolor: colours.whole,
                }}
              >
                <Box sx={{ height: value === 0 ? 0 : `${(part / value) * 100}%`, bgcolor: colours.part }} />
              </Box>
              <Box sx={{ height: "1px", bgcolor: "divider" }} />
            </Box>
            {bars.length > MOST_NAMED ? null : (
              <Box component="span" aria-hidden sx={{ fontSize: 11, lineHeight: "16px", color: "text.secondary" }}>
                {weekday(day)}
              </Box>
            )}
          </Box>
        ))}
      </Box>
      {bars.length > MOST_NAMED ? (
        <Box
          aria-hidden
          sx={{ display: "flex", justifyContent: "space-between", fontSize: 11, color: "text.secondary" }}
        >
          <span>{bars[0]?.day}</span>
          <span>{bars.at(-1)?.day}</span>
        </Box>
      ) : null}
    </Box>
  );
}
