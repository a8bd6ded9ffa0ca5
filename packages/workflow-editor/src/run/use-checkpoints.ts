import type { RunCheckpoint, RunCheckpointDetail } from "@oven/contract/run";
import { useAllRows, useAnswer } from "@oven/ui/components/use-answer.ts";

/** Where a recorded run stood after each of its moves. */
export function useCheckpoints(executionPath: string | null): { data: RunCheckpoint[] | undefined; error: unknown } {
  return useAllRows(executionPath === null ? null : `${executionPath}/checkpoints`);
}

/** A run as it stood at one of its checkpoints. */
export function useCheckpoint(
  executionPath: string,
  seq: number | undefined,
): { data: RunCheckpointDetail | undefined; error: unknown } {
  return useAnswer(seq === undefined ? null : `${executionPath}/checkpoints/${seq}`);
}
