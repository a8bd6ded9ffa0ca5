import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import type { Review } from "@oven/contract/review";
import { type Execution, isTerminal } from "@oven/contract/run";
import { t } from "@oven/i18n";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import { useMe } from "@oven/ui/components/use-me.ts";
import { Fragment, type ReactElement } from "react";
import { useGetList } from "react-admin";
import { AnswerForm } from "./answer-form.tsx";
import { toAudience } from "./assignee.ts";
import { DecisionBar } from "./decision-bar.tsx";
import { DueTime } from "./due-time.tsx";
import { EditForm } from "./edit-form.tsx";
import { ProposedSection } from "./proposed-section.tsx";
import { toRefusal } from "./refusal.ts";
import { ReviewSection } from "./review-section.tsx";
import { SupplyForm } from "./supply-form.tsx";
import { useDecision } from "./use-decision.ts";

export interface OpenReviewsProps {
  executionId: number;
  /** Whether the run, or one inside it, waits for somebody. */
  asks: boolean;
  /** Changes when it may ask something else. */
  mark: string;
  onDecided: () => void;
  /** Draws a review in its own way; null: as reviews are drawn. */
  draw?: ((review: Review, onDecided: () => void) => ReactElement | null) | undefined;
}

/** As its node rows tell it. */
export function toAsking(run: Execution): Pick<OpenReviewsProps, "executionId" | "asks" | "mark"> {
  const paused = run.nodes.filter(({ status }) => status === "paused").map(({ id }) => id);
  const asks = run.status === "paused" || (!isTerminal(run.status) && paused.length > 0);
  return { executionId: run.id, asks, mark: `${run.status} ${paused.join()}` };
}

/** What a run, or a run inside it, asks people, to be decided where the run is looked at. */
export function OpenReviews({ executionId, asks, mark, onDecided, draw }: OpenReviewsProps): ReactElement | null {
  const mayRead = useCan("reviews.read");
  const { data, error, refetch } = useGetList<Review>(
    "reviews",
    {
      pagination: { page: 1, perPage: 20 },
      sort: { field: "id", order: "ASC" },
      filter: { family: executionId, status: "open" },
      meta: { mark },
    },
    { enabled: mayRead && asks },
  );
  if (!mayRead || !asks) return null;
  if (error)
    return <ErrorPanel error={error} title={t("Its reviews could not be read")} onRetry={() => void refetch()} />;
  if (data === undefined || data.length === 0) return null;
  return (
    <Box sx={{ display: "grid", gap: 1.5 }}>
      {data.map((review) => {
        const decided = (): void => {
          void refetch();
          onDecided();
        };
        return (
          <Fragment key={review.id}>
            {draw?.(review, decided) ?? <OpenReview review={review} onDecided={decided} />}
          </Fragment>
        );
      })}
    </Box>
  );
}

function OpenReview({ review, onDecided }: { review: Review; onDecided: () => void }): ReactElement {
  const mayDecide = useCan("reviews.decide");
  const me = useMe();
  const decision = useDecision(review, onDecided);
  const deciding = mayDecide && review.mayDecide;
  return (
    <Box
      component="section"
      aria-label={t("Review: {{title}}", { title: review.title })}
      sx={{
        border: "1px solid color-mix(in srgb, var(--oven-status-paused) 40%, transparent)",
        borderRadius: 2.5,
        overflow: "hidden",
        bgcolor: "background.paper",
      }}
    >
      <Box
        sx={{
          display: "flex",
          flexWrap: "wrap",
          alignItems: "baseline",
          columnGap: 1.25,
          px: { xs: 2, sm: 2.5 },
          py: 1.25,
          fontSize: 13,
          bgcolor: "var(--oven-status-paused-soft)",
        }}
      >
        <Typography variant="h3" component="p" sx={{ overflowWrap: "anywhere" }}>
          {review.title}
        </Typography>
        <span>{t("for {{audience}}", { audience: toAudience(review.assignees, me) })}</span>
        <DueTime at={review.dueAt} />
      </Box>
      {decision.mode === "submit" && deciding ? (
        <AnswerForm review={review} decision={decision} />
      ) : (
        <ProposedSection review={review} />
      )}
      {deciding && decision.mode === "edit" ? <EditForm review={review} decision={decision} /> : null}
      {deciding && decision.mode === "supply" ? <SupplyForm decision={decision} /> : null}
      {deciding ? (
        <DecisionBar review={review} decision={decision} keys={false} />
      ) : (
        <ReviewSection title={t("Decision")}>
          <Typography color="text.secondary">{toRefusal(review, me, mayDecide)}</Typography>
        </ReviewSection>
      )}
    </Box>
  );
}
