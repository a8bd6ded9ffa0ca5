import { z } from "zod";
import { canonical, definitionHash, type Json } from "./canonical.ts";
import { findUndrawn } from "./drawn-graph.ts";

const index = z.int().nonnegative();

/** One place of a run: a state, what follows when it is done, or what leads out of it at any time. */
const PlaceSchema = z.strictObject({
  label: z.string(),
  part: z.enum(["state", "done", "out"]),
  /** The node that a state invokes. */
  node: z.string().optional(),
  /** It is reached only when all of these are: the ends of parallel regions. */
  joins: z.array(index).optional(),
  /** The most passes of a loop. */
  passes: z.int().optional(),
});

const EdgeSchema = z.strictObject({
  from: index,
  to: index,
  /** Taken only after an approval. Empty: by anyone who may; null: who decides is known only when it runs. */
  review: z.array(z.string()).nullable().optional(),
  /** The engine counts how often it is taken. */
  bounded: z.literal(true).optional(),
});

const GraphSchema = z.strictObject({ places: z.array(PlaceSchema).min(1), edges: z.array(EdgeSchema) });
export type CertifiedGraph = z.infer<typeof GraphSchema>;

const policy = z.string();
const role = z.string().optional();
/** Rules have more than the checker looks at: the tools, tags and effects that a target is named by are in `targets`. */
const target = z.looseObject({ nodeTypes: z.array(z.string()).optional() });
const reached = {
  /** Places that the rule is about. */
  targets: z.array(index),
  /** The evidence: places that can be got to without a review that counts. */
  reachable: z.array(index),
};

const ClaimSchema = z.union([
  z.strictObject({ policy, rule: z.strictObject({ kind: z.literal("review-before"), target, role }), ...reached }),
  z.strictObject({
    policy,
    rule: z.strictObject({ kind: z.literal("untrusted-flow"), sinks: target.optional(), role }),
    /** Places whose answers are not to be trusted, and those that may run after one. */
    sources: z.array(index),
    starts: z.array(index),
    ...reached,
  }),
  z.strictObject({
    policy,
    rule: z.strictObject({ kind: z.literal("bounded-loops"), maxIterations: z.int().optional() }),
    /** The evidence: a number for each place, which every edge raises that nothing counts. */
    ranks: z.array(z.int()),
  }),
  z.strictObject({
    policy,
    rule: z.strictObject({ kind: z.literal("forbidden-nodes"), nodeTypes: z.array(z.string()) }),
  }),
]);
export type Claim = z.infer<typeof ClaimSchema>;

/** That policies hold in every run of a version, with what it takes to check it. */
export const CertificateSchema = z.strictObject({
  format: z.literal("oven-certificate"),
  version: z.literal(1),
  definition: z.unknown(),
  graph: GraphSchema,
  claims: z.array(ClaimSchema),
  /** Policies of which no claim is made. */
  left: z.array(z.strictObject({ policy, why: z.string() })),
});
export type Certificate = z.infer<typeof CertificateSchema>;

/**
 * Checks each claim by its evidence, and that the graph has every way that the definition draws.
 * @returns the content hash of the definition, what is wrong with the graph itself, and with each claim
 */
export function checkCertificate({ definition, graph, claims, left }: Certificate) {
  const source = definition as Json; // cast: what was parsed is JSON
  const outside = graph.edges.some(({ from, to }) => !graph.places[from] || !graph.places[to]);
  const problems = outside ? ["an edge leads to a place that is not there"] : findUndrawn(source, graph);
  return {
    definition: definitionHash(source),
    problems,
    claims: claims.map((claim) => ({ policy: claim.policy, says: saysOf(claim), problem: checkClaim(claim, graph) })),
    left,
  };
}

function checkClaim(claim: Claim, graph: CertifiedGraph): string | undefined {
  if ("ranks" in claim) return checkRanks(claim, graph);
  if ("sources" in claim) {
    const next = graph.edges.filter(({ from, to }) => claim.sources.includes(from) && !graph.places[to]?.joins);
    const missed = next.find(({ to }) => !claim.starts.includes(to));
    return missed ? `what follows ${nameOf(graph, missed.from)} is no start` : checkReached(claim, graph, claim.starts);
  }
  if ("reachable" in claim) return checkReached(claim, graph, [0]);
  const { nodeTypes } = claim.rule;
  const found = graph.places.find(({ node }) => node !== undefined && matches(nodeTypes, node));
  return found && `${found.label} is of the type ${found.node}`;
}

type Reached = Extract<Claim, { reachable: number[] }>;

/** Nothing leads out of what is reachable but approvals that count, and no target is in it. */
function checkReached(claim: Reached, graph: CertifiedGraph, starts: number[]): string | undefined {
  const { rule, targets, reachable } = claim;
  const { places, edges } = graph;
  const within = new Set(reachable);
  const start = starts.find((place) => !within.has(place));
  if (start !== undefined) return `${nameOf(graph, start)} is a start and not in the evidence`;
  for (const { from, to, review } of edges) {
    if (!within.has(from) || within.has(to)) continue;
    if (review !== undefined && counts(review, rule.role)) continue;
    if (places[to]?.joins?.some((end) => !within.has(end))) continue;
    return `${nameOf(graph, to)} is reached from ${nameOf(graph, from)} without a review that counts`;
  }
  if (rule.kind === "review-before") {
    const { nodeTypes = [] } = rule.target;
    const named = places.filter(({ part, node }) => part === "state" && node !== undefined && matches(nodeTypes, node));
    const missed = named.find((place) => !targets.includes(places.indexOf(place)));
    if (missed) return `${missed.label} is a target and not among the targets`;
  }
  const hit = targets.find((place) => within.has(place));
  return hit === undefined ? undefined : `${nameOf(graph, hit)} can be reached without a review`;
}

/** Any review does, unless a role is asked for: then only that role may decide. */
function counts(deciders: string[] | null, role: string | undefined): boolean {
  if (role === undefined) return true;
  return deciders !== null && deciders.length > 0 && deciders.every((decider) => decider === `role:${role}`);
}

function checkRanks({ ranks, rule }: Extract<Claim, { ranks: number[] }>, graph: CertifiedGraph): string | undefined {
  const { places, edges } = graph;
  const most = rule.maxIterations;
  const long = places.find(({ passes }) => passes !== undefined && most !== undefined && passes > most);
  if (long) return `the loop ${long.label} may make ${long.passes} passes`;
  const round = edges.find(({ from, to, bounded }) => !bounded && !((ranks[from] ?? 0) < (ranks[to] ?? 0)));
  return round && `nothing bounds how often ${nameOf(graph, round.to)} follows ${nameOf(graph, round.from)}`;
}

/** `orders.refund`, `orders.*`, `*`. */
function matches(patterns: string[], name: string): boolean {
  return patterns.some((pattern) => (pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : pattern === name));
}

function nameOf({ places }: CertifiedGraph, place: number): string {
  return places[place]?.label ?? `place ${place}`;
}

function saysOf({ rule }: Claim): string {
  if (rule.kind === "forbidden-nodes") return `no step of the types ${rule.nodeTypes.join(", ")}`;
  if (rule.kind === "bounded-loops") return "every loop and every cycle ends by itself";
  const review = rule.role === undefined ? "a review" : `a review by ${rule.role}`;
  const what = rule.kind === "review-before" ? rule.target : rule.sinks;
  const of = what === undefined ? "what acts outside" : canonical(what as Json); // cast: as above
  if (rule.kind === "review-before") return `no way to ${of} without ${review}`;
  return `nothing untrusted reaches ${of} without ${review}`;
}
