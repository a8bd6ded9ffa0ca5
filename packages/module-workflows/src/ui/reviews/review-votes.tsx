import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import type { Review } from "@oven/contract/review";
import { currentLocale, t } from "@oven/i18n";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { toAudience } from "@oven/workflow-editor/review/assignee.ts";
import { ReviewSection } from "@oven/workflow-editor/review/review-section.tsx";
import type { ReactElement } from "react";

/** Who has approved so far, where several must. */
export function ReviewVotes({ review }: { review: Review }): ReactElement | null {
  const { policy, votes, stage, stages } = review;
  if (policy.approvals < 2 && stages.length < 2) return null;
  const approved = votes.filter((vote) => vote.action !== "reject" && vote.stage === stage).length;
  const later = stages.slice(stage + 1).map(({ assignees }) => toAudience(assignees));
  return (
    <ReviewSection title={t("Approvals: {{approved}} of {{approvals}}", { approved, approvals: policy.approvals })}>
      {later.length === 0 || review.status !== "open" ? null : (
        <Typography variant="body2" sx={{ mb: 0.75 }}>
          {t("Stage {{stage}} of {{stages}}. Then {{audience}} must approve, too.", {
            stage: stage + 1,
            stages: stages.length,
            audience: new Intl.ListFormat(currentLocale()).format(later),
          })}
        </Typography>
      )}
      {votes.length === 0 ? <Typography color="text.secondary">{t("Nobody has decided yet.")}</Typography> : null}
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: "none", display: "grid", gap: 0.5 }}>
        {votes.map(({ userId, userName, action, reason, at }) => (
          <Box component="li" key={userId} sx={{ overflowWrap: "anywhere" }}>
            <strong>{userName ?? t("user {{userId}}", { userId })}</strong>{" "}
            {action === "edit"
              ? t("edited and approved it")
              : action === "reject"
                ? t("rejected it")
                : t("approved it")}
            {reason === null ? "" : `: ${reason}`} · <RelativeTime at={at} />
          </Box>
        ))}
      </Box>
    </ReviewSection>
  );
}
