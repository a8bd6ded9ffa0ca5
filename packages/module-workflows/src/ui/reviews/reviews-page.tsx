import ArrowBackRounded from "@mui/icons-material/ArrowBackRounded";
import FactCheckOutlined from "@mui/icons-material/FactCheckOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import type { Review } from "@oven/contract/review";
import { t } from "@oven/i18n";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { useIsNarrow } from "@oven/ui/components/use-is-narrow.ts";
import { useMe } from "@oven/ui/components/use-me.ts";
import { useNow } from "@oven/ui/components/use-now.ts";
import { useRecord } from "@oven/ui/components/use-record.ts";
import { toAudience } from "@oven/workflow-editor/review/assignee.ts";
import { decisionHold } from "@oven/workflow-editor/review/decide.ts";
import { DueTime } from "@oven/workflow-editor/review/due-time.tsx";
import { useShortcuts } from "@oven/workflow-editor/review/use-shortcuts.ts";
import {
  type ReactElement,
  type ReactNode,
  useCallback,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { useGetList } from "react-admin";
import { Link, useLocation, useNavigate, useParams, useSearchParams } from "react-router-dom";
import { ReviewCard } from "./review-card.tsx";
import { ReviewFilters, ReviewScopes } from "./review-filters.tsx";
import { type ReviewView, readView, toListOf, writeView } from "./review-view.ts";
import { RiskMark } from "./risk-mark.tsx";
import { useSwipe } from "./use-swipe.ts";

/** The location state of a review that was reached from another one: the review takes the focus. */
const MOVED = { state: { moved: true } };

/** How many reviews are read at a time. */
const BATCH = 100;

/** The inbox beside the review; on a phone one after the other. */
export function ReviewsPage(): ReactElement {
  const { id } = useParams();
  const { key } = useLocation();
  const navigate = useNavigate();
  const narrow = useIsNarrow();
  const [search] = useSearchParams();
  const view = readView(search);
  const kept = writeView(view);
  const now = useNow(60_000, view.due !== "any");
  const [batches, setBatches] = useState({ of: kept, count: 1 });
  const count = batches.of === kept ? batches.count : 1;
  const { data, total, error, refetch, isFetching, isPlaceholderData } = useGetList<Review>(
    "reviews",
    { ...toListOf(view, now), pagination: { page: 1, perPage: count * BATCH } },
    { refetchInterval: 10_000, placeholderData: (before) => before },
  );
  // Two changes may come before the page is drawn again, so each builds on the last one that was asked for.
  const wanted = useRef(kept);
  useEffect(() => {
    wanted.current = kept;
  }, [kept]);
  const change = useCallback(
    (changed: Partial<ReviewView>) => {
      wanted.current = writeView({ ...readView(new URLSearchParams(wanted.current)), ...changed });
      void navigate(`/reviews${wanted.current}`, { replace: true });
    },
    [navigate],
  );
  const open = (review: Review): void => void navigate(`/reviews/${review.id}${wanted.current}`, MOVED);
  // Beside the list the first is open at once. It stays open after it was decided, until the person goes elsewhere.
  const [opened, setOpened] = useState<{ key: string; id: string }>();
  const first = isPlaceholderData ? undefined : data?.[0]?.id;
  if (opened?.key !== key && first !== undefined) setOpened({ key, id: String(first) });
  const shown = id ?? (narrow || opened?.key !== key ? undefined : opened.id);
  const at = (data ?? []).findIndex((review) => String(review.id) === shown);
  const go = (step: 1 | -1): void => {
    const others = (data ?? []).filter((review) => String(review.id) !== shown);
    const target = at === -1 ? others[0] : data?.[at + step];
    if (target !== undefined) open(target);
  };
  useShortcuts({ j: () => go(1), k: () => go(-1) });
  // What is decided together is taken at once: the next review is one that was not.
  useSyncExternalStore(decisionHold.subscribe, decisionHold.state);
  // On from here, then from the top: what the person may not decide is not their next review.
  const next = [...(data ?? []).slice(at + 1), ...(data ?? [])].find(
    (review) =>
      review.status === "open" && review.mayDecide && String(review.id) !== shown && !decisionHold.isTaken(review),
  );
  const onNext = next === undefined ? null : () => open(next);

  if (narrow && id !== undefined) {
    return (
      <>
        <Button
          component={Link}
          to={`/reviews${kept}`}
          size="small"
          startIcon={<ArrowBackRounded />}
          sx={{ mb: 1, ml: -1 }}
        >
          {t("All reviews")}
        </Button>
        <ChosenReview id={id} onNext={onNext} onSwipe={go} heading="h1" />
      </>
    );
  }
  const narrowed = view.due !== "any" || view.q !== "";
  return (
    <>
      <PageHeader
        title={t("Reviews")}
        line={
          <Box component="span" sx={{ display: { xs: "none", md: "inline" } }}>
            {t(
              "j and k move through the list. a approves, e edits, r rejects, 1 to 9 choose other outcomes, Ctrl+Enter sends what was typed, z takes it back, x decides equal ones too, c comments, d delegates.",
            )}
          </Box>
        }
        actions={<ReviewScopes view={view} onChange={change} />}
      />
      <ReviewFilters view={view} onChange={change} />
      {error ? (
        <ErrorPanel error={error} title={t("The reviews could not be loaded")} onRetry={() => void refetch()} />
      ) : null}
      {data !== undefined && data.length === 0 && shown === undefined ? (
        <Panel>
          <EmptyState
            icon={<FactCheckOutlined />}
            title={
              narrowed
                ? t("No reviews match")
                : view.show === "decided"
                  ? t("Nothing has been decided yet")
                  : t("Nothing needs you")
            }
            text={
              narrowed
                ? t("Nothing fits this search and these filters.")
                : view.show === "decided"
                  ? t("Decisions stay here with their reasons.")
                  : t("A run that reaches a review stops and asks here. Nothing is released without a decision.")
            }
          />
        </Panel>
      ) : (
        <Box
          sx={{
            display: "grid",
            gap: 2,
            gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "300px minmax(0, 1fr)" },
            alignItems: "start",
          }}
        >
          <Panel flush sx={{ position: { md: "sticky" }, top: { md: 24 } }}>
            {data === undefined ? (
              <Skeleton variant="rounded" height={140} sx={{ m: 2 }} />
            ) : (
              <ReviewInbox reviews={data} chosen={shown} search={kept}>
                {total === undefined || total <= data.length ? null : (
                  <Button
                    fullWidth
                    loading={isFetching && isPlaceholderData}
                    onClick={() => setBatches({ of: kept, count: count + 1 })}
                  >
                    {t("Show more: {{shown}} of {{total}}", { shown: data.length, total })}
                  </Button>
                )}
              </ReviewInbox>
            )}
          </Panel>
          {narrow || shown === undefined ? null : <ChosenReview id={shown} onNext={onNext} onSwipe={go} heading="h2" />}
        </Box>
      )}
    </>
  );
}

