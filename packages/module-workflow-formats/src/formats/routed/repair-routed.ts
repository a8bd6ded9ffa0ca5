import type { RoutedEdge, RoutedGraphSpec, RoutedNode } from "@oven/contract/formats/routed.ts";
import { END_VALUE } from "./check-routed.ts";

/** What a document lacks: nodes that its edges name, with a way back for each. */
export interface Repair {
  add: { nodes: RoutedNode[]; edges: RoutedEdge[] };
}

/**
 * Nodes that edges name and the document does not have, called what the edges to them ask for.
 * @param agentOf the id of an agent with that name
 * @returns null where nothing is missing, or nobody of such a name is there
 */
export function repairOf(spec: RoutedGraphSpec, agentOf: (name: string) => string | undefined): Repair | null {
  const known = new Set(spec.nodes.map(({ id }) => id));
  const missing = new Set(
    spec.edges.flatMap(({ sourceNodeId, targetNodeId }) =>
      [sourceNodeId, targetNodeId].filter((id): id is string => id !== null && !known.has(id)),
    ),
  );
  const entry = spec.nodes.find(({ id }) => id === spec.entrypointNodeId);
  if (missing.size === 0 || entry === undefined) return null;
  const add: Repair["add"] = { nodes: [], edges: [] };
  const nextId = counter(spec.edges.map(({ id }) => id));
  for (const id of missing) {
    const nodeName = spec.edges.find(
      ({ targetNodeId, sourceNodeId, conditionValue }) =>
        targetNodeId === id && conditionValue !== null && isAgent(spec, sourceNodeId),
    )?.conditionValue;
    const agentId = nodeName == null ? undefined : agentOf(nodeName);
    if (nodeName == null || agentId === undefined) return null;
    add.nodes.push({ id, workflowId: spec.id, nodeType: "AGENT", nodeName, agentId });
    const way = (targetNodeId: string | null, conditionValue: string): RoutedEdge => ({
      ...{ id: nextId(), workflowId: spec.id, sourceNodeId: id, targetNodeId },
      ...{ conditionType: "CONDITIONAL", conditionValue },
    });
    const has = (target: string | null) =>
      spec.edges.some(({ sourceNodeId, targetNodeId }) => sourceNodeId === id && targetNodeId === target);
    // Else it could only call tools until the step limit.
    if (!has(entry.id)) add.edges.push(way(entry.id, entry.nodeName));
    if (!has(null)) add.edges.push(way(null, END_VALUE));
  }
  return { add };
}

export function repaired(spec: RoutedGraphSpec, { add }: Repair): RoutedGraphSpec {
  return { ...spec, nodes: [...spec.nodes, ...add.nodes], edges: [...spec.edges, ...add.edges] };
}

const isAgent = ({ nodes }: RoutedGraphSpec, id: string): boolean =>
  nodes.some((node) => node.id === id && node.nodeType === "AGENT");

/** Ids that go on where those of the document end: `edge-uuid-18` is followed by `edge-uuid-19`. */
function counter(ids: readonly string[]): () => string {
  const last = ids.reduce(
    (most, id) => {
      const [, prefix = "", digits = "0"] = /^(.*?)(\d+)$/.exec(id) ?? [];
      return prefix !== "" && Number(digits) > most.number ? { prefix, number: Number(digits) } : most;
    },
    { prefix: "edge-", number: 0 },
  );
  let { number } = last;
  return () => {
    number += 1;
    return `${last.prefix}${number}`;
  };
}
