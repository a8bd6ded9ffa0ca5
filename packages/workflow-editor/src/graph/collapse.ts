import type { GraphEdge, GraphHandle, GraphModel, GraphNode } from "./graph-model.ts";

/**
 * The graph with containers drawn as one card each. Lines from and to what is in one begin and end at its card, each at a handle
 * of its own, so that it can still be led elsewhere; lines within are not drawn. Ids of lines stay as they are.
 */
export function collapse(model: GraphModel, collapsed: ReadonlySet<string>): GraphModel {
  if (!model.nodes.some(({ id, shape }) => shape === "group" && collapsed.has(id))) return model;
  const cardOf = new Map<string, string>();
  const hidden = new Map<string, GraphNode[]>();
  for (const node of model.nodes) {
    const parent = node.parentId;
    const card = parent === null ? undefined : (cardOf.get(parent) ?? (collapsed.has(parent) ? parent : undefined));
    if (card === undefined) continue;
    cardOf.set(node.id, card);
    hidden.set(card, [...(hidden.get(card) ?? []), node]);
  }
  const leaving = new Map<string, GraphHandle[]>();
  const edges = model.edges.flatMap((edge): GraphEdge[] => {
    const source = cardOf.get(edge.source) ?? edge.source;
    const target = cardOf.get(edge.target) ?? edge.target;
    if (source === edge.source && target === edge.target) return [edge];
    if (source === target) return [];
    if (source === edge.source) return [{ ...edge, target }];
    const inner = hidden.get(source)?.find(({ id }) => id === edge.source);
    const handle = inner?.handles.find(({ id }) => id === edge.sourceHandle);
    if (inner === undefined || handle === undefined) return [];
    const label = handle.label === "" ? inner.label : `${inner.label} · ${handle.label}`;
    const moved = { ...handle, id: `${inner.id} ${handle.id}`, label };
    leaving.set(source, [...(leaving.get(source) ?? []), moved]);
    return [{ ...edge, source, target, sourceHandle: moved.id, label }];
  });
  const nodes = model.nodes.flatMap((node): GraphNode[] => {
    if (cardOf.has(node.id)) return [];
    if (node.shape !== "group" || !collapsed.has(node.id)) return [node];
    const inside = (hidden.get(node.id) ?? []).map(({ id }) => id);
    const count = `${inside.length} ${inside.length === 1 ? "state" : "states"} inside`;
    const summary = [node.summary, count].filter((part) => part !== "").join(" · ");
    return [{ ...node, shape: "state", summary, inside, handles: [...node.handles, ...(leaving.get(node.id) ?? [])] }];
  });
  return { nodes, edges };
}
