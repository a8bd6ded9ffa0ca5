import type { JsonObject } from "@oven/contract";
import type { AgentConfig, Guard } from "@oven/contract/workflow";
import type { NodeDefinition } from "@oven/module-registry";
import type { Deciders } from "./graph-facts.ts";

/** One place of a run: a state, what follows when a composed one is done, or what leads out of it at any time. */
export interface Place {
  part: "state" | "done" | "out";
  /** As shown: `draft.llm`; `refund/pay` in a called workflow. */
  label: string;
  /** Where in the checked definition: of what is in a called workflow, the state that calls it. */
  path: string;
  parent: Place | undefined;
  edges: Edge[];
  /** The call of a state that invokes a node. */
  call: PlacedCall | undefined;
  /** The most passes of a loop. */
  maxIterations: number | undefined;
  /** It is reached only when all of these are: the ends of parallel regions. */
  joins: readonly Place[] | undefined;
  /** The regions of a parallel state. */
  regions: Place[];
  /** Counters that being here raises, and those that it sets otherwise. */
  counts: CounterChanges;
}

export interface Edge {
  to: Place;
  /** Taken only after these people have approved. */
  review: { deciders: Deciders } | undefined;
  /** The engine itself counts how often it is taken. */
  bounded: boolean;
  /** The list of transitions it stands in, in its order. */
  slot: string;
  guard: Guard | undefined;
  counts: CounterChanges;
}

export interface CounterChanges {
  raised: readonly string[];
  set: readonly string[];
}

export interface PlacedCall {
  src: string;
  node: Pick<NodeDefinition, "kind" | "effect" | "tags" | "permissions" | "calls">;
  input: JsonObject;
  agentConfig: AgentConfig;
  /** It became states, or a called workflow, which say more than it does. */
  expanded: boolean;
}

export interface PolicyGraph {
  start: Place;
  places: readonly Place[];
}

/** The places from which a run continues at a checkpoint, by the ids of their states. */
export function placesOf({ places }: PolicyGraph, states: readonly string[]): Place[] {
  return places.filter(({ part, label }) => part === "state" && states.includes(label));
}

export const NO_CHANGES: CounterChanges = { raised: [], set: [] };

/** A state with others in it, or with a node that it waits for. */
export interface Composed {
  state: Place;
  done: Place;
  out: Place;
}

/** One definition in the graph; a called workflow is one at each place that calls it. */
export interface Instance {
  /** Before the labels of its states. */
  prefix: string;
  /** The path of the state that calls it; undefined for the checked definition itself. */
  path: string | undefined;
  caller: Composed | undefined;
  /** The calls it stands in. */
  stack: readonly { key: string; root: Composed }[];
}

export function connect(from: Place, to: Place, more: Partial<Omit<Edge, "to">> = {}): void {
  from.edges.push({
    to,
    review: undefined,
    bounded: false,
    slot: "",
    guard: undefined,
    counts: NO_CHANGES,
    ...more,
  });
}

/** What a place stands in, from the inside out. */
export function ancestorsOf(place: Place): Place[] {
  const list: Place[] = [];
  for (let at = place.parent; at !== undefined; at = at.parent) list.push(at);
  return list;
}
