import type { Json } from "@oven/contract";
import type { StateInfo } from "../compile/state-info.ts";
import { getChild, getOwn } from "../expressions/json-access.ts";
import type { RunContext } from "../expressions/scope.ts";
import type { LoopRun } from "./run-state.ts";

/** `$.item`, `$.index` and the names a loop gives them, as a state inside sees them; the innermost wins. */
export function loopVariables(
  state: StateInfo | undefined,
  runs: readonly LoopRun[],
  context: RunContext,
): ReadonlyMap<string, Json> | undefined {
  const loops: StateInfo[] = [];
  for (let loop = state?.loop; loop; loop = loop.loop) loops.unshift(loop);
  if (loops.length === 0) return undefined;
  const variables = new Map<string, Json>();
  for (const loop of loops) {
    const run = runs.find(({ stateId }) => stateId === loop.id);
    if (!run || !loop.looping) continue;
    const { type, itemVariable, indexVariable } = loop.looping;
    variables.set("index", run.index).set(indexVariable, run.index);
    const item = type === "forEach" ? itemAt(context, loop.id, run.index) : undefined;
    if (item !== undefined) variables.set("item", item).set(itemVariable, item);
  }
  return variables;
}

/** The collection is kept in the loop's own result, so that it is stored once. */
function itemAt(context: RunContext, loopId: string, index: number): Json | undefined {
  const items = getChild(getOwn(context.values, `${loopId}_output`), "items");
  return getChild(getChild(items, index), "input");
}
