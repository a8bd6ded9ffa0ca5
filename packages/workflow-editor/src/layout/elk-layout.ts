import type { ElkExtendedEdge, ElkNode } from "elkjs/lib/elk-api.js";
import type { GraphModel, GraphNode } from "../graph/graph-model.ts";
import { type Anchor, EMPTY_GROUP, GROUP_TITLE_HEIGHT, toAnchorPoint, toCardSize } from "./card-size.ts";
import { layoutParts } from "./layout-parts.ts";
import { inReadingOrder } from "./reading-order.ts";

export interface Point {
  x: number;
  y: number;
}

export interface Placed {
  /** Relative to the parent, as React Flow wants it. */
  position: Point;
  width: number;
  height: number;
}

export interface Layout {
  nodes: Map<string, Placed>;
  /** Corners of each line in canvas coordinates; absent where the author placed the nodes. */
  routes: Map<string, Point[]>;
}

const OPTIONS = {
  "elk.algorithm": "layered",
  "elk.direction": "RIGHT",
  "elk.hierarchyHandling": "INCLUDE_CHILDREN",
  "elk.edgeRouting": "ORTHOGONAL",
  "elk.json.edgeCoords": "ROOT",
  "elk.layered.spacing.nodeNodeBetweenLayers": "72",
  "elk.spacing.nodeNode": "32",
  "elk.spacing.edgeNode": "20",
  "elk.spacing.edgeEdge": "14",
  "elk.layered.spacing.edgeNodeBetweenLayers": "20",
  "elk.layered.considerModelOrder.strategy": "NODES_AND_EDGES",
  "elk.layered.nodePlacement.strategy": "NETWORK_SIMPLEX",
  "elk.layered.nodePlacement.favorStraightEdges": "true",
  "elk.layered.feedbackEdges": "true",
  // Lines against the order of the states are the ones drawn backwards.
  "elk.layered.cycleBreaking.strategy": "MODEL_ORDER",
};

/** From here on a graph is laid out part by part: as a whole it takes seconds that grow with the square of it. */
const MANY = 200;
/** Settings for a part that is large all the same, such as a thousand states beside each other: less exact, but fast. */
const QUICK = {
  "elk.layered.nodePlacement.strategy": "BRANDES_KOEPF",
  "elk.layered.nodePlacement.bk.fixedAlignment": "LEFTUP",
  "elk.layered.crossingMinimization.greedySwitch.type": "OFF",
  "elk.layered.thoroughness": "1",
};

const portId = (node: string, handle: string): string => `${node} ${handle}`;

interface Family {
  children: ReadonlyMap<string | null, readonly GraphNode[]>;
  /** Containers that have been laid out by themselves. */
  fixed: ReadonlyMap<string, Placed>;
}

function toElkNode(node: GraphNode, family: Family): ElkNode {
  const size = toCardSize(node);
  const children = family.children.get(node.id) ?? [];
  const { width, height } = family.fixed.get(node.id) ?? {};
  if (width !== undefined && height !== undefined) return { id: node.id, width, height };
  if (node.shape === "group") {
    const least = children.length === 0 ? EMPTY_GROUP : size;
    return {
      id: node.id,
      layoutOptions: {
        "elk.padding": `[top=${GROUP_TITLE_HEIGHT + 16},left=20,bottom=20,right=20]`,
        "elk.nodeSize.constraints": "MINIMUM_SIZE",
        "elk.nodeSize.minimum": `(${least.width},${least.height})`,
      },
      children: children.map((child) => toElkNode(child, family)),
    };
  }
  return {
    id: node.id,
    width: size.width,
    height: size.height,
    layoutOptions: { "elk.portConstraints": "FIXED_POS" },
    ports: [
      toPort(portId(node.id, "in"), size.entry, size),
      ...node.handles.map(({ id }) => toPort(portId(node.id, id), size.handles[id] ?? size.entry, size)),
    ],
  };
}

const SIDES: Record<Anchor["side"], string> = { left: "WEST", right: "EAST", top: "NORTH", bottom: "SOUTH" };

function toPort(id: string, anchor: Anchor, size: { width: number; height: number }) {
  const { x, y } = toAnchorPoint(anchor, size);
  return { id, x, y, width: 0, height: 0, layoutOptions: { "elk.port.side": SIDES[anchor.side] } };
}

function toElkEdge(edge: GraphModel["edges"][number], groups: ReadonlySet<string>): ElkExtendedEdge {
  return {
    id: edge.id,
    sources: [groups.has(edge.source) ? edge.source : portId(edge.source, edge.sourceHandle)],
    targets: [groups.has(edge.target) ? edge.target : portId(edge.target, "in")],
  };
}

