import { type JsonObject, OvenError } from "@oven/contract";
import type { Definition, Loop, State } from "@oven/contract/workflow";
import { loopOf, loopTimeoutMs } from "./compile-loop.ts";

type PartDefinition = Pick<Definition, "states" | "initial" | "type" | "on" | "entry" | "outputSchema" | "timeoutMs">;

/** One pass through the body of a loop as a definition of its own. @throws OvenError STATE_UNKNOWN */
export function toPartDefinition(definition: Definition, loopId: string): PartDefinition {
  const loop = findLoop(definition, loopId);
  return { states: loop.bodyStates, initial: loop.bodyInitial, timeoutMs: loopTimeoutMs(loop) };
}

/** What a run begins with, as its definition says: enough to read its context, whether or not it can be compiled. */
export interface RunOutline {
  variables: JsonObject;
  /** Set where the run is one pass through the body of a loop: what the loop calls its item and index. */
  part: { itemVariable: string; indexVariable: string } | null;
  /** Whether anything in it reads `$.parent`. */
  readsParent: boolean;
}

/** @throws OvenError STATE_UNKNOWN */
export function outlineOf(definition: Definition, loopId: string | null): RunOutline {
  const readsParent = JSON.stringify(definition.states).includes("parent");
  const variables = definition.context ?? {};
  if (loopId === null) return { variables, part: null, readsParent };
  const { itemVariable = "item", indexVariable = "index" } = findLoop(definition, loopId);
  return { variables, part: { itemVariable, indexVariable }, readsParent };
}

function findLoop({ states }: Definition, loopId: string): Loop {
  const loop = search(states, loopId);
  if (loop) return loop;
  throw new OvenError("STATE_UNKNOWN", `The definition has no loop ${loopId}`, {
    fix: "Run the version of the workflow that the run was started with.",
  });
}

function search(states: Record<string, State>, loopId: string): Loop | undefined {
  for (const [id, state] of Object.entries(states)) {
    const own = id === loopId ? loopOf(state) : undefined;
    const found =
      own ?? search(state.states ?? {}, loopId) ?? (state.loop ? search(state.loop.bodyStates, loopId) : undefined);
    if (found) return found;
  }
  return undefined;
}
