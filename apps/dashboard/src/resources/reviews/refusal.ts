import type { Review } from "@oven/contract";
import { toAudience } from "./assignee.ts";

/** Why the buttons are not there. */
export function toRefusal({ votes, policy, assignees }: Review, me: number | undefined, mayDecide: boolean): string {
  if (!mayDecide) return "You may see this review but not decide it. It needs the permission reviews.decide.";
  if (votes.some(({ userId }) => userId === me)) return "You have decided. The review waits for others.";
  const notRequester = policy.notRequester ? " Whoever started the run may not decide it." : "";
  return `It is for ${toAudience(assignees)} to decide.${notRequester}`;
}
