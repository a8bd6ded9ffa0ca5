import type { ChainLoop, ExecutorSpec } from "@oven/contract/formats/chains.ts";

/** Answers of a model that one executor may take, however its prompt wants to go on. */
export const MAX_TOOL_ITERATIONS = 15;
/** How often an answer that does not fit the schema is asked for again. */
export const MAX_CORRECTIONS = 2;
/** Of one call of a tool. */
export const TOOL_TIMEOUT_MS = 120_000;
/** Items of one loop that are worked on at once. */
export const ITEMS_AT_ONCE = 4;
/** Active milliseconds of a whole run, and of one item. */
export const RUN_TIMEOUT_MS = 3_600_000;

/** The loop of an executor with its limits; undefined: it runs once. */
export function loopOf({
  loop,
}: Pick<ExecutorSpec, "loop">): (ChainLoop & { max_items: number; max_iters: number }) | undefined {
  if (loop === null || loop.type === "none") return undefined;
  return { ...loop, max_items: loop.max_items ?? 100, max_iters: loop.max_iters ?? 10 };
}
