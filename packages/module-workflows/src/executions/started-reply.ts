import type { ExecutionSummary, Principal } from "@oven/contract";
import { accepted, ok, type Reply } from "@oven/module-registry";
import type { RunService } from "./run-service.ts";

/** 202 and the run; 200 when it ended or paused within `wait` seconds. */
export async function startedReply(
  runs: RunService,
  principal: Principal,
  { execution, replayed }: { execution: ExecutionSummary; replayed: boolean },
  wait: number | undefined,
  signal: AbortSignal,
): Promise<Reply> {
  const headers: Record<string, string> = replayed ? { "idempotency-replayed": "true" } : {};
  if (wait === undefined) return accepted(execution, headers);
  const settled = await runs.settle(principal, execution.id, wait * 1_000, signal);
  const row = await runs.reader.summary(principal, execution.id);
  return settled ? ok(row, headers) : accepted(row, headers);
}
