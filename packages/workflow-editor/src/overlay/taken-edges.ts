import type { GraphEdge, GraphModel } from "../graph/graph-model.ts";
import { START } from "../graph/to-graph.ts";
import { nodesById } from "../layout/placement.ts";

/** One visit of a state by a run; times in ms. */
export interface RunStep {
  stateId: string;
  start: number;
  failed: boolean;
}

/**
 * The lines a run took. Its record names the states that did something, in their order: each is joined with the last one
 * before it that leads there, through states that only decide and leave no record. `ends` are the final states it reached.
 */
export function toTakenEdges(model: GraphModel, steps: readonly RunStep[], ends: readonly string[]): Set<string> {
  const taken = new Set<string>();
  const parents = nodesById(model);
  const arrivals = new Map<string, GraphEdge[]>();
  // Where a failure and a success lead to the same state, a step that failed took the line of the failure.
  const failuresFirst = model.edges.toSorted(
    (one, other) => Number(other.tone === "error") - Number(one.tone === "error"),
  );
  for (const edge of failuresFirst) arrivals.set(edge.target, [...(arrivals.get(edge.target) ?? []), edge]);
  const sorted = [...steps].sort((one, other) => one.start - other.start);
  // The newest visit of each state, and of what it stands in, before the step that is looked at.
  const before = new Map<string, { at: number; failed: boolean }>();

  const wayTo = (stateId: string): string[] | null => {
    const seen = new Set([stateId]);
    let best: { at: number; way: string[] } | null = null;
    let open: { id: string; way: string[] }[] = [{ id: stateId, way: [] }];
    while (open.length > 0) {
      const next: typeof open = [];
      const look = (id: string, way: string[]): void => {
        if (seen.has(id)) return;
        seen.add(id);
        next.push({ id, way });
      };
      for (const { id, way } of open) {
        for (const edge of arrivals.get(id) ?? []) {
          const last = edge.source === START ? { at: -1, failed: false } : before.get(edge.source);
          if (last === undefined) look(edge.source, [...way, edge.id]);
          else if ((edge.tone !== "error" || last.failed) && last.at > (best?.at ?? Number.NEGATIVE_INFINITY))
            best = { at: last.at, way: [...way, edge.id] };
        }
        // Where a container begins, it was led to the container.
        const node = parents.get(id);
        if (node !== undefined && node.parentId !== null && (node.initial || !arrivals.has(id)))
          look(node.parentId, way);
      }
      open = next;
    }
    return best?.way ?? null;
  };

  sorted.forEach(({ stateId, failed }, index) => {
    for (const id of wayTo(stateId) ?? []) taken.add(id);
    for (let id: string | null = stateId; id !== null; id = parents.get(id)?.parentId ?? null)
      before.set(id, { at: index, failed });
  });
  for (const end of ends) if (!before.has(end)) for (const id of wayTo(end) ?? []) taken.add(id);
  return taken;
}
