import type { Json } from "@oven/contract";
import type { PolicyTarget } from "@oven/contract/workflow";
import type { Finding } from "./finding.ts";
import type { GraphFacts } from "./graph-facts.ts";
import { ancestorsOf, type Place, type PlacedCall, type PolicyGraph, placesOf } from "./policy-graph.ts";
import { reachUnreviewed, showWay } from "./reach.ts";
import { hitsOf } from "./targets.ts";

/** Calls that change something outside and cannot be repeated safely, and those whose tag says that they send data. */
const OUTBOUND: PolicyTarget = { effects: ["at-least-once", "at-most-once"], tags: ["outbound"] };
const OUTSIDE = "outside-content";

/**
 * Ways from untrusted content to what sends. The context of a run is one for all of its states, so whatever comes after a
 * source may carry what it answered, unless all that it is given is written out in the definition.
 */
export function findUntrusted(
  graph: PolicyGraph,
  { sinks, role }: { sinks?: PolicyTarget | undefined; role?: string | undefined },
  facts: GraphFacts,
  standing: readonly string[],
): Finding[] {
  const { sources, first } = untrustedStarts(graph, facts);
  // What a run was given before it stood there may come from any of the sources.
  const begun = sources.length === 0 ? [] : placesOf(graph, standing);
  const before = reachUnreviewed([...first.keys(), ...begun], role);
  return [...before.keys()].flatMap((place) => {
    const hits = sinkHits(place, sinks, facts, role);
    if (hits.length === 0) return [];
    const start = first.get(rootOf(before, place));
    return [
      {
        path: place.path,
        message: `untrusted content reaches ${hits.join(", ")} without a review${role === undefined ? "" : ` by ${role}`}: ${showWay(before, place, start)}`,
        fix: "Put a review between the two, or let the tool ask for approval.",
      },
    ];
  });
}

/** The places whose answers are untrusted, and each place that may run after one, with the first of those. */
export function untrustedStarts(
  { places }: PolicyGraph,
  facts: GraphFacts,
): { sources: Place[]; first: ReadonlyMap<Place, Place> } {
  const sources = places.filter(({ part, call }) => part === "state" && call !== undefined && isSource(call, facts));
  const first = new Map<Place, Place>();
  for (const source of sources)
    for (const next of afterOf(source, places)) if (!first.has(next)) first.set(next, source);
  return { sources, first };
}

/** The parts of `sinks` that a place sends to, unless all that it is given is written out. */
export function sinkHits(
  { part, call }: Place,
  sinks: PolicyTarget | undefined,
  facts: GraphFacts,
  role: string | undefined,
): string[] {
  if (part !== "state" || call === undefined) return [];
  const isFixed = facts.tools(call.src, call.input, call.agentConfig) === undefined && isWrittenOut(call.input);
  return isFixed ? [] : hitsOf(sinks ?? OUTBOUND, call, facts, role);
}

function isSource(call: PlacedCall, facts: GraphFacts): boolean {
  if (call.expanded) return false;
  if (call.node.kind === "model" || call.node.tags?.includes(OUTSIDE)) return true;
  const called = facts.tools(call.src, call.input, call.agentConfig);
  return called?.tools.some(({ tags }) => tags.includes(OUTSIDE)) ?? false;
}

/** The places that may run after a place: those that it leads to, and those of parallel regions. */
function afterOf(place: Place, places: readonly Place[]): Place[] {
  const chain = [place, ...ancestorsOf(place)];
  const beside = new Set(
    chain.flatMap((inner, index) => (chain[index + 1]?.regions ?? []).filter((region) => region !== inner)),
  );
  const concurrent =
    beside.size === 0 ? [] : places.filter((other) => [other, ...ancestorsOf(other)].some((at) => beside.has(at)));
  return [...place.edges.map(({ to }) => to).filter((to) => to.joins === undefined), ...concurrent];
}

function rootOf(before: ReadonlyMap<Place, Place | undefined>, place: Place): Place {
  let at = place;
  for (let previous = before.get(at); previous !== undefined; previous = before.get(at)) at = previous;
  return at;
}

/** Paths, templates and expressions all have one of these signs. */
function isWrittenOut(value: Json): boolean {
  return !/\$|\{\{/.test(JSON.stringify(value));
}
