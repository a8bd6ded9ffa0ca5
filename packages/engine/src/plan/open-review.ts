import { OvenError } from "@oven/contract";
import type { ReviewRequest } from "@oven/contract/node";
import { hashJson } from "../compile/content-hash.ts";
import type { Frame } from "./frame.ts";
import { identify } from "./node-units.ts";
import { inFirstStage } from "./review-stages.ts";
import type { Unit } from "./run-state.ts";

/** @param lost what happened is asked, not whether something may */
export function openReview(
  frame: Frame,
  unit: Unit,
  kind: "review" | "input",
  asked: ReviewRequest,
  lost = false,
): void {
  const request = inFirstStage(asked);
  const id = frame.environment.reviewIds.shift();
  if (id === undefined) throw new OvenError("NO_REVIEW_ID", "A review was planned without an id", { status: 500 });
  unit.status = "waiting";
  unit.wait = { for: kind, reviewId: id, dueAt: request.dueAt, ...(lost ? { lost: true } : {}) };
  if (request.policy && request.dueAt !== null) unit.wait.onDeadline = request.policy.onDeadline;
  if (request.dueAt !== null) unit.wakeAt = Date.parse(request.dueAt);
  const digest = hashJson({ tool: request.tool, proposal: request.proposal });
  frame.reviews.push({
    type: "open",
    id,
    nodeId: unit.nodeId,
    visit: unit.visit,
    item: unit.item,
    request,
    digest,
    createdAt: frame.at,
  });
  frame.event("node.paused", { ...identify(unit), for: kind, reviewId: id, dueAt: request.dueAt });
  frame.event("review.opened", { reviewId: id, ...identify(unit), title: request.title, dueAt: request.dueAt });
}
