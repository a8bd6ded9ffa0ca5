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
  if (wait === undefined) return accepted(await runs.reader.summary(principal, id), headers);
  const { settled, run } = await runs.outcome(principal, id, wait * 1_000, signal);
  return settled ? ok(run, headers) : accepted(run, headers);
}
