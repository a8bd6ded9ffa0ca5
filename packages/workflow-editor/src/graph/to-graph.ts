import type { NodeKind, NodeType } from "@oven/contract";
import { describeGuard, toOutcomeTitle } from "./describe-guard.ts";
import type { EdgeTone, GraphEdge, GraphHandle, GraphModel, GraphNode } from "./graph-model.ts";
import {
  isRecord,
  joinPath,
  type Loose,
  type LooseTransition,
  readTransitions,
  toNumber,
  toRecord,
  toText,
} from "./read-json.ts";
import { summariseInvoke, summariseLoop } from "./summarise-state.ts";

export const START = "(start)";

interface Outgoing extends LooseTransition {
  handle: GraphHandle;
}

interface Builder {
  definition: Loose;
  positions: Loose;
  types: Map<string, NodeType> | null;
  nodes: GraphNode[];
  pending: { source: string; outgoing: Outgoing }[];
}

/**
 * The graph of a definition: pure, and forgiving, because it also draws what is half typed. A target that does not
 * exist becomes a node of shape `missing`. Without `nodeTypes` every type counts as known.
 */
export function toGraph(definition: unknown, nodeTypes?: readonly NodeType[]): GraphModel {
  const root = toRecord(definition);
  const builder: Builder = {
    definition: root,
    positions: toRecord(toRecord(root.meta).positions),
    types: nodeTypes === undefined ? null : new Map(nodeTypes.map((type) => [type.id, type])),
    nodes: [],
    pending: [],
  };
  const initial = toText(root.initial);
  addStates(builder, root.states, "$.states", null, initial);
  if (root.type !== "parallel" && initial !== "" && builder.nodes.length > 0) addStart(builder, initial);
  return { nodes: builder.nodes, edges: connect(builder) };
}

function addStart(builder: Builder, initial: string): void {
  const handle: GraphHandle = { id: "start", label: "", tone: "start" };
  builder.nodes.unshift({
    ...blank(START, "$.initial"),
    shape: "start",
    label: "Start",
    handles: [handle],
  });
  builder.pending.unshift({
    source: START,
    outgoing: { target: initial, guard: undefined, path: "$.initial", handle },
  });
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
    outcome: null,
    handles: [],
    path,
    position: null,
  };
}

function addStates(builder: Builder, states: unknown, path: string, parentId: string | null, initial: string): void {
  for (const [stateId, value] of Object.entries(toRecord(states))) {
    const state = toRecord(value);
    const statePath = joinPath(path, stateId);
    const id = builder.nodes.some((node) => node.id === stateId) ? statePath : stateId;
    const outgoing = readOutgoing(builder, stateId, state, statePath);
    builder.nodes.push({
      ...blank(id, statePath),
      parentId,
      ...describeState(builder, state),
      label: toText(state.label) || stateId,
      initial: stateId === initial,
      handles: outgoing.map((entry) => entry.handle),
      position: readPosition(builder.positions[stateId]),
    });
    for (const entry of outgoing) builder.pending.push({ source: id, outgoing: entry });
    if (isRecord(state.states)) addStates(builder, state.states, `${statePath}.states`, id, toText(state.initial));
    const loop = toRecord(state.loop);
    if (isRecord(loop.bodyStates)) {
      addStates(builder, loop.bodyStates, `${statePath}.loop.bodyStates`, id, toText(loop.bodyInitial));
    }
  }
}

function readPosition(value: unknown): GraphNode["position"] {
  const x = toNumber(toRecord(value).x);
  const y = toNumber(toRecord(value).y);
  return x === null || y === null ? null : { x, y };
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

function readOutgoing(builder: Builder, stateId: string, state: Loose, path: string): Outgoing[] {
  const invoke = toRecord(state.invoke);
  const loop = toRecord(state.loop);
  const type = builder.types?.get(toText(invoke.src));
  const doneOf = (holder: Loose, at: string): Outgoing[] =>
    toOutgoing(readTransitions(holder.onDone, `${at}.onDone`), "onDone", "done", (guard) =>
      toOutcomeTitle(guard, stateId, type),
    );
  const errorOf = (holder: Loose, at: string): Outgoing[] =>
    toOutgoing(readTransitions(holder.onError, `${at}.onError`), "onError", "error");
  const named = (key: "on" | "after", tone: EdgeTone, word: (name: string) => string): Outgoing[] =>
    Object.entries(toRecord(state[key])).flatMap(([name, value]) =>
      toOutgoing(
        readTransitions(value, joinPath(`${path}.${key}`, name)),
        `${key}.${name}`,
        tone,
        undefined,
        word(name),
      ),
    );
  return [
    ...doneOf(invoke, `${path}.invoke`),
    ...doneOf(loop, `${path}.loop`),
    ...doneOf(state, path),
    ...toOutgoing(readTransitions(state.always, `${path}.always`), "always", "always"),
    ...named("on", "event", (name) => name),
    ...named("after", "timer", (name) => `after ${/^\d+$/.test(name) ? `${name} ms` : name}`),
    ...errorOf(invoke, `${path}.invoke`),
    ...errorOf(loop, `${path}.loop`),
    ...errorOf(state, path),
    ...(state.type === "history" && typeof state.target === "string"
      ? toOutgoing(readTransitions(state.target, `${path}.target`), "target", "always")
      : []),
  ];
}

function toOutgoing(
  transitions: LooseTransition[],
  name: string,
  tone: EdgeTone,
  toTitle: (guard: unknown) => string | null = () => null,
  prefix = tone === "error" ? "error" : "",
): Outgoing[] {
  const branches = transitions.length > 1;
  return transitions.map((transition, index) => {
    const guarded = isRecord(transition.guard);
    const word = guarded
      ? (toTitle(transition.guard) ?? describeGuard(transition.guard))
      : branches && index > 0
        ? "otherwise"
        : "";
    const label = [prefix, word].filter((part) => part !== "").join(": ");
    return { ...transition, handle: { id: `${name}.${index}`, label, tone } };
  });
}

function connect(builder: Builder): GraphEdge[] {
  const known = new Set(builder.nodes.map((node) => node.id));
  const edges: GraphEdge[] = [];
  for (const { source, outgoing } of builder.pending) {
    const { target, handle, path } = outgoing;
    if (target === null) continue;
    // XState also takes `#id`; both name a state by its id.
    const id = target.replace(/^#/, "");
    if (!known.has(id)) {
      known.add(id);
      builder.nodes.push({ ...blank(id, path), shape: "missing", title: "No such state", known: false });
    }
    edges.push({
      id: `${source}→${handle.id}→${id}`,
      source,
      sourceHandle: handle.id,
      target: id,
      tone: handle.tone,
      label: handle.label,
      path,
    });
  }
  return edges;
}
