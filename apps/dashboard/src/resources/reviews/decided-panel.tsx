import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import type { Review } from "@oven/contract";
import { t } from "@oven/i18n";
import { type ReactElement, useEffect, useRef } from "react";
import { Link } from "react-router-dom";
import { RelativeTime } from "../../components/relative-time.tsx";
import { ToneChip } from "../../components/status-chip.tsx";
import type { StatusTone } from "../../theme/tokens.ts";
import { runPath } from "../workflows/workflow-kind.ts";
import { toPast } from "./action-words.ts";

function toOutcome(review: Review): { word: string; tone: StatusTone } {
  if (review.status === "expired") return { word: t("Expired"), tone: "cancelled" };
  if (review.status === "cancelled") return { word: t("Withdrawn"), tone: "cancelled" };
  return toPast(review.action ?? "decided");
}

/** How a review ended, instead of its buttons. `mine`: it was decided on this page just now. */
export function DecidedPanel({
  review,
  mine,
  watched,
  onNext,
}: {
  review: Review;
  mine: boolean;
  /** It was decided while it was looked at: the button that had the focus is gone, and the next step takes it. */
  watched: boolean;
  onNext: (() => void) | null;
}): ReactElement {
  const { word, tone } = toOutcome(review);
  const next = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (watched && document.activeElement === document.body) next.current?.focus({ preventScroll: true });
  }, [watched]);
  return (
    <Box
      role="status"
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
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1, mt: 2 }}>
        <Button
          variant={onNext === null ? "contained" : "outlined"}
          component={Link}
          to={runPath(review.executionKind, review.executionId)}
        >
          {t("See the run")}
        </Button>
        {onNext === null ? null : (
          <Button ref={next} variant="contained" onClick={onNext}>
            {t("Next review")}
          </Button>
        )}
      </Box>
    </Box>
  );
}
