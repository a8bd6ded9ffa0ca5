import { OvenError } from "@oven/contract";
import type { NodeResult } from "@oven/contract/node";
import { MAX_OUTPUT_BYTES } from "../plan/limits.ts";
import type { Unit } from "../plan/run-state.ts";
import type { ContentStore } from "../ports.ts";
import type { RunRecord } from "../store.ts";

/**
 * What a node answered, as JSON keeps it: a run that goes on after a crash must see the same as one that did not crash.
 * @throws OvenError OUTPUT_NOT_JSON for what JSON cannot hold, such as a list that contains itself
 */
export function toPlainResult(result: NodeResult, nodeId: string): NodeResult {
  try {
    return JSON.parse(JSON.stringify(result)) as NodeResult; // cast: JSON keeps its shape
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new OvenError("OUTPUT_NOT_JSON", `What ${nodeId} answered cannot be kept as JSON: ${reason}`, {
      status: 500,
      fix: "Let the node answer plain values: no references in a circle, no BigInt, nothing over 500 MB.",
      cause,
    });
  }
}

/**
 * An output that is too large for a row is kept beside it, and the run goes on with a reference. Written before the commit:
 * one that is lost leaves content behind that goes with the run. Without a store for it, the limit of a step holds.
 */
export async function keepContent(
  content: ContentStore | undefined,
  { id, tenantId }: RunRecord,
  { nodeId, visit, item }: Unit,
  result: NodeResult,
): Promise<NodeResult> {
  if (result.type !== "done" || !content) return result;
  if (result.output === undefined || JSON.stringify(result.output).length <= MAX_OUTPUT_BYTES) return result;
  return { ...result, output: await content.write({ tenantId, executionId: id, nodeId, visit, item }, result.output) };
}
