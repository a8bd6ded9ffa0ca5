import { type McpEnvelope, toPending } from "@oven/contract/mcp";
import type { Review } from "@oven/contract/review";
import { type ExecutionSummary, executionPath, isTerminal } from "@oven/contract/run";

/** A run as MCP clients see it: its output, or what it waits for, and always the handle. */
export function toEnvelope(run: ExecutionSummary, openReviews: readonly Review[], publicUrl: string): McpEnvelope {
  const [review] = openReviews;
  return {
    status: run.status,
    ...(run.outcome === null ? {} : { outcome: run.outcome }),
    ...(run.status === "completed" ? { output: run.output } : {}),
    ...(run.error === null ? {} : { error: run.error }),
    ...(review === undefined || isTerminal(run.status) ? {} : { pending: toPending(review, publicUrl) }),
    ...(run.simulated ? { simulated: true } : {}),
    run: { id: run.id, url: `${publicUrl}${executionPath(run.kind, run.id)}/show` },
  };
}
