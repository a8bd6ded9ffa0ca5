import ScheduleRounded from "@mui/icons-material/ScheduleRounded";
import Box from "@mui/material/Box";
import { t } from "@oven/i18n";
import type { ReactElement } from "react";
import { formatExact, formatRelative } from "../../components/format.ts";
import { useNow } from "../../components/use-now.ts";

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
