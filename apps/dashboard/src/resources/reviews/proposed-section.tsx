import ReportProblemOutlined from "@mui/icons-material/ReportProblemOutlined";
import Box from "@mui/material/Box";
import type { Review } from "@oven/contract";
import type { ReactElement } from "react";
import { ProposalView } from "./proposal-view.tsx";
import { ReviewSection } from "./review-background.tsx";

/** What is proposed, and that approving a call runs it. */
export function ProposedSection({ review }: { review: Review }): ReactElement {
  return (
    <ReviewSection title="Proposed">
      <ProposalView proposal={review.proposal} tool={review.tool} />
      {review.tool === null ? null : (
        <Box
          sx={{
            display: "flex",
            gap: 1,
            mt: 1.75,
            p: 1.25,
            borderRadius: 2,
            fontSize: 13,
            color: "var(--oven-status-paused)",
            bgcolor: "var(--oven-status-paused-soft)",
          }}
        >
          <ReportProblemOutlined sx={{ fontSize: 18 }} />
          <span>Approving runs exactly this call, once. It may not be possible to undo it.</span>
        </Box>
      )}
    </ReviewSection>
  );
}
