import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { DECIDE_VIEW_TOOL, type McpReviewView } from "@oven/contract/mcp";
import type { Review } from "@oven/contract/review";
import { t } from "@oven/i18n";
import { shortenId } from "@oven/ui/components/format.ts";
import { SearchableFields } from "@oven/ui/components/searchable-fields.tsx";
import { AnswerForm } from "@oven/workflow-editor/review/answer-form.tsx";
import { type DecisionDraft, toBody } from "@oven/workflow-editor/review/decide.ts";
import { DecisionBar } from "@oven/workflow-editor/review/decision-bar.tsx";
import { EditForm } from "@oven/workflow-editor/review/edit-form.tsx";
import { ProposedSection } from "@oven/workflow-editor/review/proposed-section.tsx";
import { toRefusal } from "@oven/workflow-editor/review/refusal.ts";
import { ReviewSection } from "@oven/workflow-editor/review/review-section.tsx";
import { SupplyForm } from "@oven/workflow-editor/review/supply-form.tsx";
import { useDecision } from "@oven/workflow-editor/review/use-decision.ts";
import type { ReactElement } from "react";
import { ReviewFacts } from "../reviews/review-facts.tsx";
import type { Host } from "./host.ts";
import type { ShownReview } from "./shown-review.ts";
import { toValue } from "./use-run-view.ts";

/** What a view does not get: it shows open reviews, and not how others vote. */
function toReview(view: McpReviewView): Review {
  const undecided = { action: null, data: null, reason: null, decidedBy: null, decidedByName: null, decidedAt: null };
  const elsewhere = { tenantId: null, workflowId: 0, nodeId: "", visit: 1, item: null, requestedBy: null };
  return { ...view, ...undecided, ...elsewhere, status: "open", stage: 0, stages: [], votes: [] };
}

function isNothing(context: Review["context"]): boolean {
  return context === null || (typeof context === "object" && Object.keys(context).length === 0);
}

/** The form of a review: the components of the page of reviews, whose decision goes through the client. */
export function OpenReview({
  host,
  shown: { review: view, changed },
  onDecided,
  onShowChanged,
}: {
  host: Host;
  shown: ShownReview;
  onDecided: () => void;
  onShowChanged: () => void;
}): ReactElement {
  const review = toReview(view);
  const send = async (decided: Review, draft: DecisionDraft): Promise<void> => {
    toValue(await host.callTool(DECIDE_VIEW_TOOL, { reviewId: decided.id, ...toBody(decided, draft) }));
  };
  const decision = useDecision(review, onDecided, null, null, send);
  return (
    <Box component="article" aria-label={review.title}>
      <Box component="header" sx={{ px: { xs: 2, sm: 2.5 }, py: 2, borderTop: 1, borderColor: "divider" }}>
        <Typography variant="h1" component="h2" sx={{ fontSize: 18, overflowWrap: "anywhere" }}>
          {review.title}
        </Typography>
        <ReviewFacts review={review} me={undefined} />
        <Box title={review.digest} sx={{ mt: 0.5, fontSize: 12, color: "text.secondary" }}>
          {t("A decision is on exactly this: {{digest}}", { digest: shortenId(review.digest, 12) })}
        </Box>
      </Box>
      {changed === undefined ? null : (
        <Alert
          severity="warning"
          sx={{ mx: 2, mb: 2 }}
          action={
            <Button size="small" variant="outlined" onClick={onShowChanged}>
              {t("Show what is proposed now")}
            </Button>
          }
        >
          {t("What is proposed has changed. A decision on what you see here is refused.")}
        </Alert>
      )}
      {decision.mode === "submit" && review.mayDecide ? (
        <AnswerForm review={review} decision={decision} />
      ) : (
        <ProposedSection review={review} />
      )}
      {decision.mode === "edit" ? <EditForm review={review} decision={decision} /> : null}
      {decision.mode === "supply" ? <SupplyForm decision={decision} /> : null}
      {isNothing(review.context) ? null : (
        <ReviewSection title={t("Why")}>
          <SearchableFields value={review.context} what={t("the reasons")} />
        </ReviewSection>
      )}
      {review.mayDecide ? (
        <DecisionBar review={review} decision={decision} keys={false} />
      ) : (
        <ReviewSection title={t("Decision")}>
          <Typography color="text.secondary">{toRefusal(review, undefined, true)}</Typography>
        </ReviewSection>
      )}
    </Box>
  );
}