function collect(node: ElkNode, layout: Layout): void {
  for (const child of node.children ?? []) {
    layout.nodes.set(child.id, {
      position: { x: child.x ?? 0, y: child.y ?? 0 },
      width: child.width ?? 0,
      height: child.height ?? 0,
    });
    collect(child, layout);
  }
  for (const edge of node.edges ?? []) {
    const section = edge.sections?.[0];
    if (section !== undefined) {
      layout.routes.set(edge.id, [section.startPoint, ...(section.bendPoints ?? []), section.endPoint]);
    }
  }
}

/** Some nodes of one container, with what is in them and the lines between them, for the layout engine. */
function toElkGraph(
  model: GraphModel,
  nodes: readonly GraphNode[],
  fixed: ReadonlyMap<string, Placed> = new Map(),
): ElkNode {
  const groups = new Set(model.nodes.filter((node) => node.shape === "group").map((node) => node.id));
  const children = new Map<string | null, GraphNode[]>();
  // Parents come before their children, also in reading order.
  const within = new Set(nodes.map(({ id }) => id));
  for (const node of model.nodes) {
    if (node.parentId === null || !within.has(node.parentId) || fixed.has(node.parentId)) continue;
    within.add(node.id);
    const list = children.get(node.parentId) ?? [];
    list.push(node);
    children.set(node.parentId, list);
  }
  const down = model.nodes[0]?.direction === "down";
  return {
    id: "(root)",
    layoutOptions: { ...OPTIONS, ...(within.size > MANY ? QUICK : {}), ...(down ? { "elk.direction": "DOWN" } : {}) },
    children: nodes.map((node) => toElkNode(node, { children, fixed })),
    edges: model.edges
      .filter(({ source, target }) => within.has(source) && within.has(target))
      .map((edge) => toElkEdge(edge, groups)),
  };
}

/** How a layout goes on. */
export interface LayoutWatch {
  /** What is done, from 0 to 1. */
  onProgress?: (share: number) => void;
  /** Ends it between two parts. */
  signal?: AbortSignal;
}

/** What lays out: in a worker of its own, or where it is called. */
export type LayOut = (graph: ElkNode) => Promise<ElkNode>;

/**
 * Along the way a run takes, in layers; `meta.positions` wins when every state of the outermost level has one.
 *
 * @throws the reason of the signal when it was given up
 */
export async function layoutWith(
  engine: LayOut,
  unordered: GraphModel,
  { onProgress, signal }: LayoutWatch = {},
): Promise<Layout> {
  const model = inReadingOrder(unordered);
  const layOut = (nodes: readonly GraphNode[], fixed?: ReadonlyMap<string, Placed>): Promise<ElkNode> =>
    engine(toElkGraph(model, nodes, fixed));
  if (model.nodes.length > MANY) {
    const onPart = (share: number): void => {
      signal?.throwIfAborted();
      onProgress?.(share);
    };
    return applyPositions(model, await layoutParts(model, { layOut, collect, onPart }));
  }
  const layout: Layout = { nodes: new Map(), routes: new Map() };
  collect(await layOut(model.nodes.filter(({ parentId }) => parentId === null)), layout);
  signal?.throwIfAborted();
  return applyPositions(model, layout);
}

/** Where the start stands: before the first state. */
export function startBefore(first: GraphNode, { x, y }: Point): Point {
  const size = toCardSize(first);
  const entry = toAnchorPoint(size.entry, size);
  return first.direction === "down" ? { x: x + entry.x - 10, y: y - 60 } : { x: x - 70, y: y + entry.y - 10 };
}

function applyPositions(model: GraphModel, layout: Layout): Layout {
  const top = model.nodes.filter(
    (node) => node.parentId === null && node.shape !== "start" && node.shape !== "workflow",
  );
  if (top.length === 0 || top.some((node) => node.position === null)) return layout;
  for (const node of model.nodes) {
    const placed = layout.nodes.get(node.id);
    if (placed !== undefined && node.position !== null) placed.position = node.position;
  }
  const first = top.find((node) => node.initial);
  const start = model.nodes.find((node) => node.shape === "start");
  const placedStart = start === undefined ? undefined : layout.nodes.get(start.id);
  if (placedStart !== undefined && first?.position) {
    placedStart.position = startBefore(first, first.position);
  }
  return { nodes: layout.nodes, routes: new Map() };
}
