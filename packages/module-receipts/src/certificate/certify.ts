import { isOvenError, type Json } from "@oven/contract";
import type { GraphPolicy, GraphPolicyRule } from "@oven/contract/workflow";
import {
  findingsOf,
  type GraphFacts,
  hitsOf,
  type PinnedRun,
  type Place,
  type PolicyGraph,
  type PolicyService,
  reachUnreviewed,
  sinkHits,
  untrustedStarts,
} from "@oven/module-workflows";
import { type Certificate, type Claim, checkCertificate } from "@oven/receipts";
import { Numbered } from "./numbered-graph.ts";
import { rankPlaces } from "./rank-places.ts";

/** A certificate has the whole graph: one of more places is not made. */
const MAX_PLACES = 5_000;

/** Rules that say something of a graph by itself. */
const CERTIFIABLE: ReadonlySet<GraphPolicyRule["kind"]> = new Set([
  "review-before",
  "untrusted-flow",
  "bounded-loops",
  "forbidden-nodes",
]);

/**
 * What can be proved of the tenant's policies for the version that a run is pinned to, with the versions that it called.
 * @returns null: the tenant has no policies, or the graph is too large to be checked
 */
export async function certify(
  policies: Pick<PolicyService, "rows" | "graph" | "factsOf">,
  { row, pinned }: PinnedRun,
): Promise<Certificate | null> {
  const { tenantId, principal, pinnedCalls } = row;
  const enabled = await policies.rows.enabled(tenantId);
  if (enabled.length === 0) return null;
  const { definition } = pinned;
  const pins = pinnedCalls ?? {};
  const graph = await orNull(() => policies.graph({ ...principal, tenantId }, definition, { pins }));
  if (graph === null || graph.places.length > MAX_PLACES) return null;
  const facts = policies.factsOf(tenantId);
  const numbered = new Numbered(graph);
  const claims: Claim[] = [];
  const left: Certificate["left"] = [];
  for (const policy of enabled) {
    const made = await claimOf(policy, { graph, facts, numbered, tenantId });
    if ("why" in made) left.push({ policy: policy.name, why: made.why });
    else claims.push(made);
  }
  return checked({
    ...{ format: "oven-certificate", version: 1, definition: definition as Json },
    ...{ graph: numbered.toJson(), claims, left },
  });
}

interface Certified {
  graph: PolicyGraph;
  facts: GraphFacts;
  numbered: Numbered;
  tenantId: number;
}

async function claimOf({ name: policy, rule }: GraphPolicy, about: Certified): Promise<Claim | { why: string }> {
  if (!CERTIFIABLE.has(rule.kind)) return { why: `a rule of the kind ${rule.kind} is about more than the graph` };
  const { graph, facts, numbered, tenantId } = about;
  const [finding] = await findingsOf(graph, rule, facts, tenantId, [], {});
  if (finding !== undefined) return { why: `it does not hold: ${finding.message}` };
  const which = (isOne: (place: Place) => boolean) => numbered.of(graph.places.filter(isOne));
  switch (rule.kind) {
    case "review-before": {
      const { kind, target, role } = rule;
      return {
        ...{ policy, rule: { kind, target, ...(role === undefined ? {} : { role }) } },
        targets: which(({ part, call }) => part === "state" && !!call && hitsOf(target, call, facts, role).length > 0),
        reachable: numbered.of(reachUnreviewed([graph.start], role).keys()),
      };
    }
    case "untrusted-flow": {
      const { kind, sinks, role } = rule;
      const { sources, first } = untrustedStarts(graph, facts);
      const optional = { ...(sinks === undefined ? {} : { sinks }), ...(role === undefined ? {} : { role }) };
      return {
        ...{ policy, rule: { kind, ...optional }, sources: numbered.of(sources), starts: numbered.of(first.keys()) },
        targets: which((place) => sinkHits(place, sinks, facts, role).length > 0),
        reachable: numbered.of(reachUnreviewed([...first.keys()], role).keys()),
      };
    }
    case "bounded-loops": {
      const ranks = rankPlaces(graph);
      if (ranks === undefined) return { why: "counters bound its cycles, which a certificate cannot show" };
      return { policy, rule: { kind: rule.kind, ...most(rule.maxIterations) }, ranks };
    }
    case "forbidden-nodes":
      return { policy, rule };
    default:
      throw new Error(`${rule.kind} was looked at above`);
  }
}

function most(maxIterations: number | undefined): { maxIterations?: number } {
  return maxIterations === undefined ? {} : { maxIterations };
}

/** What the checker would refuse is not signed: a claim that fails is left out and says so. */
function checked(certificate: Certificate): Certificate | null {
  const { problems, claims } = checkCertificate(certificate);
  const [first] = problems;
  const failed = certificate.claims.flatMap(({ policy }, index) => {
    const why = first ?? claims[index]?.problem;
    return why === undefined ? [] : [{ policy, why: `it cannot be shown by the graph alone: ${why}` }];
  });
  if (first !== undefined) return null;
  const names = new Set(failed.map(({ policy }) => policy));
  return {
    ...certificate,
    claims: certificate.claims.filter(({ policy }) => !names.has(policy)),
    left: [...certificate.left, ...failed],
  };
}

async function orNull<T>(find: () => Promise<T>): Promise<T | null> {
  try {
    return await find();
  } catch (error) {
    if (isOvenError(error) && error.code === "POLICY_UNDECIDED") return null;
    throw error;
  }
}
