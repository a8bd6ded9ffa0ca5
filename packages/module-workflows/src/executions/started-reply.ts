import type { Principal } from "@oven/contract";
import { accepted, ok, type Reply } from "@oven/module-registry";
import type { RunService } from "./run-service.ts";
import type { StartedRun } from "./start-run.ts";

/** 202 and the run; 200 when it ended or paused within `wait` seconds. */
export async function startedReply(
  runs: RunService,
  principal: Principal,
  { id, replayed }: StartedRun,
  wait: number | undefined,
  signal: AbortSignal,
): Promise<Reply> {
  const headers: Record<string, string> = replayed ? { "idempotency-replayed": "true" } : {};
  const settled = wait !== undefined && (await runs.settle(principal, id, wait * 1_000, signal));
  const row = await runs.reader.summary(principal, id);
  return settled ? ok(row, headers) : accepted(row, headers);
}
