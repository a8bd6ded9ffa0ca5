import type { ELK, ElkExtendedEdge, ElkNode } from "elkjs/lib/elk-api.js";
import type { GraphModel, GraphNode } from "../graph/graph-model.ts";
import { EMPTY_GROUP, GROUP_TITLE_HEIGHT, toCardSize } from "./card-size.ts";
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

/** From here on a good picture in good time is worth more than the best one: about two seconds for a thousand nodes. */
const MANY = 300;
const QUICK = {
  "elk.layered.nodePlacement.strategy": "BRANDES_KOEPF",
  "elk.layered.nodePlacement.bk.fixedAlignment": "LEFTUP",
  "elk.layered.crossingMinimization.greedySwitch.type": "OFF",
  "elk.layered.thoroughness": "1",
};

const portId = (node: string, handle: string): string => `${node} ${handle}`;

function toElkNode(node: GraphNode, model: GraphModel): ElkNode {
  const size = toCardSize(node);
  const children = model.nodes.filter((child) => child.parentId === node.id);
  if (node.shape === "group") {
    const least = children.length === 0 ? EMPTY_GROUP : size;
    return {
      id: node.id,
      layoutOptions: {
        "elk.padding": `[top=${GROUP_TITLE_HEIGHT + 16},left=20,bottom=20,right=20]`,
        "elk.nodeSize.constraints": "MINIMUM_SIZE",
        "elk.nodeSize.minimum": `(${least.width},${least.height})`,
      },
      children: children.map((child) => toElkNode(child, model)),
    };
  }
  return {
    id: node.id,
    width: size.width,
    height: size.height,
    layoutOptions: { "elk.portConstraints": "FIXED_POS" },
    ports: [
      {
        id: portId(node.id, "in"),
        x: 0,
        y: size.entryY,
        width: 0,
        height: 0,
        layoutOptions: { "elk.port.side": "WEST" },
      },
      ...node.handles.map((handle) => ({
        id: portId(node.id, handle.id),
        x: size.width,
        y: size.handleY[handle.id] ?? size.entryY,
        width: 0,
        height: 0,
        layoutOptions: { "elk.port.side": "EAST" },
      })),
    ],
  };
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

/** Left to right in layers; `meta.positions` wins when every state of the outermost level has one. */
export async function layoutGraph(unordered: GraphModel): Promise<Layout> {
  const model = inReadingOrder(unordered);
  const elk = await startElk();
  const groups = new Set(model.nodes.filter((node) => node.shape === "group").map((node) => node.id));
  const root = await elk.layout({
    id: "(root)",
    layoutOptions: model.nodes.length > MANY ? { ...OPTIONS, ...QUICK } : OPTIONS,
    children: model.nodes.filter((node) => node.parentId === null).map((node) => toElkNode(node, model)),
    edges: model.edges.map((edge) => toElkEdge(edge, groups)),
  });
  const layout: Layout = { nodes: new Map(), routes: new Map() };
  collect(root, layout);
  return applyPositions(model, layout);
}

let started: Promise<ELK> | undefined;

/** The layout engine in a worker of its own, so that nothing stands still meanwhile; one serves all graphs of the page. */
function startElk(): Promise<ELK> {
  started ??= typeof Worker === "undefined" ? startHere() : startWorker();
  return started;
}

async function startWorker(): Promise<ELK> {
  const { default: Elk } = await import("elkjs/lib/elk-api.js");
  return new Elk({ workerFactory: () => new Worker(new URL("./elk.worker.ts", import.meta.url), { type: "module" }) });
}

/** Where there are no workers: tests. */
async function startHere(): Promise<ELK> {
  const { default: Elk } = await import("elkjs/lib/elk.bundled.js");
  return new Elk();
}

function applyPositions(model: GraphModel, layout: Layout): Layout {
  const top = model.nodes.filter((node) => node.parentId === null && node.shape !== "start");
  if (top.length === 0 || top.some((node) => node.position === null)) return layout;
  for (const node of model.nodes) {
    const placed = layout.nodes.get(node.id);
    if (placed !== undefined && node.position !== null) placed.position = node.position;
  }
  const first = top.find((node) => node.initial);
  const start = model.nodes.find((node) => node.shape === "start");
  const placedStart = start === undefined ? undefined : layout.nodes.get(start.id);
  if (placedStart !== undefined && first?.position) {
    placedStart.position = { x: first.position.x - 70, y: first.position.y + toCardSize(first).entryY - 10 };
  }
  return { nodes: layout.nodes, routes: new Map() };
}
