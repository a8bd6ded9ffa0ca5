import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import type { Review } from "@oven/contract/review";
import { t } from "@oven/i18n";
import { ChangeList } from "@oven/ui/components/change-list.tsx";
import { FieldsView } from "@oven/ui/components/fields-view.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import { useMe } from "@oven/ui/components/use-me.ts";
import { AnswerForm } from "@oven/workflow-editor/review/answer-form.tsx";
import { decisionHold } from "@oven/workflow-editor/review/decide.ts";
import { DecisionBar } from "@oven/workflow-editor/review/decision-bar.tsx";
import { EditForm } from "@oven/workflow-editor/review/edit-form.tsx";
import { ProposedSection } from "@oven/workflow-editor/review/proposed-section.tsx";
import { toRefusal } from "@oven/workflow-editor/review/refusal.ts";
import { ReviewBackground } from "@oven/workflow-editor/review/review-background.tsx";
import { ReviewSection } from "@oven/workflow-editor/review/review-section.tsx";
import { SupplyForm } from "@oven/workflow-editor/review/supply-form.tsx";
import { useDecision } from "@oven/workflow-editor/review/use-decision.ts";
import { type ReactElement, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useRefresh } from "react-admin";
import { useSearchParams } from "react-router-dom";
import { DelegateForm } from "./delegate-form.tsx";
import { EqualChoice } from "./equal-choice.tsx";
import { OutcomePanel } from "./outcome-panel.tsx";
import { ReviewComments } from "./review-comments.tsx";
import { ReviewFacts } from "./review-facts.tsx";
import { ReviewVotes } from "./review-votes.tsx";
import { useEqualReviews } from "./use-equal-reviews.ts";

/** What takes the focus is scrolled to where the buttons at the bottom do not cover it. */
const NOT_BEHIND_THE_BAR = { "& :is(a, button, input, textarea, [tabindex])": { scrollMarginBottom: 240 } };

/** On a phone the buttons are at the bottom from the start, and stay under the thumb while the rest is loaded. */
const BAR_AT_THE_BOTTOM = {
  "& > div": { display: "flex", flexDirection: "column", minHeight: { xs: "calc(100dvh - 116px)", md: 0 } },
  "& > div > :last-child": { mt: "auto" },
};

export interface ReviewCardProps {
  review: Review;
  onNext: (() => void) | null;
  /** The title is the page's heading where the list is not beside it. */
  heading: "h1" | "h2";
  /** It was gone to by a key or a button of the review before, which is no longer there to have the focus. */
  focused: boolean;
}

/** One review, in the order a reviewer reads it: what is proposed, why, how it came here, then the decision. */
export function ReviewCard({ review, onNext, heading, focused }: ReviewCardProps): ReactElement {
  const [wasOpen] = useState(review.status === "open");
  const [mine, setMine] = useState(false);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (focused) title.current?.focus({ preventScroll: true });
  }, [focused]);
  const refresh = useRefresh();
  const [search] = useSearchParams();
  const mayDecide = useCan("reviews.decide");
  const me = useMe();
  const asked = review.status === "open" && mayDecide && review.mayDecide;
  const taken = useSyncExternalStore(decisionHold.subscribe, () => decisionHold.isTaken(review));
  const deciding = asked && !taken;
  const equal = useEqualReviews(review, deciding && !review.actions.includes("submit")).filter(
    (other) => !decisionHold.isTaken(other),
  );
  const [together, setTogether] = useState<ReadonlySet<number> | null>(null);
  const decision = useDecision(
    review,
    (byMe) => {
      setMine(byMe);
      refresh();
    },
    equal.filter(({ id }) => together?.has(id)),
    search.get("action"),
  );
  return (
    <Panel flush sx={{ overflow: "visible", ...NOT_BEHIND_THE_BAR, ...BAR_AT_THE_BOTTOM }}>
      <Box component="header" sx={{ px: { xs: 2, sm: 2.5 }, py: 2 }}>
        <Typography
          ref={title}
          tabIndex={-1}
          variant="h1"
          component={heading}
          sx={{ fontSize: 18, overflowWrap: "anywhere", "&:focus": { outline: "none" } }}
        >
          {review.title}
        </Typography>
        <ReviewFacts review={review} me={me} />
      </Box>
      {decision.mode === "submit" && deciding ? (
        <AnswerForm review={review} decision={decision} />
      ) : (
        <ProposedSection review={review} />
      )}
      {deciding && decision.mode === "edit" ? <EditForm review={review} decision={decision} /> : null}
      {deciding && decision.mode === "supply" ? <SupplyForm decision={decision} /> : null}
      {review.status === "decided" && (review.action === "submit" || review.action === "supply") ? (
        <ReviewSection title={t("What was sent")}>
          <FieldsView value={review.data} what={t("the answer")} />
        </ReviewSection>
      ) : null}
      {review.status === "decided" && review.action === "edit" ? (
        <ReviewSection title={t("Edited before it was approved")}>
          <ChangeList before={review.proposal} after={review.data} />
        </ReviewSection>
      ) : null}
      <ReviewBackground review={review} />
      <ReviewVotes review={review} />
      <ReviewComments review={review} />
      {deciding ? (
        <DelegateForm
          review={review}
          onDone={() => {
            refresh();
            title.current?.focus({ preventScroll: true });
          }}
        />
      ) : null}
      {review.status !== "open" || (asked && taken) ? (
        <OutcomePanel
          review={review}
          mine={(mine || taken) && review.decidedBy === me}
          watched={wasOpen}
          onNext={onNext}
        />
      ) : deciding ? (
        <DecisionBar review={review} decision={decision}>
          <EqualChoice equal={equal} chosen={together} onChange={setTogether} />
        </DecisionBar>
      ) : (
        <ReviewSection title={t("Decision")}>
          <Typography color="text.secondary">{toRefusal(review, me, mayDecide)}</Typography>
        </ReviewSection>
      )}
    </Panel>
  );
}
