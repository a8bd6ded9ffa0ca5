import { isStateId } from "@oven/contract";
import type { RoutedGraphSpec } from "@oven/contract/formats/routed.ts";

export const GRAPH_STATE = "graph";
export const HANDOFF_STATE = "human_handoff";
export const RESUME_STATE = "resume_here";
export const ENDED_STATE = "ended";
export const NO_ROUTE_STATE = "no_route";

const OURS = new Set([GRAPH_STATE, HANDOFF_STATE, RESUME_STATE, ENDED_STATE, NO_ROUTE_STATE]);

/** Where a tool executor decides who goes on. */
export const routeState = (executor: string): string => `${executor}__route`;

/** The state of each node, by the node's id: its name where that can be a state's, else `agent_` and what is left of it. */
export function statesOf({ nodes }: Pick<RoutedGraphSpec, "nodes">): Map<string, string> {
  const taken = new Set<string>();
  const names = new Set(nodes.map(({ nodeName }) => nodeName));
  const states = new Map<string, string>();
  for (const { id, nodeName } of nodes) {
    const isFree = (name: string) =>
      isStateId(name) &&
      isStateId(routeState(name)) &&
      !OURS.has(name) &&
      !/_(output|error)$|__/.test(name) &&
      !taken.has(name) &&
      (name === nodeName || !names.has(name));
    const safe = nodeName.replaceAll(/\W+/g, "_").replaceAll(/_{2,}/g, "_").slice(0, 40);
    let state = nodeName;
    for (let number = 1; !isFree(state); number += 1)
      state = `agent_${safe}${number === 1 ? "" : number}`.replaceAll(/_{2,}/g, "_");
    taken.add(state);
    states.set(id, state);
  }
  return states;
}
