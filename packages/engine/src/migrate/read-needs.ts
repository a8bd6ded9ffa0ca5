import type { Json } from "@oven/contract";
import type { Definition } from "@oven/contract/workflow";
import { readPath } from "@oven/scope";
import type { AnyStateNode } from "xstate";
import type { CompiledMachine } from "../compile/machine.ts";
import { fromMachineId, toMachineId } from "../compile/state-info.ts";
import { isObject } from "../expressions/json-access.ts";
import { pathsIn } from "../expressions/paths-in.ts";
import { listStates } from "../validate/state-list.ts";

/** A step whose output is read behind the place where a run stands, though the run never made it and will not. */
export interface MissingOutput {
  stateId: string;
  /** The first state that reads it. */
  readBy: string;
}

/**
 * Outputs that a run would miss behind the places where it stands. Conditions are not looked at: a missing value makes them
 * false; neither are paths with a default, nor CEL, which asks for missing values in ways of its own.
 * @param standing ids of the active states
 * @param visited ids of the states that the run has been in
 */
export function missingOutputs(
  compiled: CompiledMachine,
  definition: Definition,
  standing: readonly string[],
  visited: ReadonlySet<string>,
): MissingOutput[] {
  const reachable = statesFrom(compiled, standing);
  const here = new Set(standing);
  const listed = listStates(definition);
  const ids = new Set(listed.map(({ id }) => id));
  const missing = new Map<string, string>();
  for (const { id: reader, state } of listed) {
    if (!reachable.has(reader) && !here.has(reader)) continue;
    // The input of a step that is waiting was read when it was entered.
    const isRead = here.has(reader) && compiled.states.get(reader)?.kind === "node";
    const { states: _inner, ...own } = isRead ? { ...state, invoke: withoutInput(state.invoke) } : state;
    for (const root of rootsOf(own as unknown as Json)) {
      const [, id, what] = /^(.*)_(output)$/.exec(root) ?? [];
      if (what === undefined || id === undefined || !ids.has(id)) continue;
      if (!visited.has(id) && !reachable.has(id) && !here.has(id) && !missing.has(id)) missing.set(id, reader);
    }
  }
  return [...missing].map(([stateId, readBy]) => ({ stateId, readBy }));
}

function withoutInput(invoke: { input?: unknown } | undefined): object | undefined {
  if (invoke === undefined) return undefined;
  const { input: _input, ...rest } = invoke;
  return rest;
}

/** Ids of the states that a run can come to from these. */
function statesFrom({ machine }: CompiledMachine, standing: readonly string[]): Set<string> {
  const reached = new Set<AnyStateNode>();
  const queue: AnyStateNode[] = [];
  const leave = (node: AnyStateNode): void => {
    for (let at: AnyStateNode | undefined = node; at; at = at.parent)
      for (const transition of [...[...at.transitions.values()].flat(), ...(at.always ?? [])])
        queue.push(...(transition.target ?? []));
  };
  for (const id of standing) leave(machine.getStateNodeById(toMachineId(id)));
  for (let node = queue.pop(); node; node = queue.pop()) {
    if (reached.has(node)) continue;
    reached.add(node);
    leave(node);
    queue.push(...Object.values(node.states));
    // What stands around it is entered with it.
    if (node.parent && node.parent !== machine.root) queue.push(node.parent);
  }
  return new Set([...reached].map(({ id }) => fromMachineId(id)));
}

/** The first keys of the paths that a value of a definition reads, conditions left out. */
function rootsOf(value: Json | undefined): string[] {
  if (typeof value === "string") {
    return pathsIn(value).flatMap((text) => {
      const path = readPath(text);
      const [root] = path?.keys ?? [];
      return path?.fallback === null && typeof root === "string" ? [root] : [];
    });
  }
  if (Array.isArray(value)) return value.flatMap(rootsOf);
  if (!isObject(value) || Object.hasOwn(value, "$cel") || Object.hasOwn(value, "$literal")) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    key === "guard" || key === "bodyStates" ? [] : rootsOf(child),
  );
}
