import ArrowBackRounded from "@mui/icons-material/ArrowBackRounded";
import FactCheckOutlined from "@mui/icons-material/FactCheckOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Chip from "@mui/material/Chip";
import Skeleton from "@mui/material/Skeleton";
import type { Review } from "@oven/contract";
import { type ReactElement, useEffect, useState } from "react";
import { useGetList } from "react-admin";
import { Link, useNavigate, useParams } from "react-router-dom";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { Panel } from "../../components/panel.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { useIsNarrow } from "../../components/use-is-narrow.ts";
import { useRecord } from "../../components/use-record.ts";
import { toAudience } from "./assignee.ts";
import { DueTime } from "./due-time.tsx";
import { ReviewCard } from "./review-card.tsx";
import { useShortcuts } from "./use-shortcuts.ts";
import { useSwipe } from "./use-swipe.ts";

type Scope = "mine" | "open" | "decided";

const SCOPES: readonly { value: Scope; label: string }[] = [
  { value: "mine", label: "Mine" },
  { value: "open", label: "Open" },
  { value: "decided", label: "Decided" },
];

/** The inbox beside the review; on a phone one after the other. */
export function ReviewsPage(): ReactElement {
  const { id } = useParams();
  const navigate = useNavigate();
  const narrow = useIsNarrow();
  const [scope, setScope] = useState<Scope>("open");
  const { data, error, refetch } = useGetList<Review>(
    "reviews",
    {
      filter: scope === "mine" ? { mine: true, status: "open" } : { status: scope },
      pagination: { page: 1, perPage: 100 },
      sort: { field: "id", order: scope === "decided" ? "DESC" : "ASC" },
    },
    { refetchInterval: 10_000 },
  );
  // Beside the list the first is open at once. Its own address keeps it there after it was decided.
  const first = data?.[0]?.id;
  useEffect(() => {
    if (id === undefined && !narrow && first !== undefined) void navigate(`/reviews/${first}`, { replace: true });
  }, [id, narrow, first, navigate]);
  const at = (data ?? []).findIndex((review) => String(review.id) === id);
  const go = (step: 1 | -1): void => {
    const others = (data ?? []).filter((review) => String(review.id) !== id);
    const target = at === -1 ? others[0] : data?.[at + step];
    if (target !== undefined) void navigate(`/reviews/${target.id}`);
  };
  useShortcuts({ j: () => go(1), k: () => go(-1) });
  const next = (data ?? []).find((review) => review.status === "open" && String(review.id) !== id);
  const onNext = next === undefined ? null : () => void navigate(`/reviews/${next.id}`);

  const scopes = (
    <Box role="group" aria-label="Which reviews" sx={{ display: "flex", gap: 0.75 }}>
      {SCOPES.map(({ value, label }) => (
        <Chip
          key={value}
          label={label}
          color={scope === value ? "primary" : "default"}
          variant={scope === value ? "filled" : "outlined"}
          aria-pressed={scope === value}
          onClick={() => setScope(value)}
        />
      ))}
    </Box>
  );

  if (narrow && id !== undefined) {
    return (
      <>
        <Button component={Link} to="/reviews" size="small" startIcon={<ArrowBackRounded />} sx={{ mb: 1, ml: -1 }}>
          All reviews
        </Button>
        <ChosenReview id={id} onNext={onNext} onSwipe={go} heading="h1" />
      </>
    );
  }
  return (
    <>
      <PageHeader
        title="Reviews"
        line={
          <Box component="span" sx={{ display: { xs: "none", md: "inline" } }}>
            j and k move through the list. a approves, e edits, r rejects.
          </Box>
        }
        actions={scopes}
      />
      {error ? (
        <ErrorPanel error={error} title="The reviews could not be loaded" onRetry={() => void refetch()} />
      ) : null}
      {data !== undefined && data.length === 0 && id === undefined ? (
        <Panel>
          <EmptyState
            icon={<FactCheckOutlined />}
            title={scope === "decided" ? "Nothing has been decided yet" : "Nothing needs you"}
            text={
              scope === "decided"
                ? "Decisions stay here with their reasons."
                : "A run that reaches a review stops and asks here. Nothing is released without a decision."
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
              <ReviewInbox reviews={data} chosen={id} />
            )}
          </Panel>
          {narrow || id === undefined ? null : <ChosenReview id={id} onNext={onNext} onSwipe={go} heading="h2" />}
        </Box>
      )}
    </>
  );
}

function ReviewInbox({ reviews, chosen }: { reviews: Review[]; chosen: string | undefined }): ReactElement {
  if (reviews.length === 0) return <Box sx={{ p: 2, color: "text.secondary" }}>The list is empty.</Box>;
  return (
    <Box
      component="ul"
      aria-label="Inbox"
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
            to={`/reviews/${review.id}`}
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
              <span>for {toAudience(review.assignees)}</span>
              <RelativeTime at={review.createdAt} />
            </Box>
          </Box>
        </Box>
      ))}
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
  const swipe = useSwipe(
    () => onSwipe(1),
    () => onSwipe(-1),
  );
  if (error) return <ErrorPanel error={error} title={`Review ${id} could not be loaded`} onRetry={refetch} />;
  if (review === undefined) return <Skeleton variant="rounded" height={360} />;
  return (
    <Box {...swipe}>
      <ReviewCard key={review.id} review={review} onNext={onNext} heading={heading} />
    </Box>
  );
}
