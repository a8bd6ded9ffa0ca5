import type { ElkNode } from "elkjs/lib/elk-api.js";
import type { GraphModel, GraphNode } from "../graph/graph-model.ts";
import { GROUP_TITLE_HEIGHT, toCardSize } from "./card-size.ts";
import type { Layout, Placed, Point } from "./elk-layout.ts";
import { toParts } from "./graph-parts.ts";

/** A container with more than this in it is laid out by itself, before what is around it. */
const MOST_WITHIN = 60;
const PART_GAP = 40;
const LINE_GAP = 110;
/** A part that is a little too long still stands in the line. */
const SLACK = 1.1;
const PADDING = { top: GROUP_TITLE_HEIGHT + 16, side: 20 };

export interface PartsOptions {
  /** Lays out some nodes of one container with what is in them; sizes of those in `fixed` are given. */
  layOut: (nodes: readonly GraphNode[], fixed: ReadonlyMap<string, Placed>) => Promise<ElkNode>;
  collect: (root: ElkNode, layout: Layout) => void;
  /** Between two parts: how much is done, from 0 to 1. @throws what ends the layout early */
  onPart: (share: number) => void;
}

/** A large graph part by part: containers before what is around them, each cut along its way. `model` is in reading order. */
export async function layoutParts(model: GraphModel, { layOut, collect, onPart }: PartsOptions): Promise<Layout> {
  const children = new Map<string | null, GraphNode[]>();
  for (const node of model.nodes) {
    const list = children.get(node.parentId) ?? [];
    list.push(node);
    children.set(node.parentId, list);
  }
  const counts = new Map<string, number>();
  for (const node of [...model.nodes].reverse()) {
    const inner = (children.get(node.id) ?? []).reduce((sum, child) => sum + (counts.get(child.id) ?? 1), 0);
    counts.set(node.id, inner + 1);
  }
  const countOf = ({ id }: GraphNode): number => counts.get(id) ?? 1;
  const layout: Layout = { nodes: new Map(), routes: new Map() };
  const own = new Map<string, Placed>();
  let done = 0;

  const arrange = async (parent: string | null): Promise<{ width: number; height: number }> => {
    const nodes = children.get(parent) ?? [];
    for (const node of nodes) {
      if (node.shape !== "group" || countOf(node) <= MOST_WITHIN) continue;
      own.set(node.id, { position: { x: 0, y: 0 }, ...(await arrange(node.id)) });
    }
    const inset = parent === null ? { x: 0, y: 0 } : { x: PADDING.side, y: PADDING.top };
    const down = nodes[0]?.direction === "down";
    const sizeOf = (node: GraphNode): { width: number; height: number } => own.get(node.id) ?? toCardSize(node);
    const weight = (node: GraphNode): number => (own.has(node.id) ? 1 : countOf(node));
    const { parts, length } = toParts(nodes, model, weight, sizeOf);
    // Where the next part goes: along the lines of the graph, and line by line across.
    let [along, across, deep, longest] = [0, 0, 0, 0];
    // The one after is under way already: the layout engine does not wait for what is done with an answer.
    const start = (index: number): Promise<ElkNode> | undefined => {
      const part = parts[index];
      const laidOut = part === undefined ? undefined : layOut(part, own);
      // A caller that gave up in between gets no error; the other callers await the layout below.
      laidOut?.catch((error: unknown) => error);
      return laidOut;
    };
    let next = start(0);
    for (const [index, part] of parts.entries()) {
      onPart(done / model.nodes.length);
      const current = next;
      next = start(index + 1);
      const root = await current;
      if (root === undefined) continue;
      const { width = 0, height = 0 } = root;
      const [partLength, partDepth] = down ? [height, width] : [width, height];
      if (along > 0 && along + partLength > length * SLACK) {
        across += deep + LINE_GAP;
        along = 0;
        deep = 0;
      }
      const shift = down ? { x: across + inset.x, y: along + inset.y } : { x: along + inset.x, y: across + inset.y };
      place(root, part, shift, parent === null);
      along += partLength + PART_GAP;
      longest = Math.max(longest, along - PART_GAP);
      deep = Math.max(deep, partDepth);
      done += part.reduce((sum, node) => sum + weight(node), 0);
    }
    const [width, height] = down ? [across + deep, longest] : [longest, across + deep];
    return { width: width + inset.x * 2, height: height + inset.y + PADDING.side };
  };
  const place = (root: ElkNode, part: readonly GraphNode[], shift: Point, atTop: boolean): void => {
    const found: Layout = { nodes: new Map(), routes: new Map() };
    collect(root, found);
    const outer = new Set(part.map(({ id }) => id));
    for (const [id, placed] of found.nodes) {
      const { x, y } = placed.position;
      const position = outer.has(id) ? { x: x + shift.x, y: y + shift.y } : placed.position;
      layout.nodes.set(id, { ...placed, position });
    }
    // Lines are in coordinates of the canvas, which those of a container are not.
    if (!atTop) return;
    for (const [id, points] of found.routes) {
      const moved = points.map(({ x, y }) => ({ x: x + shift.x, y: y + shift.y }));
      layout.routes.set(id, moved);
    }
  };
  await arrange(null);
  onPart(1);
  return layout;
}
