import type { GraphModel, GraphNode } from "../graph/graph-model.ts";
import { toCardSize } from "./card-size.ts";

/** Room between one column and the next, and between cards of a column, as the layout leaves it. */
const COLUMN_GAP = 72;
const ROW_GAP = 40;
/** How much wider than high a large graph should be. */
const RATIO = 1.6;
/** The layout of more cards at once takes longer than that of two halves. */
const MOST_IN_PART = 60;
const MOST_IN_COLUMN = 24;

export interface Parts {
  /** Each is laid out by itself; they are read one after the other, like words of a text. */
  parts: GraphNode[][];
  /** How long a line of that text should be. */
  length: number;
}

/**
 * The nodes of one container, cut along the way a run takes into parts: a thousand states in one row could be neither laid out in
 * good time nor looked at. `nodes` are in reading order; `sizeOf` says how much room one takes.
 */
export function toParts(
  nodes: readonly GraphNode[],
  model: GraphModel,
  weight: (node: GraphNode) => number,
  sizeOf: (node: GraphNode) => { width: number; height: number } = toCardSize,
): Parts {
  const down = nodes[0]?.direction === "down";
  const alongOf = (node: GraphNode): number => (down ? sizeOf(node).height : sizeOf(node).width) + COLUMN_GAP;
  const area = nodes.reduce((sum, node) => {
    const { width, height } = sizeOf(node);
    return sum + (width + (down ? ROW_GAP : COLUMN_GAP)) * (height + (down ? COLUMN_GAP : ROW_GAP));
  }, 0);
  const length = Math.sqrt(down ? area / RATIO : area * RATIO);
  const parts: GraphNode[][] = [];
  let part: GraphNode[] = [];
  let reached = 0;
  let heavy = 0;
  const close = (): void => {
    if (part.length > 0) parts.push(part);
    part = [];
    reached = 0;
    heavy = 0;
  };
  for (const column of toColumns(nodes, model)) {
    const along = Math.max(...column.map(alongOf));
    const more = column.reduce((sum, node) => sum + weight(node), 0);
    if (heavy + more > MOST_IN_PART || reached + along > length) close();
    for (let start = 0; start < column.length; start += MOST_IN_COLUMN) {
      if (start > 0) close();
      part.push(...column.slice(start, start + MOST_IN_COLUMN));
    }
    reached += along;
    heavy += more;
  }
  close();
  return { parts, length };
}

/** Columns by how many steps lead there at most, lines that point back in reading order not counted. */
function toColumns(nodes: readonly GraphNode[], model: GraphModel): GraphNode[][] {
  const order = new Map(nodes.map(({ id }, index) => [id, index]));
  const outer = new Map<string, string>();
  for (const node of model.nodes) {
    const parent = node.parentId === null ? undefined : outer.get(node.parentId);
    const here = order.has(node.id) ? node.id : parent;
    if (here !== undefined) outer.set(node.id, here);
  }
  const sources = new Map<string, string[]>();
  for (const edge of model.edges) {
    const from = outer.get(edge.source);
    const to = outer.get(edge.target);
    if (from === undefined || to === undefined || (order.get(from) ?? 0) >= (order.get(to) ?? 0)) continue;
    const list = sources.get(to) ?? [];
    list.push(from);
    sources.set(to, list);
  }
  const rank = new Map<string, number>();
  const columns: GraphNode[][] = [];
  for (const node of nodes) {
    const before = (sources.get(node.id) ?? []).map((id) => rank.get(id) ?? 0);
    const at = before.length === 0 ? 0 : Math.max(...before) + 1;
    rank.set(node.id, at);
    const column = columns[at] ?? [];
    column.push(node);
    columns[at] = column;
  }
  return columns;
}
