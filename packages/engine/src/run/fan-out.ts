import { type Json, type JsonObject, OvenError } from "@oven/contract";
import type { NodeResult } from "@oven/contract/node";
import type { CompiledLoop } from "../compile/state-info.ts";
import { isObject } from "../expressions/json-access.ts";
import type { RunRecord } from "../store.ts";
import type { UnitMemory } from "./unit-memory.ts";

/*
 * A `forEach` whose passes may run side by side: one child per item. Its result is that of the sequential loop.
 */

interface FanOut {
  loopId: string;
  looping: CompiledLoop;
  record: RunRecord;
  /** The row's input. */
  input: Json;
}

/** Asks for one child per item. @throws OvenError INPUT_INVALID, LOOP_LIMIT */
export function openFanOut(
  { loopId, looping, record, input }: FanOut,
  outer: ReadonlyMap<string, Json> | undefined,
): NodeResult {
  const collection = isObject(input) ? input.collection : undefined;
  if (!Array.isArray(collection))
    throw new OvenError("INPUT_INVALID", "The loop's collection is not a list", {
      path: `$.states.${loopId}.loop.collection`,
    });
  if (collection.length > looping.maxIterations && looping.onLimit === "fail") {
    throw new OvenError(
      "LOOP_LIMIT",
      `The loop ${loopId} has ${collection.length} items; its maxIterations is ${looping.maxIterations}`,
      { fix: "Raise maxIterations, or set onLimit to continue." },
    );
  }
  const { kind, workflowId, workflowVersion } = record;
  const variables: JsonObject = outer ? { variables: Object.fromEntries(outer) } : {};
  const items = collection.slice(0, looping.maxIterations).map((item, index) => ({
    key: String(index),
    input: item,
    child: { kind, workflowId, workflowVersion, part: loopId, input: { item, index, ...variables } },
  }));
  const failFast = !looping.continueOnError;
  return { type: "wait", for: "items", request: { items, concurrency: looping.concurrency, failFast } };
}

/** `{items: [{index, input, output, status, error?}], count, failed, truncated}` */
export function closeFanOut({ looping, input }: FanOut, results: ReturnType<UnitMemory["results"]>): NodeResult {
  const collection = isObject(input) && Array.isArray(input.collection) ? input.collection : [];
  const items = results.map(({ key, status, output, error }): Json => {
    const index = Number(key);
    return { index, input: collection[index] ?? null, output, status, ...(error ? { error } : {}) };
  });
  const failed = results.filter(({ status }) => status === "failed").length;
  const truncated = collection.length > looping.maxIterations;
  return { type: "done", output: { items, count: items.length, failed, truncated } };
}
