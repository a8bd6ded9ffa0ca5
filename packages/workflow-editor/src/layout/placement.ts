import type { Direction } from "../document/operations/canvas-view.ts";
import type { GraphModel, GraphNode } from "../graph/graph-model.ts";
import { EMPTY_GROUP, GROUP_TITLE_HEIGHT, toCardSize } from "./card-size.ts";
import { type Placed, type Point, startBefore } from "./elk-layout.ts";

/** Room around the states of a container. */
const GROUP_PADDING = 20;
export const GAP_X = 72;
const GAP_Y = 32;

export type Placement = ReadonlyMap<string, Placed>;

/**
 * Where every node is drawn: where the author put it, else where the layout did, else beside what leads to it. Containers are as
 * large as what they hold.
 */
export function placeNodes(model: GraphModel, laidOut: ReadonlyMap<string, Placed> | null): Placement {
  const children = new Map<string | null, GraphNode[]>();
  for (const node of model.nodes) {
    const list = children.get(node.parentId) ?? [];
    list.push(node);
    children.set(node.parentId, list);
  }
  const placed = new Map<string, Placed>();
  const place = (parent: string | null): void => {
    const list = children.get(parent) ?? [];
    const manual = list.some(({ position }) => position !== null);
    const waiting: GraphNode[] = [];
    for (const node of list) {
      if (children.has(node.id)) place(node.id);
      const position = node.position ?? (manual ? null : (laidOut?.get(node.id)?.position ?? null));
      if (position === null) waiting.push(node);
      else placed.set(node.id, { position, ...sizeOf(node, children.get(node.id) ?? [], placed) });
    }
    for (const node of manual ? alongLines(waiting, model, placed) : waiting) {
      const size = sizeOf(node, children.get(node.id) ?? [], placed);
      placed.set(node.id, { position: beside(node, size, model, list, placed), ...size });
    }
  };
  place(null);
  return placed;
}

/** Nodes without a place so that each comes after one that leads to it: several new ones in a row stand in a row. */
function alongLines(
  waiting: readonly GraphNode[],
  model: GraphModel,
  placed: ReadonlyMap<string, Placed>,
): Iterable<GraphNode> {
  const left = new Map(waiting.map((node) => [node.id, node]));
  const ordered = new Map<string, GraphNode>();
  const targets = new Map<string, string[]>();
  for (const { source, target } of model.edges) targets.set(source, [...(targets.get(source) ?? []), target]);
  const queue = model.nodes.flatMap(({ id }) => (placed.has(id) ? [id] : []));
  for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
    for (const target of targets.get(id) ?? []) {
      const node = left.get(target);
      if (node === undefined || ordered.has(target)) continue;
      ordered.set(target, node);
      queue.push(target);
    }
  }
  for (const node of waiting) ordered.set(node.id, node);
  return ordered.values();
}

function sizeOf(
  node: GraphNode,
  children: readonly GraphNode[],
  placed: ReadonlyMap<string, Placed>,
): { width: number; height: number } {
  const { width, height } = toCardSize(node);
  if (node.shape !== "group") return { width, height };
  if (children.length === 0) return EMPTY_GROUP;
  let right = width;
  let bottom = height;
  for (const { id } of children) {
    const child = placed.get(id);
    if (child === undefined) continue;
    right = Math.max(right, child.position.x + child.width + GROUP_PADDING);
    bottom = Math.max(bottom, child.position.y + child.height + GROUP_PADDING);
  }
  return { width: right, height: bottom };
}