function ReviewInbox({
  reviews,
  chosen,
  search,
  children,
}: {
  reviews: Review[];
  chosen: string | undefined;
  search: string;
  /** Below the last one. */
  children: ReactNode;
}): ReactElement {
  const me = useMe();
  if (reviews.length === 0) return <Box sx={{ p: 2, color: "text.secondary" }}>{t("The list is empty.")}</Box>;
  return (
    <Box
      component="ul"
      aria-label={t("Inbox")}
      sx={{ m: 0, p: 0, listStyle: "none", maxHeight: { md: "calc(100dvh - 140px)" }, overflowY: "auto" }}
    >
      {reviews.map((review) => (
        <Box
          component="li"
          key={review.id}
          sx={{ borderBottom: 1, borderColor: "divider", "&:last-of-type": { borderBottom: 0 } }}
        >
          <Box
            component={Link}
            to={`/reviews/${review.id}${search}`}
            aria-current={String(review.id) === chosen ? "true" : undefined}
            sx={{
              display: "block",
              px: 2,
              py: 1.5,
              color: "text.primary",
              textDecoration: "none",
              "&:hover": { bgcolor: "action.hover" },
              '&[aria-current="true"]': { bgcolor: "action.selected" },
              "&:focus-visible": { outlineOffset: "-2px" },
            }}
          >
            <Box sx={{ fontWeight: 600, overflowWrap: "anywhere" }}>{review.title}</Box>
            <Box
              sx={{
                display: "flex",
                flexWrap: "wrap",
                columnGap: 1,
                mt: 0.25,
                fontSize: 12.5,
                color: "text.secondary",
              }}
            >
              <DueTime at={review.dueAt} />
              <span>
                {review.workflowName} #{review.executionId}
              </span>
              <span>{t("for {{audience}}", { audience: toAudience(review.assignees, me) })}</span>
              <RiskMark review={review} />
              <RelativeTime at={review.createdAt} />
            </Box>
          </Box>
        </Box>
      ))}
      {children === null ? null : (
        <Box component="li" sx={{ p: 1 }}>
          {children}
        </Box>
      )}
    </Box>
  );
}

interface ChosenReviewProps {
  id: string;
  onNext: (() => void) | null;
  onSwipe: (step: 1 | -1) => void;
  heading: "h1" | "h2";
}

function ChosenReview({ id, onNext, onSwipe, heading }: ChosenReviewProps): ReactElement {
  const { data: review, error, refetch } = useRecord<Review>("reviews", id);
  const { state } = useLocation();
  const swipe = useSwipe(
    () => onSwipe(1),
    () => onSwipe(-1),
  );
  if (error)
    return <ErrorPanel error={error} title={t("Review {{id}} could not be loaded", { id })} onRetry={refetch} />;
  if (review === undefined) return <Skeleton variant="rounded" height={360} />;
  return (
    <Box {...swipe}>
      <ReviewCard key={review.id} review={review} onNext={onNext} heading={heading} focused={state?.moved === true} />
    </Box>
  );
}
