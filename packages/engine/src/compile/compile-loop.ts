import type { Json } from "@oven/contract";
import type { Loop, State } from "@oven/contract/workflow";
import { compileGuard } from "../expressions/guard.ts";
import { compileValue } from "../expressions/value.ts";
import type { CompiledInvoke, CompiledLoop } from "./state-info.ts";

const DEFAULT_LOOP_ITERATIONS = 100;
/** Active milliseconds. */
const DEFAULT_LOOP_TIMEOUT_MS = 50_000;

/** The node names under which a loop's row stands; `invoke` beside `loop` may name them. */
export const LOOP_NODES = { forEach: "core.forEach", while: "core.whileLoop" } as const;

/** A state's loop. Written beside `invoke: {src: core.forEach}`, that one's transitions are the loop's. */
export function loopOf(state: State): Loop | undefined {
  const { loop, invoke } = state;
  if (!loop || !invoke) return loop;
  return { ...loop, onDone: loop.onDone ?? invoke.onDone, onError: loop.onError ?? invoke.onError };
}

/** @throws ExpressionSyntaxError */
export function compileLoop(loop: Loop): CompiledLoop {
  return {
    type: loop.type,
    collection: loop.collection === undefined ? undefined : compileValue(loop.collection),
    condition: loop.condition === undefined ? undefined : compileGuard(loop.condition),
    itemVariable: loop.itemVariable ?? "item",
    indexVariable: loop.indexVariable ?? "index",
    maxIterations: loop.maxIterations ?? DEFAULT_LOOP_ITERATIONS,
    continueOnError: loop.continueOnError ?? false,
    onLimit: loop.onLimit ?? "fail",
    concurrency: loop.concurrency ?? 1,
  };
}

/** Passes of a `forEach` that may run side by side are runs of their own. */
export function isFanOut(loop: Loop | undefined): boolean {
  return loop?.type === "forEach" && (loop.concurrency ?? 1) > 1;
}

/** The node that stands for a fan-out: it waits for one child per item. */
export function toFanOutInvoke(loop: Loop): CompiledInvoke {
  const rawInput: Record<string, Json> = { collection: loop.collection ?? [] };
  return {
    ...toLoopInvoke(loop),
    input: Object.entries(rawInput).map(([key, value]) => [key, compileValue(value)] as const),
    rawInput,
    timeoutMs: undefined,
  };
}

/** Active milliseconds that a loop may take, or each of its passes where they are runs of their own. */
export function loopTimeoutMs(loop: Loop): number {
  return loop.timeoutMs ?? DEFAULT_LOOP_TIMEOUT_MS;
}

/** What the loop's own row says. */
export function toLoopInvoke(loop: Loop): CompiledInvoke {
  const { type, collection, condition, maxIterations = DEFAULT_LOOP_ITERATIONS } = loop;
  return {
    src: LOOP_NODES[type],
    version: 1,
    effect: "pure",
    input: [],
    rawInput: {
      ...(collection === undefined ? {} : { collection }),
      ...(condition === undefined ? {} : { condition: condition as unknown as Json }), // cast: a guard is JSON
      maxIterations,
    },
    retry: { maxAttempts: 1, backoff: "fixed", initialMs: 0, maxMs: 0 },
    timeoutMs: loopTimeoutMs(loop),
    readsDecision: false,
  };
}
