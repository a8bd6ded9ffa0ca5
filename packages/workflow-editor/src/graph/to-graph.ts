import type { JsonObject } from "@oven/contract";
import { isObject } from "@oven/contract";
import type { NodeKind, NodeType } from "@oven/contract/node";
import { t } from "@oven/i18n";
import { indexStates, isParallel, type StatePlace, toPath, WORKFLOW } from "@oven/scope";
import { type Direction, readDirection } from "../document/operations/canvas-view.ts";
import { readPositions } from "../document/operations/positions.ts";
import { lookOfNode } from "../look/flow-look.ts";
import type { GraphEdge, GraphHandle, GraphModel, GraphNode } from "./graph-model.ts";
import { handlesOf, handlesOfWorkflow } from "./handles.ts";
import { isRecord, type Loose, toRecord, toText } from "./read-json.ts";
import { summariseInvoke, summariseLoop } from "./summarise-state.ts";

export const START = "(start)";

export interface GraphOptions {
  /** Adds the handles that a line can still be drawn from. */
  offer?: boolean;
}

/** What was drawn of a state, and for what. */
interface Drawn {
  types: readonly NodeType[] | undefined;
  offer: boolean;
  agentConfig: unknown;
  direction: Direction;
  node: GraphNode;
  edges: readonly GraphEdge[];
}

/**
 * States are never changed in place: what did not change keeps its node and its edges, and is not drawn again. Apart for those with
 * and without offers: one definition is drawn both ways while it is edited.
 */
const drawn = { plain: new WeakMap<JsonObject, Drawn>(), offering: new WeakMap<JsonObject, Drawn>() };

interface Builder {
  definition: JsonObject;
  nodeTypes: readonly NodeType[] | undefined;
  types: ReadonlyMap<string, NodeType> | null;
  offer: boolean;
  direction: Direction;
  positions: ReadonlyMap<string, { x: number; y: number }>;
  nodes: Map<string, GraphNode>;
  edges: GraphEdge[];
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
    nodeTypes,
    types: nodeTypes === undefined ? null : new Map(nodeTypes.map((type) => [type.id, type])),
    offer: options.offer ?? false,
    direction: readDirection(root),
    positions: readPositions(root),
    nodes: new Map(),
    edges: [],
  };
  const initial = toText(root.initial);
  if (!isParallel(root, undefined) && initial !== "" && list.length > 0) addStart(builder, initial);
  addOwnHandlers(builder);
  const ids = new Map<StatePlace, string>();
  for (const place of list) addState(builder, place, ids);
  addMissing(builder);
  return { nodes: [...builder.nodes.values()], edges: builder.edges };
}

