import type { ReviewRequest } from "@oven/contract/node";
import type { Frame } from "./frame.ts";
import { openReview } from "./open-review.ts";
import type { Unit } from "./run-state.ts";

/** A person says whether an at-most-once call happened: it is made again, its output is given, or it fails. */
export function askWhatHappened(frame: Frame, unit: Unit, reason: string): void {
  const { nodeId, visit, item } = unit;
  const request: ReviewRequest = {
    title: `Did ${item ?? nodeId} happen?`,
    proposal: { nodeId, nodeType: unit.src, visit, item },
    schema: null,
    context: { reason },
    tool: null,
    assignees: [],
    actions: ["rerun", "supply", "fail"],
    dueAt: null,
  };
  openReview(frame, unit, "review", request, true);
  // The items it had asked for stay with the row: called again, it gets their results.
  frame.rows.push({ type: "wait", nodeId, visit, item, status: "paused", wait: null });
}
