import type { JsonObject, NodeKind, NodeType } from "@oven/contract";
import { isObject, toPath } from "../document/address.ts";
import { readPositions } from "../document/operations/positions.ts";
import { indexStates, isParallel, type StatePlace } from "../document/states.ts";
import type { TransitionPlace } from "../document/transitions.ts";
import type { GraphEdge, GraphHandle, GraphModel, GraphNode } from "./graph-model.ts";
import { handlesOf } from "./handles.ts";
import { isRecord, type Loose, toRecord, toText } from "./read-json.ts";
import { summariseInvoke, summariseLoop } from "./summarise-state.ts";

export const START = "(start)";

export interface GraphOptions {
  /** Adds the handles that a line can still be drawn from. */
  offer?: boolean;
  /** Of an earlier definition: nodes that did not change are taken from it, so that they are not drawn again. */
  before?: GraphModel | null;
}

interface Builder {
  definition: JsonObject;
  types: ReadonlyMap<string, NodeType> | null;
  offer: boolean;
  positions: ReadonlyMap<string, { x: number; y: number }>;
  nodes: Map<string, GraphNode>;
  lines: { source: string; handle: GraphHandle; target: string; path: string }[];
}

/**
 * The graph of a definition: pure, and forgiving, because it also draws what is half typed. A target that does not
 * exist becomes a node of shape `missing`. Without `nodeTypes` every type counts as known.
 */
export function toGraph(definition: unknown, nodeTypes?: readonly NodeType[], options: GraphOptions = {}): GraphModel {
  const root: JsonObject = isObject(definition) ? definition : {};
  const { list } = indexStates(root);
  const builder: Builder = {
    definition: root,
    types: nodeTypes === undefined ? null : new Map(nodeTypes.map((type) => [type.id, type])),
    offer: options.offer ?? false,
    positions: readPositions(root),
    nodes: new Map(),
    lines: [],
  };
  const initial = toText(root.initial);
  if (!isParallel(root, undefined) && initial !== "" && list.length > 0) addStart(builder, initial);
  const ids = new Map<StatePlace, string>();
  for (const place of list) addState(builder, place, ids);
  const edges = connect(builder);
  const nodes = [...builder.nodes.values()];
  return {
    nodes: options.before ? keepSame(nodes, options.before.nodes) : nodes,
    edges: options.before ? keepSame(edges, options.before.edges) : edges,
  };
}

function addStart(builder: Builder, initial: string): void {
  const handle: GraphHandle = {
    id: "start",
    label: "",
    tone: "start",
    outlet: { from: null, slot: "always", key: null, transition: null },
    offered: false,
  };
  builder.nodes.set(START, {
    ...blank(START, "$.initial"),
    shape: "start",
    label: "Start",
    handles: [handle],
  });
  builder.lines.push({ source: START, handle, target: initial.replace(/^#/, ""), path: "$.initial" });
}

function blank(id: string, path: string): GraphNode {
  return {
    id,
    shape: "state",
    parentId: null,
    label: id,
    title: "",
    summary: "",
    kind: "flow",
    nodeType: null,
    known: true,
    initial: false,
    disabled: false,
    outcome: null,
    handles: [],
    path,
    address: [],
    position: null,
  };
}

function addState(builder: Builder, place: StatePlace, ids: Map<StatePlace, string>): void {
  const { state, address, parent } = place;
  const path = toPath(address);
  const id = builder.nodes.has(place.id) ? path : place.id;
  ids.set(place, id);
  const handles = handlesOf(place, builder.types?.get(toText(toRecord(state.invoke).src)), builder.offer);
  builder.nodes.set(id, {
    ...blank(id, path),
    parentId: parent === undefined ? null : (ids.get(parent) ?? parent.id),
    ...describeState(builder, state),
    label: toText(state.label) || place.id,
    initial: place.initial,
    disabled: state.disabled === true,
    handles: handles.map(({ handle }) => handle),
    address,
    position: builder.positions.get(place.id) ?? null,
  });
  for (const { handle, transition } of handles) if (transition !== null) addLine(builder, id, handle, transition);
}

function addLine(builder: Builder, source: string, handle: GraphHandle, { target, address }: TransitionPlace): void {
  if (target !== null) builder.lines.push({ source, handle, target, path: toPath(address) });
}

type Described = Pick<GraphNode, "shape" | "title" | "summary" | "kind" | "nodeType" | "known" | "outcome">;

function describeState(builder: Builder, state: Loose): Described {
  const flow: Described = {
    shape: "state",
    title: "",
    summary: "",
    kind: "flow",
    nodeType: null,
    known: true,
    outcome: null,
  };
  if (state.type === "final") return { ...flow, shape: "final", outcome: toText(state.outcome) || null };
  if (state.type === "history") return { ...flow, shape: "history", title: "Where it was left" };
  if (isRecord(state.loop)) {
    return { ...flow, shape: "group", title: "Loop", summary: summariseLoop(state.loop) };
  }
  if (isRecord(state.states))
    return { ...flow, shape: "group", title: state.type === "parallel" ? "Parallel" : "Group" };
  const invoke = toRecord(state.invoke);
  const src = toText(invoke.src);
  if (src !== "") {
    const type = builder.types?.get(src);
    return {
      ...flow,
      title: type?.title ?? src,
      summary: summariseInvoke(src, toRecord(invoke.input), builder.definition),
      kind: type?.kind ?? guessKind(src),
      nodeType: src,
      known: builder.types === null || type !== undefined,
    };
  }
  if (state.always !== undefined) return { ...flow, title: "Choice" };
  if (state.on !== undefined) return { ...flow, title: "Waits for an event" };
  if (state.after !== undefined) return { ...flow, title: "Timer" };
  return { ...flow, title: "State" };
}

/** Before the node types have arrived. */
function guessKind(src: string): NodeKind {
  if (/llm|toolLoop|prompt/i.test(src)) return "model";
  if (/tool/i.test(src)) return "tool";
  if (/review|requestInput/i.test(src)) return "human";
  if (/memory/i.test(src)) return "memory";
  return src.startsWith("data.") ? "data" : "flow";
}

function connect({ nodes, lines }: Builder): GraphEdge[] {
  return lines.map(({ source, handle, target, path }) => {
    if (!nodes.has(target))
      nodes.set(target, { ...blank(target, path), shape: "missing", title: "No such state", known: false });
    return {
      id: `${source}→${handle.id}→${target}`,
      source,
      sourceHandle: handle.id,
      target,
      tone: handle.tone,
      label: handle.label,
      path,
    };
  });
}

/** What looks the same as before is the same object. */
function keepSame<Item extends { id: string }>(items: Item[], before: readonly Item[]): Item[] {
  const known = new Map(before.map((item) => [item.id, item]));
  return items.map((item) => {
    const old = known.get(item.id);
    return old !== undefined && JSON.stringify(old, withoutPlaces) === JSON.stringify(item, withoutPlaces) ? old : item;
  });
}

/** Transitions name their state, and it its children: a circle, and not what is drawn. */
function withoutPlaces(key: string, value: unknown): unknown {
  return key === "transition" ? undefined : value;
}
