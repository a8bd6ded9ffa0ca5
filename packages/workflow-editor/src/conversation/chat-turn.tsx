import ArrowRightRounded from "@mui/icons-material/ArrowRightRounded";
import ReplayRounded from "@mui/icons-material/ReplayRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import type { ChatMessage } from "@oven/contract/agent";
import type { RunEvent } from "@oven/contract/run";
import { t } from "@oven/i18n";
import { ApiError } from "@oven/ui/api/api-error.ts";
import { CopyButton } from "@oven/ui/components/copy-button.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { formatDuration, formatMoney, formatTokens } from "@oven/ui/components/format.ts";
import { MarkdownText, type MarkdownTextProps } from "@oven/ui/components/markdown-text.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { SimulatedChip } from "@oven/ui/components/simulated-chip.tsx";
import { StatusChip } from "@oven/ui/components/status-chip.tsx";
import { type Thumb, Thumbs, type ThumbsProps } from "@oven/ui/components/thumbs.tsx";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { runPath } from "@oven/ui/components/workflow-kind.ts";
import { type ReactElement, type ReactNode, useState } from "react";
import { Link as RouterLink } from "react-router-dom";
import { OpenReviews, type OpenReviewsProps } from "../review/open-reviews.tsx";
import { eventsOf, isOver, type LiveFamily, statusOf, writingOf } from "./live-turns.ts";
import { type ToolStep, toToolSteps } from "./tool-steps.ts";
import { ToolStepsView } from "./tool-steps-view.tsx";

export interface ChatTurnProps {
  turn: ChatMessage;
  live: LiveFamily | undefined;
  /** Who answers. */
  by: string;
  /** It may be asked once more. */
  onRetry: (() => void) | null;
  retrying: boolean;
  /** What the person thinks of the answer. */
  thumb: Thumb;
  onThumb: ThumbsProps["onChange"];
  look?: TurnLook | undefined;
}

/** What a conversation about something shows in its own way. */
export interface TurnLook {
  /** The calls of tools on the way to an answer. */
  steps: (steps: readonly ToolStep[], when: "going" | "over" | "opened") => ReactNode;
  /** What a link in an answer does. */
  toAction: MarkdownTextProps["toAction"];
  /** What people are asked on the way; null: it is drawn as reviews are. */
  review: OpenReviewsProps["draw"];
  /** Stands below an answer. */
  below: (turn: ChatMessage) => ReactNode;
}

/** One message and what came of it. */
export function ChatTurn({ turn, live, by, onRetry, retrying, thumb, onThumb, look }: ChatTurnProps): ReactElement {
  const status = statusOf(turn, live);
  const over = isOver(turn);
  const events = eventsOf(live);
  const steps = toToolSteps(events);
  const asked = events.filter(({ event }) => event.startsWith("review.")).length;
  const opened = events.filter(({ event }) => event === "review.opened").length;
  const writing = over ? "" : writingOf(turn, live);
  return (
    <Box
      component="section"
      aria-label={t("Message: {{slice}}", { slice: turn.message.slice(0, 60) })}
      sx={{ display: "grid", gap: 1.5 }}
    >
      <Said>{turn.message}</Said>
      <Box sx={{ display: "grid", gap: 1.25, minWidth: 0 }}>
        <Box sx={{ fontSize: 12.5, fontWeight: 650, color: "var(--oven-kind-model)" }}>{by}</Box>
        {steps.length > 0 ? (
          (look?.steps(steps, over ? "over" : "going") ?? <ToolStepsView steps={steps} />)
        ) : over && turn.toolCalls > 0 ? (
          <PastSteps turn={turn} look={look} />
        ) : null}
        {turn.answer !== null ? (
          <MarkdownText text={turn.answer} toAction={look?.toAction} />
        ) : writing !== "" && status !== "paused" ? (
          <Box aria-live="polite" aria-busy="true">
            <MarkdownText text={writing} toAction={look?.toAction} />
          </Box>
        ) : over || status === "paused" ? null : (
          <Box role="status" sx={{ fontSize: 13, color: "text.secondary" }}>
            {turn.executionId === null ? t("Sending…") : t("Thinking…")}
          </Box>
        )}
        {turn.executionId !== null && !over ? (
          <Asked
            executionId={turn.executionId}
            asks={status === "paused" || opened * 2 > asked}
            mark={`${status} ${asked}`}
            draw={look?.review}
          />
        ) : null}
        {turn.status === "failed" ? (
          <ErrorPanel
            title={t("No answer came of it")}
            error={
              new ApiError(0, {
                code: turn.error?.code ?? "RUN_FAILED",
                message: turn.error?.message ?? "No reason was recorded",
              })
            }
          />
        ) : null}
        {turn.status === "cancelled" ? (
          <Box role="note" sx={{ fontSize: 13, color: "text.secondary" }}>
            {t("It was stopped before there was an answer.")}
          </Box>
        ) : null}
        {turn.status === "completed" ? look?.below(turn) : null}
        <Line turn={turn} status={status} onRetry={onRetry} retrying={retrying}>
          {over && turn.executionId !== null && turn.status !== "cancelled" ? (
            <Thumbs thumb={thumb} onChange={onThumb} />
          ) : null}
        </Line>
      </Box>
    </Box>
  );
}

