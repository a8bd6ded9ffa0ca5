import { OvenError } from "@oven/contract";

/** What holds a workflow: runs that have not ended. */
export const LIVE_STATUSES = ["pending", "running", "paused"] as const;

export function workflowInUse(title: string, live: readonly number[]): OvenError {
  return new OvenError("WORKFLOW_IN_USE", `${live.length} runs of this ${title} have not ended`, {
    status: 409,
    fix: "Wait for them, cancel them, or delete with ?force=true, which cancels them.",
    details: { executions: live.slice(0, 20) },
  });
}
