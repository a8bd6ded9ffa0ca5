import ReportProblemOutlined from "@mui/icons-material/ReportProblemOutlined";
import Box from "@mui/material/Box";
import type { Review } from "@oven/contract/review";
import { toRiskWords } from "@oven/workflow-editor/review/risk-words.ts";
import type { ReactElement } from "react";

/** In a list: that a call is released, and what it may do. */
export function RiskMark({ review }: { review: Review }): ReactElement | null {
  const risk = toRiskWords(review);
  if (risk === null) return null;
  return (
    <Box
      component="span"
      sx={{
        display: "inline-flex",
        alignItems: "center",
        gap: 0.5,
        ...(risk.high ? { color: "var(--oven-status-paused)", fontWeight: 600 } : {}),
      }}
    >
      {risk.high ? <ReportProblemOutlined aria-hidden sx={{ fontSize: 14 }} /> : null}
      {risk.words[0]}
    </Box>
  );
}
