import type { Json } from "@oven/contract";
import { MAX_OUTPUT_BYTES } from "../plan/limits.ts";
import type { PlanEvent } from "../plan/plan-types.ts";
import type { Unit } from "../plan/run-state.ts";
import { toKey, toResultEvent } from "../run/call-results.ts";
import { toFailure } from "../run/failure.ts";
import { toPlainResult } from "../run/keep-content.ts";
import { type CallContext, type CallNotes, callNode } from "../run/node-call.ts";

export type ComputeContext = Omit<CallContext, "recorded">;

/**
 * Calls a node whose answer comes from its input and its run alone, or one that people allow to be asked.
 * @param signal ends the call
 * @returns what its run takes then; undefined for an output that would be stored beside the run
 */
export async function computeUnit(
  context: ComputeContext,
  unit: Unit,
  signal: AbortSignal = new AbortController().signal,
): Promise<PlanEvent | undefined> {
  const notes: CallNotes = { emits: [], wroteText: false };
  const recorded = async (): Promise<Json | undefined> => undefined;
  try {
    const called = await callNode({ ...context, recorded }, unit, signal, notes);
    const result = toPlainResult(called, unit.nodeId);
    if (result.type === "done" && JSON.stringify(result.output ?? null).length > MAX_OUTPUT_BYTES) return undefined;
    return toResultEvent(unit, result, notes);
  } catch (cause) {
    const failure = toFailure(cause, unit.nodeId);
    return { type: "failed", unit: toKey(unit), failure, emits: [], discardText: notes.wroteText };
  }
}
