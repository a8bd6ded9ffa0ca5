import ScheduleRounded from "@mui/icons-material/ScheduleRounded";
import Box from "@mui/material/Box";
import { t } from "@oven/i18n";
import { formatExact, formatRelative } from "@oven/ui/components/format.ts";
import { useNow } from "@oven/ui/components/use-now.ts";
import type { ReactElement } from "react";

/** When a decision is due; red once it is late. */
export function DueTime({ at }: { at: string | null }): ReactElement | null {
  const now = useNow(15_000, at !== null);
  if (at === null) return null;
  const late = Date.parse(at) < now;
  return (
    <Box
      component="span"
      title={formatExact(at)}
      sx={{
        display: "inline-flex",
        alignItems: "center",
        gap: 0.5,
        fontWeight: 600,
        color: late ? "error.main" : "warning.main",
      }}
    >
      <ScheduleRounded sx={{ fontSize: 14 }} />
      {late
        ? t("overdue, {{relative}}", { relative: formatRelative(at, now) })
        : t("due {{relative}}", { relative: formatRelative(at, now) })}
    </Box>
  );
}
