import { type Json, type JsonObject, OvenError } from "@oven/contract";
import type { ErrorInfo } from "@oven/contract/run";
import type { StateInfo } from "../compile/state-info.ts";
import { getChild, getOwn } from "../expressions/json-access.ts";
import type { ContextOp } from "../store.ts";
import { toErrorInfo } from "./error-info.ts";
import type { Frame } from "./frame.ts";
import { MAX_OUTPUT_BYTES } from "./limits.ts";
import { failUnit, findUnit, finishUnit, openRow, spendOf, writeStart } from "./node-units.ts";
import type { LoopRun } from "./run-state.ts";

/*
 * A loop's result `{items, count, failed, truncated}` stands at `$.<loop>_output` from the start and grows with each
 * iteration: the collection is kept there once, and a crash loses nothing. Between two iterations the machine rests
 * in the loop's `next` state; `deliver.ts` then asks `hasNext`.
 */

export function findLoop(frame: Frame, loopId: string): LoopRun | undefined {
  return frame.loops.find((run) => run.stateId === loopId);
}

/** The loop is entered: its row is opened and its collection taken as it is now. */
export function openLoop(frame: Frame, loop: StateInfo): void {
  const { looping } = loop;
  if (!looping) return;
  openRow(frame, loop);
  frame.loops = frame.loops.filter((run) => run.stateId !== loop.id);
  const only = getOwn(frame.facts.options?.items ?? {}, loop.id);
  frame.loops.push({ stateId: loop.id, index: typeof only === "number" ? only - 1 : -1, failed: 0, last: null });
  try {
    const all = looping.collection?.resolve(frame.scope(loop)) ?? [];
    if (!Array.isArray(all)) {
      throw new OvenError("INPUT_INVALID", "The loop's collection is not a list", {
        path: `$.states.${loop.id}.loop.collection`,
      });
    }
    const truncated = all.length > looping.maxIterations;
    if (truncated && looping.onLimit === "fail")
      throw limitError(loop.id, `has ${all.length} items`, looping.maxIterations);
    if (typeof only === "number" && looping.type === "forEach" && only >= Math.min(all.length, looping.maxIterations))
      throw new OvenError("INPUT_INVALID", `The loop ${loop.id} has ${all.length} items, none with the index ${only}`, {
        path: "$.options.items",
      });
    const items = all
      .slice(0, looping.maxIterations)
      .map((input, index): Json => ({ index, input, output: null, status: "pending" }));
    frame.apply([{ op: "add", path: at(loop), value: { items, count: 0, failed: 0, truncated } }]);
  } catch (cause) {
    const unit = findUnit(frame, loop.id);
    if (!unit) throw cause;
    writeStart(frame, unit);
    failUnit(frame, unit, toErrorInfo(cause, loop.id));
  }
}

/** Whether another iteration begins. @throws OvenError LOOP_LIMIT, and what the condition threw */
export function hasNext(frame: Frame, loop: StateInfo, run: LoopRun): boolean {
  const { looping } = loop;
  if (!looping) return false;
  const next = run.index + 1;
  if (looping.type === "forEach") {
    const items = getChild(getOwn(frame.context.values, `${loop.id}_output`), "items");
    return Array.isArray(items) && next < items.length;
  }
  const variables = new Map<string, Json>([
    ["index", next],
    [looping.indexVariable, next],
  ]);
  if (!looping.condition?.(frame.scope(loop, variables))) return false;
  if (next < looping.maxIterations) return true;
  if (looping.onLimit === "fail") throw limitError(loop.id, "would go on", looping.maxIterations);
  frame.apply([{ op: "replace", path: `${at(loop)}/truncated`, value: true }]);
  return false;
}

/** An iteration has reached a final state of the body: its output is that one's, else the last node's. */
export function completeIteration(frame: Frame, loop: StateInfo, final: StateInfo): void {
  const run = findLoop(frame, loop.id);
  if (!run) return;
  const last = run.last === null ? undefined : getOwn(frame.context.values, `${run.last}_output`);
  const output = final.output ? final.output.resolve(frame.scope(final)) : (last ?? null);
  noteIteration(frame, loop, run, { output, status: "completed" });
}

/** `continueOnError`: the iteration is recorded as failed. */
export function failIteration(frame: Frame, loop: StateInfo, error: ErrorInfo): void {
  const run = findLoop(frame, loop.id);
  if (!run) return;
  run.failed += 1;
  const { code, nodeId, message } = error;
  noteIteration(frame, loop, run, { output: null, status: "failed", error: { code, nodeId, message } });
}

function noteIteration(frame: Frame, loop: StateInfo, run: LoopRun, result: JsonObject): void {
  const path = `${at(loop)}/items/`;
  const ops: ContextOp[] =
    loop.looping?.type === "forEach"
      ? Object.entries(result).map(([key, value]) => ({ op: "add", path: `${path}${run.index}/${key}`, value }))
      : [{ op: "add", path: `${path}-`, value: { index: run.index, input: null, ...result } }];
  ops.push({ op: "replace", path: `${at(loop)}/count`, value: run.index + 1 });
  if (result.status === "failed") ops.push({ op: "replace", path: `${at(loop)}/failed`, value: run.failed });
  frame.apply(ops);
}

/** The loop is over: its row is closed with the whole result. */
export function settleLoop(frame: Frame, loop: StateInfo): void {
  const unit = findUnit(frame, loop.id);
  if (!unit) return;
  const output = getOwn(frame.context.values, `${loop.id}_output`) ?? null;
  const bytes = JSON.stringify(output).length;
  if (bytes > MAX_OUTPUT_BYTES) {
    const message = `The result of ${loop.id} has ${bytes} bytes; the limit is ${MAX_OUTPUT_BYTES}`;
    frame.fail({ code: "OUTPUT_LIMIT", nodeId: loop.id, message }, "limit");
    return;
  }
  finishUnit(frame, unit, { status: "completed", output, error: null, spend: spendOf(unit), toolCalls: null });
  frame.apply([{ op: "output", path: at(loop), nodeId: loop.id, visit: unit.visit }], output);
  if (frame.facts.options?.until === loop.id) frame.endPartially(output);
  noteLast(frame, loop);
}

/** A step of the body is done: without a final's output, the last one's is the iteration's. */
export function noteLast(frame: Frame, state: StateInfo): void {
  if (frame.compiled.part !== null && state.loop === undefined && state.row === undefined) frame.state.last = state.id;
  const run = state.loop && findLoop(frame, state.loop.id);
  if (run) run.last = state.id;
}

function at(loop: StateInfo): string {
  return `/${loop.id}_output`;
}

function limitError(loopId: string, what: string, limit: number): OvenError {
  return new OvenError("LOOP_LIMIT", `The loop ${loopId} ${what}; its maxIterations is ${limit}`, {
    fix: "Raise maxIterations, or set onLimit to continue.",
  });
}
