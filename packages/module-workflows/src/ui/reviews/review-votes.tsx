import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import type { Review } from "@oven/contract/review";
import { t } from "@oven/i18n";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { ReviewSection } from "@oven/workflow-editor/review/review-section.tsx";
import type { ReactElement } from "react";

/** Who has approved so far, where several must. */
export function ReviewVotes({ review }: { review: Review }): ReactElement | null {
  const { policy, votes } = review;
  if (policy.approvals < 2) return null;
  const approved = votes.filter(({ action }) => action !== "reject").length;
  return (
    <ReviewSection title={t("Approvals: {{approved}} of {{approvals}}", { approved, approvals: policy.approvals })}>
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
