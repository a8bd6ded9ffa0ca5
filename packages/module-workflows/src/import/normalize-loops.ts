import { getOwn, type JsonObject, setOwn } from "@oven/contract";
import { isObject } from "@oven/engine";
import { type Dialect, listStates } from "./dialect.ts";

const LOOP_NODES = ["core.forEach", "core.whileLoop"];
const CONDITION = ["key", "operator", "value"];

/** A loop that also invokes a loop node keeps all of it in `loop`; batches are called concurrency. */
export function normalizeLoops({ definition, changes }: Dialect): void {
  for (const { state, path } of listStates(definition)) {
    const { loop, invoke } = state;
    if (!isObject(loop)) continue;
    if (isObject(invoke) && LOOP_NODES.includes(String(invoke.src))) {
      absorb(loop, invoke);
      delete state.invoke;
      changes.push({ path: `${path}.invoke`, rule: "loop-invoke" });
    }
    if (loop.parallelBatchSize !== undefined) {
      // 0 is the other system's word for one by one.
      const isMany = typeof loop.parallelBatchSize === "number" && loop.parallelBatchSize > 1;
      // Passes of a while loop come one after the other, whatever the document asks for.
      if (isMany && loop.type === "forEach") {
        loop.concurrency ??= loop.parallelBatchSize;
      }
      delete loop.parallelBatchSize;
      changes.push({ path: `${path}.loop.parallelBatchSize`, rule: "loop-concurrency" });
    }
  }
}

/** What `loop` says itself wins. */
function absorb(loop: JsonObject, { input, onDone, onError }: JsonObject): void {
  const given = isObject(input) ? input : {};
  const condition = Object.fromEntries(Object.entries(given).filter(([key]) => CONDITION.includes(key)));
  for (const [key, value] of Object.entries(given)) {
    if (!CONDITION.includes(key) && getOwn(loop, key) === undefined) setOwn(loop, key, value);
  }
  if (loop.type === "while" && condition.key !== undefined) loop.condition ??= condition;
  if (onDone !== undefined) loop.onDone ??= onDone;
  if (onError !== undefined) loop.onError ??= onError;
}
