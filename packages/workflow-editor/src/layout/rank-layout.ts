import type { GraphModel, GraphNode } from "../graph/graph-model.ts";

export interface Ranked {
  node: GraphNode;
  /** Column, from the start. */
  rank: number;
  /** Place within the column. */
  row: number;
}

/**
 * Columns by distance from the start: enough for a thumbnail, at no cost in code size. Only the outermost level is
 * ranked; lines of inner states count for the box they are in.
 */
export function toRanks(model: GraphModel): { ranked: Ranked[]; edges: { source: string; target: string }[] } {
  const outer = new Map<string, string>();
  for (const node of model.nodes)
    outer.set(node.id, node.parentId === null ? node.id : (outer.get(node.parentId) ?? node.id));
  const top = model.nodes.filter(
    (node) => node.parentId === null && node.shape !== "start" && node.shape !== "workflow",
  );
  const seen = new Set<string>();
  const edges: { source: string; target: string }[] = [];
  for (const edge of model.edges) {
    const source = outer.get(edge.source);
    const target = outer.get(edge.target);
    const key = `${source}→${target}`;
    if (source === undefined || target === undefined || source === target || edge.tone === "start" || seen.has(key))
      continue;
    seen.add(key);
    edges.push({ source, target });
  }
  const first = top.find((node) => node.initial) ?? top[0];
  const ranks = first === undefined ? new Map<string, number>() : rankFrom(first.id, edges);
  // An end stands behind everything that leads to it, not where the shortest way would put it.
  for (const node of top) {
    if (node.shape !== "final" || !ranks.has(node.id)) continue;
    const sources = edges.filter((edge) => edge.target === node.id).map((edge) => ranks.get(edge.source) ?? 0);
    ranks.set(node.id, Math.max(0, ...sources) + 1);
  }
  const last = Math.max(0, ...ranks.values());
  const filled = new Map<number, number>();
  const ranked = top.map((node) => {
    const rank = ranks.get(node.id) ?? last + 1;
    const row = filled.get(rank) ?? 0;
    filled.set(rank, row + 1);
    return { node, rank, row };
  });
  return { ranked, edges };
}

function rankFrom(start: string, edges: { source: string; target: string }[]): Map<string, number> {
  const ranks = new Map([[start, 0]]);
  const queue = [start];
  for (let source = queue.shift(); source !== undefined; source = queue.shift()) {
    for (const edge of edges) {
      if (edge.source !== source || ranks.has(edge.target)) continue;
      ranks.set(edge.target, (ranks.get(source) ?? 0) + 1);
      queue.push(edge.target);
    }
  }
  return ranks;
}