function addStart(builder: Builder, initial: string): void {
  const handle: GraphHandle = {
    id: "start",
    label: "",
    tone: "start",
    outlet: { from: null, slot: "always", key: null, transition: null },
    offered: false,
  };
  const { direction } = builder;
  const start: GraphNode = {
    ...blank(START, "$.initial"),
    shape: "start",
    label: t("Start"),
    handles: [handle],
    direction,
  };
  builder.nodes.set(START, start);
  builder.edges.push(toEdge(START, handle, initial.replace(/^#/, ""), "$.initial"));
}

/** What the definition itself handles, as a card of its own. */
function addOwnHandlers({ definition, nodes, edges, positions, direction }: Builder): void {
  const handles = handlesOfWorkflow(definition);
  if (handles.length === 0) return;
  nodes.set(WORKFLOW, {
    ...blank(WORKFLOW, "$.on"),
    shape: "workflow",
    label: t("At any time"),
    title: t("Whatever the run is doing"),
    handles: handles.map(({ handle }) => handle),
    address: ["on"],
    direction,
    position: positions.get(WORKFLOW) ?? null,
  });
  for (const { handle, transition } of handles)
    if (transition.target !== null) edges.push(toEdge(WORKFLOW, handle, transition.target, toPath(transition.address)));
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
    look: null,
    nodeType: null,
    known: true,
    initial: false,
    disabled: false,
    outcome: null,
    handles: [],
    inside: null,
    direction: "right",
    description: "",
    path,
    address: [],
    position: null,
  };
}

function addState(builder: Builder, place: StatePlace, ids: Map<StatePlace, string>): void {
  const { state, address, parent } = place;
  const { definition, nodeTypes, offer } = builder;
  const path = toPath(address);
  const id = builder.nodes.has(place.id) ? path : place.id;
  ids.set(place, id);
  const parentId = parent === undefined ? null : (ids.get(parent) ?? parent.id);
  const position = builder.positions.get(place.id) ?? null;
  const known = offer ? drawn.offering : drawn.plain;
  const before = known.get(state);
  const isSame =
    before !== undefined &&
    before.types === nodeTypes &&
    before.offer === offer &&
    before.agentConfig === definition.agentConfig &&
    before.direction === builder.direction &&
    before.node.id === id &&
    before.node.path === path &&
    before.node.parentId === parentId &&
    before.node.initial === place.initial;
  const now = isSame ? before : drawState(builder, place, id, path, parentId);
  const { x, y } = now.node.position ?? {};
  const isThere = (position === null && now.node.position === null) || (position?.x === x && position?.y === y);
  const node = isThere ? now.node : { ...now.node, position };
  known.set(state, { ...now, node });
  builder.nodes.set(id, node);
  builder.edges.push(...now.edges);
}

function drawState(builder: Builder, place: StatePlace, id: string, path: string, parentId: string | null): Drawn {
  const { state, address } = place;
  const { definition, nodeTypes, types, offer, direction } = builder;
  const handles = handlesOf(place, types?.get(toText(toRecord(state.invoke).src)), offer);
  const described = describeState(builder, state);
  const node: GraphNode = {
    ...blank(id, path),
    parentId,
    ...described,
    title: [described.title, actionsOf(state)].filter((part) => part !== "").join(" · "),
    label: toText(state.label) || place.id,
    initial: place.initial,
    disabled: state.disabled === true,
    handles: handles.map(({ handle }) => handle),
    address,
    direction,
    description: toText(state.description),
  };
  const edges = handles.flatMap(({ handle, transition }) =>
    transition?.target ? [toEdge(id, handle, transition.target, toPath(transition.address))] : [],
  );
  return { types: nodeTypes, offer, agentConfig: definition.agentConfig, direction, node, edges };
}

function toEdge(source: string, handle: GraphHandle, target: string, path: string): GraphEdge {
  const { id, tone, label } = handle;
  return { id: `${source}→${id}→${target}`, source, sourceHandle: id, target, tone, label, path };
}

/** A node for each target that is no state. */
function addMissing({ nodes, edges, direction }: Builder): void {
  for (const { target, path } of edges)
    if (!nodes.has(target))
      nodes.set(target, {
        ...blank(target, path),
        shape: "missing",
        title: t("No such state"),
        known: false,
        direction,
      });
}

/** That a state does something when it is entered or left. */
function actionsOf(state: Loose): string {
  const when = [
    ...(Array.isArray(state.entry) && state.entry.length > 0 ? ["entry"] : []),
    ...(Array.isArray(state.exit) && state.exit.length > 0 ? ["exit"] : []),
  ];
  return when.length === 0 ? "" : `acts on ${when.join(" and ")}`;
}

type Described = Pick<GraphNode, "shape" | "title" | "summary" | "kind" | "look" | "nodeType" | "known" | "outcome">;

/** How a state is drawn, without the graph around it. */
export function drawnAs(
  state: Loose,
  nodeTypes: readonly NodeType[] | undefined,
): Pick<GraphNode, "kind" | "look" | "title"> {
  const types = nodeTypes === undefined ? null : new Map(nodeTypes.map((type) => [type.id, type]));
  const { kind, look, title } = describeState({ definition: {}, types }, state);
  return { kind, look, title };
}

function describeState(builder: Pick<Builder, "definition" | "types">, state: Loose): Described {
  const flow: Described = {
    shape: "state",
    title: "",
    summary: "",
    kind: "flow",
    look: null,
    nodeType: null,
    known: true,
    outcome: null,
  };
  if (state.type === "final") {
    const outcome = toText(state.outcome) || null;
    return { ...flow, shape: "final", outcome, look: outcome === "failed" ? "failed-end" : "end" };
  }
  if (state.type === "history") return { ...flow, shape: "history", title: t("Where it was left") };
  if (isRecord(state.loop)) {
    return { ...flow, shape: "group", title: t("Loop"), look: "loop", summary: summariseLoop(state.loop) };
  }
  if (isRecord(state.states))
    return state.type === "parallel"
      ? { ...flow, shape: "group", title: t("Parallel"), look: "parallel" }
      : { ...flow, shape: "group", title: t("Group"), look: "group" };
  const invoke = toRecord(state.invoke);
  const src = toText(invoke.src);
  if (src !== "") {
    const type = builder.types?.get(src);
    const kind = type?.kind ?? guessKind(src);
    return {
      ...flow,
      title: type?.title ?? src,
      summary: summariseInvoke(src, toRecord(invoke.input), builder.definition),
      kind,
      look: lookOfNode(kind, src),
      nodeType: src,
      known: builder.types === null || type !== undefined,
    };
  }
  if (state.always !== undefined) return { ...flow, title: t("Choice"), look: "choice" };
  if (state.on !== undefined) return { ...flow, title: t("Waits for an event"), look: "wait-for-event" };
  if (state.after !== undefined) return { ...flow, title: t("Timer"), look: "wait-until" };
  return { ...flow, title: t("State") };
}

/** Before the node types have arrived. */
function guessKind(src: string): NodeKind {
  if (/llm|toolLoop|prompt|agent\.code/i.test(src)) return "model";
  if (/tool/i.test(src)) return "tool";
  if (/review|requestInput/i.test(src)) return "human";
  if (/memory/i.test(src)) return "memory";
  return src.startsWith("data.") ? "data" : "flow";
}
