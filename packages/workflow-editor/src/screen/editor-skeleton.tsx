import Box from "@mui/material/Box";
import Skeleton from "@mui/material/Skeleton";
import { t } from "@oven/i18n";
import { useIsNarrow } from "@oven/ui/components/use-is-narrow.ts";
import type { ReactElement } from "react";

const ROWS = ["a", "b", "c", "d", "e", "f", "g", "h"];

/** Stands in for the editor while it loads: bar, palette, canvas and settings where they will be. */
export function EditorSkeleton(): ReactElement {
  const narrow = useIsNarrow();
  const side = { flex: "none", p: 1.5, display: "grid", gap: 1.25, alignContent: "start" };
  return (
    <Box role="status" aria-label={t("Loading")} sx={{ display: "flex", flexDirection: "column", height: "100dvh" }}>
      <Box
        sx={{
          display: "flex",
          gap: 1.5,
          alignItems: "center",
          px: 1.5,
          height: 52,
          borderBottom: 1,
          borderColor: "divider",
        }}
      >
        <Skeleton variant="circular" width={24} height={24} />
        <Skeleton width={180} height={28} />
        <Box sx={{ flex: 1 }} />
        <Skeleton variant="rounded" width={96} height={34} />
      </Box>
      <Box sx={{ flex: 1, minHeight: 0, display: "flex" }}>
        {narrow ? null : (
          <Box sx={{ ...side, width: 208, borderRight: 1, borderColor: "divider" }}>
            {ROWS.map((row) => (
              <Skeleton key={row} height={26} />
            ))}
          </Box>
        )}
        <Box
          sx={{ flex: 1, display: "flex", gap: 9, alignItems: "center", justifyContent: "center", overflow: "hidden" }}
        >
          {ROWS.slice(0, narrow ? 1 : 3).map((card) => (
            <Skeleton key={card} variant="rounded" width={236} height={96} sx={{ flex: "none" }} />
          ))}
        </Box>
        {narrow ? null : (
          <Box sx={{ ...side, width: 380, borderLeft: 1, borderColor: "divider" }}>
            {ROWS.slice(0, 5).map((field) => (
              <Skeleton key={field} variant="rounded" height={40} />
            ))}
          </Box>
        )}
      </Box>
    </Box>
  );
}
