import type { Json, JsonObject } from "@oven/contract";
import { isObject } from "@oven/engine";
import { type Dialect, listStates, toList } from "./dialect.ts";

/** Where a state that works goes when it is done: `always` beside the work, or `on: {done, error}`, mean onDone and onError. */
export function normalizeTransitions({ definition, changes }: Dialect): void {
  for (const { state, path } of listStates(definition)) {
    const work = isObject(state.loop) ? state.loop : state.invoke;
    if (!isObject(work)) continue;
    for (const [event, end] of [
      ["done", "onDone"],
      ["error", "onError"],
    ] as const) {
      // With a way out of its own, `done` is an event like any other.
      if (!isObject(state.on) || state.on[event] === undefined || work[end] !== undefined) continue;
      if (event === "done" && state.always !== undefined) continue;
      work[end] = state.on[event];
      delete state.on[event];
      if (Object.keys(state.on).length === 0) delete state.on;
      changes.push({ path: `${path}.on.${event}`, rule: "on-done" });
    }
    if (state.always === undefined) continue;
    const [only, ...more] = [...toList(work.onDone), ...toList(state.always)];
    if (only !== undefined) work.onDone = more.length === 0 ? only : [only, ...more];
    delete state.always;
    changes.push({ path: `${path}.always`, rule: "always-when-done" });
  }
}

/** `outputKey` keeps the output under a name of its own as well. */
export function assignOutputKeys({ definition, changes }: Dialect): void {
  for (const { id, state, path } of listStates(definition)) {
    const { invoke } = state;
    if (!isObject(invoke)) continue;
    for (const [owner, at] of [
      [invoke, `${path}.invoke.outputKey`],
      [state, `${path}.outputKey`],
    ] as const) {
      const { outputKey } = owner;
      if (typeof outputKey !== "string") continue;
      invoke.onDone = toList(invoke.onDone).map((transition) => withAssign(transition, outputKey, id));
      delete owner.outputKey;
      changes.push({ path: at, rule: "output-key" });
    }
  }
}

function withAssign(transition: Json, key: string, stateId: string): Json {
  const assign = { type: "assign", params: { path: `$.${key}`, value: `$.${stateId}_output` } };
  if (typeof transition === "string") return { target: transition, actions: [assign] };
  if (!isObject(transition)) return transition;
  const own: JsonObject = transition;
  return { ...own, actions: [assign, ...toList(own.actions)] };
}
