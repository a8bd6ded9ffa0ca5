import type { JsonObject } from "@oven/contract";
import type { NodeType } from "@oven/contract/node";
import { compareDefinitions } from "@oven/contract/workflow";
import type { GraphEdge, GraphModel, GraphNode } from "../graph/graph-model.ts";
import { START, toGraph } from "../graph/to-graph.ts";

export type DiffMark = "added" | "removed" | "changed" | "moved";

/** Two definitions as one graph: the newer one, with what is gone drawn into it as ghosts. */
export interface DrawnDiff {
  model: GraphModel;
  nodes: ReadonlyMap<string, DiffMark>;
  edges: ReadonlyMap<string, "added" | "removed">;
}

/** What changed from one definition to another, to be drawn. A state that moved and was changed is marked as moved. */
export function toDrawnDiff(from: JsonObject, to: JsonObject, nodeTypes?: readonly NodeType[]): DrawnDiff {
  const comparison = compareDefinitions(from, to);
  const [before, after] = [toGraph(from, nodeTypes), toGraph(to, nodeTypes)];
  const nodes = new Map<string, DiffMark>();
  for (const { stateId } of comparison.changed) nodes.set(stateId, "changed");
  for (const { stateId } of comparison.moved) nodes.set(stateId, "moved");
  for (const id of comparison.added) nodes.set(id, "added");
  for (const id of comparison.removed) nodes.set(id, "removed");
  const places = new Map(before.nodes.map(({ id, parentId, position }) => [id, { parentId, position }]));
  const isPlaced = after.nodes.some(({ position }) => position !== null);
  const drawn = new Map(
    after.nodes.map((node) => {
      const old = places.get(node.id);
      // Only the older one was placed by hand: what is in both stands where it stood.
      const position = isPlaced || old?.parentId !== node.parentId ? node.position : (old?.position ?? null);
      return [node.id, { ...node, position }];
    }),
  );
  for (const node of before.nodes) {
    const now = drawn.get(node.id);
    // A place where a target was missing is filled by the state that went.
    if (now === undefined || (now.shape === "missing" && node.shape !== "missing"))
      drawn.set(node.id, toGhost(node, drawn));
  }
  const edges = new Map<string, "added" | "removed">();
  const known = new Set(before.edges.map(({ id }) => id));
  for (const { id } of after.edges) if (!known.has(id)) edges.set(id, "added");
  const there = new Set(after.edges.map(({ id }) => id));
  const gone = before.edges.filter(
    ({ id, source, target }) => !there.has(id) && drawn.has(source) && drawn.has(target),
  );
  for (const edge of gone) {
    edges.set(edge.id, "removed");
    keepHandle(edge, drawn, before);
  }
  return { model: { nodes: inOrder(drawn), edges: [...after.edges, ...gone] }, nodes, edges };
}

/** Where it stood, if there is still such a container and nothing else stands there now. */
function toGhost(node: GraphNode, drawn: ReadonlyMap<string, GraphNode>): GraphNode {
  const parent = node.parentId === null ? undefined : drawn.get(node.parentId);
  const parentId = parent?.shape === "group" ? parent.id : null;
  const { position } = node;
  const isTaken =
    position !== null &&
    [...drawn.values()].some(
      (other) =>
        other.parentId === parentId &&
        other.position !== null &&
        Math.abs(other.position.x - position.x) < 200 &&
        Math.abs(other.position.y - position.y) < 60,
    );
  return { ...node, initial: false, parentId, position: isTaken || parentId !== node.parentId ? null : position };
}

/** A line that went needs the handle it began at. */
function keepHandle(edge: GraphEdge, drawn: Map<string, GraphNode>, before: GraphModel): void {
  const node = drawn.get(edge.source);
  if (node === undefined || node.handles.some(({ id }) => id === edge.sourceHandle)) return;
  const handle = before.nodes.find(({ id }) => id === edge.source)?.handles.find(({ id }) => id === edge.sourceHandle);
  if (handle !== undefined) drawn.set(node.id, { ...node, handles: [...node.handles, handle] });
}

/** Parents before their children, the start first. */
function inOrder(drawn: ReadonlyMap<string, GraphNode>): GraphNode[] {
  const ordered = new Map<string, GraphNode>();
  const add = (node: GraphNode): void => {
    if (ordered.has(node.id)) return;
    const parent = node.parentId === null ? undefined : drawn.get(node.parentId);
    if (parent !== undefined) add(parent);
    ordered.set(node.id, node);
  };
  const start = drawn.get(START);
  if (start !== undefined) add(start);
  for (const node of drawn.values()) add(node);
  return [...ordered.values()];
}
