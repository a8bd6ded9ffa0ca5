import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import type { Review } from "@oven/contract/review";
import { t } from "@oven/i18n";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { runPath } from "@oven/ui/components/workflow-kind.ts";
import type { StatusTone } from "@oven/ui/theme/tokens.ts";
import { type ReactElement, useEffect, useRef, useState } from "react";
import { Link } from "react-router-dom";
import { toPast } from "./action-words.ts";

function toOutcome(review: Review): { word: string; tone: StatusTone } {
  if (review.status === "expired") return { word: t("Expired"), tone: "cancelled" };
  if (review.status === "cancelled") return { word: t("Withdrawn"), tone: "cancelled" };
  return toPast(review.action ?? "decided");
}

/**
 * The outcome of a review, in place of its buttons: held while it can be taken back, then decided. Both have the same buttons at
 * the same place, so that a press on them is not lost when the one becomes the other.
 */
export function OutcomePanel({
  review,
  mine,
  watched,
  onNext,
}: {
  review: Review;
  /** Whether it was decided on this page just now. */
  mine: boolean;
  /** Whether it was open when the page showed it: the button that had the focus is gone, and the next one takes it. */
  watched: boolean;
  onNext: (() => void) | null;
}): ReactElement {
  return (
    <Box
      sx={{
        position: "sticky",
        bottom: 0,
        zIndex: 2,
        p: { xs: 2, sm: 2.5 },
        borderTop: 1,
        borderColor: "divider",
        borderRadius: "0 0 10px 10px",
        bgcolor: "var(--oven-sunken)",
      }}
    >
      <Box role="status">
        {review.status === "open" ? (
          <Typography variant="body2" color="text.secondary">
            {t("You have decided this. Nothing starts before it is sent.")}
          </Typography>
        ) : (
          <DecidedText review={review} mine={mine} />
        )}
      </Box>
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1, mt: 2 }}>
        <Button
          variant={onNext === null ? "contained" : "outlined"}
          component={Link}
          to={runPath(review.executionKind, review.executionId)}
        >
          {t("See the run")}
        </Button>
        {onNext === null ? null : <NextButton onNext={onNext} isHeld={review.status === "open"} watched={watched} />}
      </Box>
    </Box>
  );
}

/** Takes the focus when it appears after the person's decision, or when the focused button has gone. */
function NextButton({
  onNext,
  isHeld,
  watched,
}: {
  onNext: () => void;
  isHeld: boolean;
  watched: boolean;
}): ReactElement {
  const button = useRef<HTMLButtonElement>(null);
  const [takesFocus] = useState(isHeld);
  useEffect(() => {
    if (takesFocus || (watched && document.activeElement === document.body))
      button.current?.focus({ preventScroll: true });
  }, [takesFocus, watched]);
  return (
    <Button ref={button} variant="contained" onClick={onNext}>
      {t("Next review")}
    </Button>
  );
}

function DecidedText({ review, mine }: { review: Review; mine: boolean }): ReactElement {
  const { word, tone } = toOutcome(review);
  return (
    <>
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 1 }}>
        <ToneChip tone={tone} word={word} />
        <Typography variant="body2" color="text.secondary">
          {mine ? t("by you") : t("already decided by {{name}}", { name: review.decidedByName ?? t("the system") })} ·{" "}
          <RelativeTime at={review.decidedAt} />
        </Typography>
      </Box>
      {review.reason === null ? null : (
        <Typography sx={{ mt: 1, whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>{review.reason}</Typography>
      )}
    </>
  );
}
