import PauseCircleOutlineRounded from "@mui/icons-material/PauseCircleOutlineRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { getOwn, type JsonObject } from "@oven/contract";
import type { Execution, ExecutionKind, Waiting } from "@oven/contract/run";
import { t, tx } from "@oven/i18n";
import { ApiError } from "@oven/ui/api/api-error.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { FieldsView } from "@oven/ui/components/fields-view.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { runPath } from "@oven/ui/components/workflow-kind.ts";
import type { ReactElement } from "react";
import { Link } from "react-router-dom";
import { useReviewerNames } from "./use-reviewer-names.ts";

const WAITS: Record<Waiting["for"], string> = {
  review: t("waits for a decision"),
  input: t("waits for an answer"),
  event: t("waits for an event"),
  timer: t("waits for its time"),
  child: t("waits for another run"),
  items: t("waits for its items"),
};

function WaitingPanel({
  kind,
  waiting,
  label,
}: {
  kind: ExecutionKind;
  waiting: Waiting;
  label: string;
}): ReactElement {
  return (
    <Box
      role="status"
      sx={{
        display: "flex",
        flexWrap: "wrap",
        alignItems: "center",
        gap: 1.5,
        p: 1.75,
        borderRadius: 2.5,
        border: "1px solid color-mix(in srgb, var(--oven-status-paused) 40%, transparent)",
        bgcolor: "var(--oven-status-paused-soft)",
      }}
    >
      <PauseCircleOutlineRounded sx={{ color: "var(--oven-status-paused)" }} />
      <Box sx={{ flex: 1, minWidth: 180 }}>
        <Typography variant="h3" component="p">
          “{label}” {WAITS[waiting.for]}
        </Typography>
        <Typography variant="body2" color="text.secondary">
          {waiting.dueAt === null
            ? t("The run goes on as soon as it is given; nothing is lost meanwhile.")
            : tx("Due {{time}}", { time: <RelativeTime at={waiting.dueAt} /> })}
        </Typography>
      </Box>
      {waiting.reviewId === null ? null : (
        <Button variant="contained" component={Link} to={`/reviews/${waiting.reviewId}`}>
          {t("Review now")}
        </Button>
      )}
      {waiting.executionId === undefined ? null : (
        <Button variant="outlined" component={Link} to={runPath(kind, waiting.executionId)}>
          {t("Open the run")}
        </Button>
      )}
    </Box>
  );
}

/** What a reader wants to know first: what it waits for, why it failed, or what came out. */
export function ExecutionOutcome({
  run,
  definition,
  labels,
  reviews = true,
}: {
  run: Execution;
  /** What it ran, once it is known. */
  definition: JsonObject | undefined;
  labels: Readonly<Record<string, string>>;
  /** False where they stand beside it, to be decided. */
  reviews?: boolean;
}): ReactElement | null {
  const said = useReviewerNames(run, definition);
  const nameOf = (nodeId: string): string => getOwn(labels, nodeId.split(".")[0] ?? nodeId) ?? nodeId;
  if (run.status === "paused") {
    const shown = (run.checkpoint?.waiting ?? []).filter(
      ({ for: what }) => what !== "items" && what !== "timer" && (reviews || what !== "review"),
    );
    return (
      <>
        {shown.map((waiting) => (
          <WaitingPanel
            key={`${waiting.nodeId} ${waiting.visit} ${waiting.item}`}
            kind={run.kind}
            waiting={waiting}
            label={waiting.item ?? nameOf(waiting.nodeId)}
          />
        ))}
      </>
    );
  }
  if (run.status === "failed") {
    const where = run.errorInfo?.nodeId;
    return (
      <ErrorPanel
        title={where == null ? t("The run failed") : t("The run failed at “{{nameOf}}”", { nameOf: nameOf(where) })}
        error={
          new ApiError(0, {
            code: run.errorInfo?.code ?? "RUN_FAILED",
            message: run.error ?? "No reason was recorded",
            ...(run.errorInfo?.details === undefined ? {} : { details: run.errorInfo.details }),
          })
        }
      />
    );
  }
  if (run.status !== "completed" || run.output === null) return null;
  return (
    <Panel title={t("Result")}>
      <FieldsView value={run.output} what={t("the result")} said={said} />
    </Panel>
  );
}
