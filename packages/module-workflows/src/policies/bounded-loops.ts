import type { Guard } from "@oven/contract/workflow";
import { toCounter } from "./counters.ts";
import { findCycle, strongComponents } from "./cycles.ts";
import type { Finding } from "./finding.ts";
import type { Edge, Place, PolicyGraph } from "./policy-graph.ts";
import { showLabels } from "./reach.ts";

/** Loops that may make more passes than allowed, and cycles along which nothing is counted. */
export function findUnbounded(
  { places }: PolicyGraph,
  { maxIterations }: { maxIterations?: number | undefined },
): Finding[] {
  const long = places.flatMap((place) =>
    maxIterations === undefined || place.maxIterations === undefined || place.maxIterations <= maxIterations
      ? []
      : [
          {
            path: place.path,
            message: `the loop ${place.label} may make ${place.maxIterations} passes, and ${maxIterations} are allowed`,
            fix: "Lower its maxIterations.",
          },
        ],
  );
  const open = new Set(places.flatMap(({ edges }) => edges.filter(({ bounded }) => !bounded)));
  while (closeCounted(places, open));
  const cycles = strongComponents(places, open).flatMap((component) => {
    const cycle = findCycle(component, open);
    const [first] = cycle;
    if (first === undefined) return [];
    const labels = cycle.filter(({ part }) => part === "state").map(({ label }) => label);
    return [
      {
        path: first.path,
        message: `nothing bounds the cycle ${showLabels([...labels, labels[0] ?? first.label])}`,
        fix: "Raise a variable on each round and leave the cycle when it is large enough, or draw a loop with maxIterations.",
      },
    ];
  });
  return [...long, ...cycles];
}

/**
 * Takes out the edges that can be taken a bounded number of times only: they raise a counter which nothing in the cycle sets
 * otherwise, and no way round avoids a state that leaves when the counter is large enough. Whether there were any.
 */
function closeCounted(places: readonly Place[], open: Set<Edge>): boolean {
  let closed = false;
  for (const component of strongComponents(places, open)) {
    const inside = new Set(component);
    const edges = component.flatMap((place) =>
      place.edges.filter((edge) => open.has(edge) && inside.has(edge.to)).map((edge) => ({ place, edge })),
    );
    const raised = (place: Place, edge: Edge) => [
      ...edge.counts.raised,
      ...edge.to.counts.raised,
      ...place.counts.raised,
    ];
    const set = new Set(edges.flatMap(({ place, edge }) => [...edge.counts.set, ...place.counts.set]));
    for (const counter of new Set(edges.flatMap(({ place, edge }) => raised(place, edge)))) {
      if (set.has(counter)) continue;
      const unguarded = component.filter((place) => !leavesAt(place, counter, inside, open));
      const counting = edges.filter(({ place, edge }) => raised(place, edge).includes(counter));
      const around = strongComponents(unguarded, open).map((places) => new Set(places));
      const avoided = counting.some(({ place, edge }) => around.some((some) => some.has(place) && some.has(edge.to)));
      if (avoided) continue;
      for (const { edge } of counting) closed = open.delete(edge) || closed;
    }
  }
  return closed;
}

/** Whether every list of transitions that stays in the cycle is left for good once the counter is large enough. */
function leavesAt(place: Place, counter: string, inside: ReadonlySet<Place>, open: ReadonlySet<Edge>): boolean {
  const lists = Map.groupBy(place.edges, ({ slot }) => slot);
  let guarded = false;
  for (const list of lists.values()) {
    const staying = list.filter((edge) => open.has(edge) && inside.has(edge.to));
    if (staying.length === 0) continue;
    if (!isGuarded(list, counter, inside)) return false;
    guarded = true;
  }
  return guarded;
}

/** In their order: up to the one that leaves, each must leave anyway or stay only while the counter is small. */
function isGuarded(list: readonly Edge[], counter: string, inside: ReadonlySet<Place>): boolean {
  for (const edge of list) {
    if (inside.has(edge.to)) {
      if (!bounds(edge.guard, counter, ["<", "<="])) return false;
    } else if (bounds(edge.guard, counter, [">", ">="])) return true;
  }
  return true;
}

function bounds(guard: Guard | undefined, counter: string, operators: readonly string[]): boolean {
  if (guard === undefined) return false;
  if (guard.type === "all" && operators.includes("<"))
    return guard.guards.some((inner) => bounds(inner, counter, operators));
  if (guard.type === "any" && operators.includes(">"))
    return guard.guards.some((inner) => bounds(inner, counter, operators));
  if (guard.type !== "condition") return false;
  const { key, operator, value } = guard.params;
  return operators.includes(operator) && typeof value === "number" && toCounter(key) === counter;
}
