import type { GraphModel, GraphNode } from "../graph/graph-model.ts";

/**
 * The same graph with its nodes in the order a run reaches them: along the happy path first, errors after it, ends last. The
 * layout takes a line that points back in this order for a loop.
 */
export function inReadingOrder(model: GraphModel): GraphModel {
  const outgoing = new Map<string, { target: string; error: boolean }[]>();
  for (const edge of model.edges) {
    const list = outgoing.get(edge.source) ?? [];
    list.push({ target: edge.target, error: edge.tone === "error" });
    outgoing.set(edge.source, list);
  }
  const children = new Map<string, string[]>();
  for (const node of model.nodes) {
    if (node.parentId === null) continue;
    const list = children.get(node.parentId) ?? [];
    if (node.initial) list.unshift(node.id);
    else list.push(node.id);
    children.set(node.parentId, list);
  }
  const order = new Map<string, number>();
  const late: string[] = [];
  const visit = (first: string): void => {
    const queue = [first];
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
      if (order.has(id)) continue;
      order.set(id, order.size);
      const next = outgoing.get(id) ?? [];
      queue.push(...next.filter((edge) => !edge.error).map((edge) => edge.target), ...(children.get(id) ?? []));
      late.push(...next.filter((edge) => edge.error).map((edge) => edge.target));
    }
  };
  const top = model.nodes.filter((node) => node.parentId === null);
  const first = top.find((node) => node.shape === "start") ?? top[0];
  if (first !== undefined) visit(first.id);
  for (let id = late.shift(); id !== undefined; id = late.shift()) visit(id);
  for (const node of model.nodes) visit(node.id);
  // Nothing follows a final, so no line to one may count as a way back.
  // What leads on at any time stands beside the start, and none of its lines is a way back.
  const rank = (node: GraphNode): number =>
    node.shape === "workflow" ? 0.5 : (order.get(node.id) ?? 0) + (node.shape === "final" ? model.nodes.length : 0);
  const nodes = [...model.nodes].sort((one, other) => rank(one) - rank(other));
  return { nodes, edges: model.edges };
}
