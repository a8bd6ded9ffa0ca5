import Box from "@mui/material/Box";
import { t } from "@oven/i18n";
import type { ReactElement, ReactNode } from "react";

/** Words and fields in one flow, and what has no room in it. */
export function Line({ children, below = null }: { children: ReactNode; below?: ReactNode }): ReactElement {
  return (
    <Box
      role="group"
      aria-label={t("The rule")}
      sx={{
        display: "grid",
        gridTemplateColumns: "minmax(0, 1fr)",
        gap: 1.5,
        p: 2,
        borderRadius: 2,
        border: 1,
        borderColor: "divider",
        fontSize: 15,
      }}
    >
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", columnGap: 1, rowGap: 1.25 }}>{children}</Box>
      {below}
    </Box>
  );
}
