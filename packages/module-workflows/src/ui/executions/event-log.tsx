import Box from "@mui/material/Box";
import type { RunEvent } from "@oven/contract/run";
import { t } from "@oven/i18n";
import { formatExact } from "@oven/ui/components/format.ts";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";
import { type ReactElement, useEffect, useRef } from "react";

const TAKEN = new Set(["seq", "executionId", "at", "event"]);

function toDetail(event: RunEvent): string {
  return Object.entries(event)
    .filter(([key, value]) => !TAKEN.has(key) && value !== null && value !== undefined)
    .map(([key, value]) => `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join("  ");
}

/** The log of the run as its stream tells it. */
export function EventLog({ events, onShown }: { events: readonly RunEvent[]; onShown: () => void }): ReactElement {
  const shown = useRef(onShown);
  useEffect(() => shown.current(), []);
  if (events.length === 0) return <Box sx={{ color: "text.secondary" }}>{t("Reading the log of this run…")}</Box>;
  return (
    <Box
      component="ol"
      aria-label={t("Events")}
      sx={{ m: 0, p: 0, listStyle: "none", fontFamily: MONOSPACE, fontSize: 12.5, maxHeight: 480, overflow: "auto" }}
      tabIndex={0}
    >
      {events.map((event) => (
        <Box
          component="li"
          key={event.seq}
          title={formatExact(event.at)}
          sx={{
            display: "grid",
            gridTemplateColumns: { xs: "40px 1fr", sm: "48px 170px 1fr" },
            columnGap: 1.5,
            py: 0.375,
          }}
        >
          <Box sx={{ color: "text.secondary", textAlign: "right" }}>{event.seq}</Box>
          <Box>{event.event}</Box>
          <Box sx={{ color: "text.secondary", overflowWrap: "anywhere", gridColumn: { xs: "2", sm: "auto" } }}>
            {toDetail(event)}
          </Box>
        </Box>
      ))}
    </Box>
  );
}
