import type { Problem } from "@oven/contract";
import type { GraphPolicy, GraphPolicyRule, WorstCase } from "@oven/contract/workflow";
import { findUnbounded } from "./bounded-loops.ts";
import type { Finding } from "./finding.ts";
import type { GraphFacts } from "./graph-facts.ts";
import type { PlacedCall, PolicyGraph } from "./policy-graph.ts";
import { findUnreviewed } from "./review-before.ts";
import { findUnscored, type LiveScores, type ScoresRule } from "./scores.ts";
import { matchesName } from "./targets.ts";
import { findUntrusted } from "./untrusted-flow.ts";
import { findExceeded } from "./worst-case.ts";

export type AppliedPolicy = Pick<GraphPolicy, "name" | "severity" | "rule">;

/** What some rules ask for beyond the graph, when they are there. */
export interface Evidence {
  /** What a run of the definition needs at most. */
  worst?: () => Promise<WorstCase>;
  /** Scores of the live version; absent: nothing is published here. */
  scores?: (rule: ScoresRule) => Promise<LiveScores | undefined>;
}

/**
 * Violations of policies in a graph, as problems with the rule `policy`.
 * @param standing ids of the states from which a run continues at a checkpoint: reviews before them do not count
 * @param evidence asked only where a policy is about it
 */
export async function checkPolicies(
  graph: PolicyGraph,
  policies: readonly AppliedPolicy[],
  facts: GraphFacts,
  tenantId: number,
  standing: readonly string[] = [],
  evidence: Evidence = {},
): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const { name, severity, rule } of policies) {
    for (const { path, message, fix } of await findingsOf(graph, rule, facts, tenantId, standing, evidence))
      problems.push({ path, rule: "policy", message: `Policy "${name}": ${message}`, fix, severity });
  }
  return problems;
}

/** What one rule has against a graph. @param standing as for `checkPolicies` */
export async function findingsOf(
  graph: PolicyGraph,
  rule: GraphPolicyRule,
  facts: GraphFacts,
  tenantId: number,
  standing: readonly string[],
  { worst, scores }: Evidence,
): Promise<Finding[]> {
  switch (rule.kind) {
    case "review-before":
      return findUnreviewed(graph, rule, facts, standing);
    case "untrusted-flow":
      return findUntrusted(graph, rule, facts, standing);
    case "bounded-loops":
      return findUnbounded(graph, rule);
    case "worst-case":
      if (worst === undefined) throw new Error("a policy bounds the worst case, and nothing says what that is");
      return findExceeded(rule, await worst());
    case "scores":
      return scores === undefined ? [] : findUnscored(rule, await scores(rule));
    case "past-runs":
      // Says nothing about a graph by itself: it is asked when a version is published.
      return [];
    default: {
      const found: Finding[] = [];
      for (const { path, label, call } of graph.places) {
        const message = call && (await callFinding(rule, call, facts, tenantId));
        if (message !== undefined) found.push({ path, message: `${message}: ${label}`, fix: "Choose another one." });
      }
      return found;
    }
  }
}

/** What a rule about single calls has against one, whether it is drawn or about to be made. */
export async function callFinding(
  rule: GraphPolicyRule,
  { src, input, agentConfig, expanded }: Pick<PlacedCall, "src" | "input" | "agentConfig" | "expanded">,
  facts: GraphFacts,
  tenantId: number,
): Promise<string | undefined> {
  if (rule.kind === "forbidden-nodes")
    return matchesName(rule.nodeTypes, src) ? `the node type ${src} is not allowed` : undefined;
  if (rule.kind !== "allowed-models" || expanded) return undefined;
  const model = facts.model(src, input, agentConfig);
  if (model === undefined || matchesName(rule.models, model)) return undefined;
  const resolved = await facts.resolveModel(model, tenantId);
  if (resolved !== undefined && matchesName(rule.models, resolved)) return undefined;
  return `the model ${model}${resolved === undefined || resolved === model ? "" : ` (${resolved})`} is not allowed`;
}
