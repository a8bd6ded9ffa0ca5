import ReportProblemOutlined from "@mui/icons-material/ReportProblemOutlined";
import Box from "@mui/material/Box";
import type { Review } from "@oven/contract/review";
import { currentLocale, t } from "@oven/i18n";
import type { ReactElement } from "react";
import { ProposalView } from "./proposal-view.tsx";
import { ReviewSection } from "./review-section.tsx";
import { toRiskWords } from "./risk-words.ts";

/** What is proposed, and that approving a call runs it. */
export function ProposedSection({ review }: { review: Review }): ReactElement {
  const risk = toRiskWords(review);
  return (
    <ReviewSection title={t("Proposed")}>
      <ProposalView proposal={review.proposal} schema={review.schema} tool={review.tool} />
      {risk === null ? null : (
        <Box
          sx={{
            display: "flex",
            gap: 1,
            mt: 1.75,
            p: 1.25,
            borderRadius: 2,
            fontSize: 13,
            ...(risk.high
              ? { color: "var(--oven-status-paused)", bgcolor: "var(--oven-status-paused-soft)" }
              : { bgcolor: "var(--oven-sunken)" }),
          }}
        >
          {risk.high ? <ReportProblemOutlined aria-hidden sx={{ fontSize: 18 }} /> : null}
          <span>
            {t("Approving runs exactly this call, once.")}{" "}
            <strong>
              {t("It {{effects}}.", { effects: new Intl.ListFormat(currentLocale()).format(risk.words) })}
            </strong>
          </span>
        </Box>
      )}
    </ReviewSection>
  );
}