/** What a person said. */
export function Said({ children }: { children: ReactNode }): ReactElement {
  return (
    <Box
      sx={{
        justifySelf: "end",
        maxWidth: "min(85%, 720px)",
        px: 1.75,
        py: 1.125,
        borderRadius: 3,
        bgcolor: "action.selected",
        whiteSpace: "pre-wrap",
        overflowWrap: "anywhere",
        lineHeight: "22px",
      }}
    >
      {children}
    </Box>
  );
}

/** Who may see reviews decides them here; everybody else is told that somebody is asked. */
function Asked(props: Omit<OpenReviewsProps, "onDecided">): ReactElement | null {
  const mayRead = useCan("reviews.read");
  if (!props.asks) return null;
  if (mayRead) return <OpenReviews {...props} onDecided={() => {}} />;
  return (
    <Box role="note" sx={{ fontSize: 13, color: "text.secondary" }}>
      {t("Somebody is asked to decide. The answer follows here, however long that takes.")}
    </Box>
  );
}

/** Read when somebody wants to know: most people read the answer only. */
function PastSteps({ turn, look }: Pick<ChatTurnProps, "turn" | "look">): ReactElement {
  const [open, setOpen] = useState(false);
  const path = `chat-sessions/${turn.sessionId}/messages/${turn.id}/events?run=${turn.executionId}`;
  const { data, error } = useAnswer<RunEvent[]>(open ? path : null);
  if (error) return <ErrorPanel error={error} title={t("The steps could not be read")} />;
  if (data !== undefined) {
    const steps = toToolSteps(data);
    if (steps.length > 0) return <>{look?.steps(steps, "opened") ?? <ToolStepsView steps={steps} />}</>;
    return <Box sx={{ fontSize: 13, color: "text.secondary" }}>{t("What it called is not kept any more.")}</Box>;
  }
  return (
    <Box>
      <Button
        size="small"
        variant={look === undefined ? "outlined" : "text"}
        loading={open}
        onClick={() => setOpen(true)}
        startIcon={look === undefined ? undefined : <ArrowRightRounded sx={{ mr: -0.75 }} />}
        sx={look === undefined ? {} : { ml: -1, fontWeight: 400, color: "text.secondary" }}
      >
        {look !== undefined
          ? t("{{count}} steps", { count: turn.toolCalls })
          : turn.toolCalls === 1
            ? t("1 tool was called")
            : t("{{toolCalls}} tools were called", { toolCalls: turn.toolCalls })}
      </Button>
    </Box>
  );
}

function Line({
  turn,
  status,
  onRetry,
  retrying,
  children,
}: {
  turn: ChatMessage;
  status: ChatMessage["status"];
  onRetry: (() => void) | null;
  retrying: boolean;
  children: ReactNode;
}): ReactElement {
  const mayReadRuns = useCan("executions.read");
  const over = isOver(turn);
  return (
    <Box
      sx={{
        display: "flex",
        flexWrap: "wrap",
        alignItems: "center",
        columnGap: 1.25,
        rowGap: 0.5,
        minHeight: 28,
        fontSize: 12.5,
        color: "text.secondary",
        fontVariantNumeric: "tabular-nums",
      }}
    >
      {status === "completed" ? null : <StatusChip status={status} />}
      {turn.simulated ? <SimulatedChip /> : null}
      {turn.answer === null ? null : <CopyButton text={turn.answer} what={t("the answer")} />}
      {children}
      {onRetry === null || !over ? null : (
        <Button size="small" startIcon={<ReplayRounded />} loading={retrying} onClick={onRetry}>
          {turn.status === "completed" ? t("Answer again") : t("Try again")}
        </Button>
      )}
      {over && turn.durationMs !== null ? (
        <>
          <span>{formatDuration(turn.durationMs)}</span>
          {turn.tokenUsage.total === 0 ? null : <span>{formatTokens(turn.tokenUsage)}</span>}
          {turn.costMicros === 0 ? null : <span>{formatMoney(turn.costMicros)}</span>}
        </>
      ) : null}
      {mayReadRuns && turn.executionId !== null ? (
        <Link component={RouterLink} to={runPath(turn.executionKind, turn.executionId)}>
          {t("Run #{{id}}", { id: turn.executionId })}
        </Link>
      ) : null}
      <RelativeTime at={turn.createdAt} />
    </Box>
  );
}
