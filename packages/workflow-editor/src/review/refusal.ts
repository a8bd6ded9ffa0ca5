import type { Review } from "@oven/contract/review";
import { t } from "@oven/i18n";
import { toAudience } from "./assignee.ts";

/** Why the buttons are not there. */
export function toRefusal({ votes, policy, assignees }: Review, me: number | undefined, mayDecide: boolean): string {
  if (!mayDecide) return t("You may see this review but not decide it. It needs the permission reviews.decide.");
  if (votes.some(({ userId }) => userId === me)) return t("You have decided. The review waits for others.");
  const audience = toAudience(assignees, me);
  return policy.notRequester
    ? t("It is for {{audience}} to decide. The person who started the run may not decide it.", { audience })
    : t("It is for {{audience}} to decide.", { audience });
}
