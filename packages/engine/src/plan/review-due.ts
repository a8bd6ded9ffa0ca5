import type { OnDeadline } from "@oven/contract/review";
import { parseDuration } from "../expressions/duration.ts";
import type { Frame } from "./frame.ts";
import { identify } from "./node-units.ts";
import type { Unit, UnitWait } from "./run-state.ts";

type ReviewWait = Extract<UnitWait, { for: "review" | "input" }>;

/**
 * A review's deadline has come. Others are asked, or the store is to decide it, if no person has in the same moment: what it
 * decided comes back as a signal, so that there is one decision and the run goes on with that one.
 */
export function reviewDue(frame: Frame, unit: Unit, wait: ReviewWait, onDeadline: OnDeadline): void {
  const id = wait.reviewId;
  if (typeof onDeadline === "object" && "escalateTo" in onDeadline) {
    unit.wakeAt = frame.now + parseDuration(onDeadline.dueIn);
    const dueAt = new Date(unit.wakeAt).toISOString();
    const assignees = onDeadline.escalateTo;
    unit.wait = { ...wait, dueAt, onDeadline: "error" };
    frame.reviews.push({ type: "escalate", id, assignees, dueAt, at: frame.at });
    frame.event("review.escalated", { reviewId: id, ...identify(unit), assignees, dueAt });
    return;
  }
  const { action, reason } = onDeadline === "error" ? { action: "expire" as const, reason: undefined } : onDeadline;
  const why = reason ?? "Nobody decided before the deadline";
  frame.reviews.push({ type: "due", id, action, reason: action === "expire" ? null : why, at: frame.at });
}
