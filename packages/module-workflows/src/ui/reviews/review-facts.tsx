import Box from "@mui/material/Box";
import type { Review } from "@oven/contract/review";
import { t, tx } from "@oven/i18n";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { toAudience } from "@oven/workflow-editor/review/assignee.ts";
import { DueTime } from "@oven/workflow-editor/review/due-time.tsx";
import type { ReactElement } from "react";

/**
 * Below the title: how long there is time, who is asked, by whom, and why it came to them.
 * @param me the reader's user id; undefined without a sign-in, as in a client of MCP
 */
export function ReviewFacts({ review, me }: { review: Review; me: number | undefined }): ReactElement {
  const { status, dueAt, workflowName, executionId, assignees, requestedByName, createdAt, escalation, stage, stages } =
    review;
  const time = <RelativeTime at={createdAt} />;
  return (
    <Box sx={{ mt: 0.5, fontSize: 13, color: "text.secondary" }}>
      <Box sx={{ display: "flex", flexWrap: "wrap", columnGap: 1.25, rowGap: 0.25 }}>
        <DueTime at={status === "open" ? dueAt : null} />
        <span>
          {workflowName} #{executionId}
        </span>
        <span>{t("for {{audience}}", { audience: toAudience(assignees, me) })}</span>
        {status === "open" && stages.length > 1 ? (
          <span>{t("stage {{stage}} of {{stages}}", { stage: stage + 1, stages: stages.length })}</span>
        ) : null}
        <span>
          {requestedByName === null
            ? tx("asked {{time}}", { time })
            : tx("asked by {{name}} {{time}}", { name: requestedByName, time })}
        </span>
      </Box>
      {escalation === null ? null : (
        <Box sx={{ mt: 0.5 }}>
          {escalation.from.length === 0
            ? tx("It came here {{time}}, because no decision was made in time.", {
                time: <RelativeTime at={escalation.at} />,
              })
            : tx("It came here {{time}}, because {{audience}} had not decided in time.", {
                time: <RelativeTime at={escalation.at} />,
                audience: toAudience(escalation.from, me),
              })}
        </Box>
      )}
    </Box>
  );
}