/** To the right of what leads to it, below what is there already. */
function beside(
  node: GraphNode,
  size: { width: number; height: number },
  model: GraphModel,
  siblings: readonly GraphNode[],
  placed: ReadonlyMap<string, Placed>,
): Point {
  const inner = node.parentId === null ? 0 : GROUP_PADDING;
  if (node.shape === "start") {
    const first = siblings.find(({ initial }) => initial);
    const at = first === undefined ? undefined : placed.get(first.id);
    if (first !== undefined && at !== undefined) return startBefore(first, at.position);
    return { x: -70, y: 17 };
  }
  if (node.shape === "workflow") {
    const boxes = siblings.flatMap(({ id }) => placed.get(id)?.position ?? []);
    const left = Math.min(...boxes.map(({ x }) => x));
    const top = Math.min(...boxes.map(({ y }) => y));
    return boxes.length === 0 ? { x: 0, y: 0 } : { x: left, y: top - size.height - GAP_Y * 2 };
  }
  const among = new Set(siblings.map(({ id }) => id));
  const source = model.edges.find(
    (edge) =>
      edge.target === node.id &&
      edge.source !== node.id &&
      edge.tone !== "start" &&
      among.has(edge.source) &&
      placed.has(edge.source),
  );
  const from = source === undefined ? undefined : placed.get(source.source);
  const start = from
    ? nextTo(from, node.direction)
    : { x: inner, y: inner + (node.parentId === null ? 0 : GROUP_TITLE_HEIGHT) };
  const others = siblings.flatMap(({ id, shape }) => (shape === "start" ? [] : (placed.get(id) ?? [])));
  return freeSpot(start, size, others, node.direction);
}

/** Where what follows a box stands, before looking whether something is there. */
export function nextTo({ position, width, height }: Placed, direction: Direction): Point {
  return direction === "down"
    ? { x: position.x, y: position.y + height + GAP_X }
    : { x: position.x + width + GAP_X, y: position.y };
}

/** The first place at or below a point where nothing stands; at or beside it where the graph goes down. */
export function freeSpot(
  point: Point,
  size: { width: number; height: number },
  others: readonly Placed[],
  direction: Direction = "right",
): Point {
  let { x, y } = point;
  for (let tries = 0; tries <= others.length; tries += 1) {
    const hit = others.find(
      ({ position, width, height }) =>
        x < position.x + width + GAP_Y / 2 &&
        position.x < x + size.width + GAP_Y / 2 &&
        y < position.y + height + GAP_Y / 2 &&
        position.y < y + size.height + GAP_Y / 2,
    );
    if (hit === undefined) break;
    if (direction === "down") x = hit.position.x + hit.width + GAP_Y;
    else y = hit.position.y + hit.height + GAP_Y;
  }
  return { x, y };
}

/** Where a node begins on the canvas. */
export function toAbsolute(id: string, model: GraphModel, placement: Placement): Point {
  const byId = nodesById(model);
  let x = 0;
  let y = 0;
  for (let at = byId.get(id); at; at = at.parentId === null ? undefined : byId.get(at.parentId)) {
    const placed = placement.get(at.id);
    x += placed?.position.x ?? 0;
    y += placed?.position.y ?? 0;
  }
  return { x, y };
}

const indexes = new WeakMap<GraphModel, ReadonlyMap<string, GraphNode>>();

export function nodesById(model: GraphModel): ReadonlyMap<string, GraphNode> {
  const known = indexes.get(model) ?? new Map(model.nodes.map((node) => [node.id, node]));
  indexes.set(model, known);
  return known;
}

/** The innermost container at a point of the canvas; null: none. `without` and what is in them do not count. */
export function containerAt(
  point: Point,
  model: GraphModel,
  placement: Placement,
  without: ReadonlySet<string> = new Set(),
): string | null {
  const left = new Set(without);
  let found: string | null = null;
  for (const node of model.nodes) {
    if (node.parentId !== null && left.has(node.parentId)) left.add(node.id);
    if (node.shape !== "group" || left.has(node.id)) continue;
    const { x, y } = toAbsolute(node.id, model, placement);
    const { width = 0, height = 0 } = placement.get(node.id) ?? {};
    // Inner ones come later, so the last hit is the innermost.
    if (point.x >= x && point.x <= x + width && point.y >= y && point.y <= y + height) found = node.id;
  }
  return found;
}
