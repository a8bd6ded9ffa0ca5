import Box from "@mui/material/Box";
import { t } from "@oven/i18n";
import type { ReactElement } from "react";
import { LATE } from "../theme/late.ts";
import { BrandMark } from "./brand-mark.tsx";

/** Fills the page until it is loaded, when that takes longer than a moment. */
export function LoadingScreen(): ReactElement {
  return (
    <Box className="boot" role="status" aria-label={t("Loading")} sx={{ minHeight: "60vh", ...LATE }}>
      <BrandMark size={40} />
    </Box>
  );
}
