import { type JsonObject, type Principal, toActor } from "@oven/contract";
import type { ExecutionKind } from "@oven/contract/run";
import type { Transaction } from "@oven/db";
import type { ServiceMap } from "@oven/module-registry";
import type { RunKinds } from "../runtime/run-kinds.ts";
import type { ReviewRow } from "./review-row.ts";

export interface ReviewEventDeps {
  kinds: RunKinds;
  events: Pick<ServiceMap["events"], "write" | "wake">;
}

/** Writes an event about a review, under the namespace of its run's kind, in the transaction that changes the review. */
export async function writeReviewEvent(
  tx: Transaction,
  { kinds, events }: ReviewEventDeps,
  principal: Principal,
  review: ReviewRow,
  name: "delegated" | "advanced",
  more: JsonObject,
): Promise<void> {
  const { id: reviewId, executionId, workflowId, tenantId } = review;
  const { kind } = kinds.get(review.executionKind as ExecutionKind); // cast: only the store writes it
  await events.write(tx, [
    {
      name: `${kind.namespace}.review.${name}`,
      tenantId,
      actor: toActor(principal),
      payload: { reviewId, executionId, [kind.workflowIdField]: workflowId, ...more },
      orderKey: `execution:${executionId}`,
    },
  ]);
}
