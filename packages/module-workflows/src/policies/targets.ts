import type { PolicyTarget } from "@oven/contract/workflow";
import type { Deciders, GraphFacts } from "./graph-facts.ts";
import type { PlacedCall } from "./policy-graph.ts";
import { isReviewedBy } from "./reach.ts";

/** `orders.refund`, `orders.*`, `*`. */
export function matchesName(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => (pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : pattern === name));
}

/**
 * The parts of a target that a node may call without a review, as they are shown: `core.http`, `the tool orders.refund`. Calls of models have no
 * effect outside and are matched by the kind of the node.
 */
export function hitsOf(
  target: PolicyTarget,
  { src, node, input, agentConfig, expanded }: PlacedCall,
  facts: GraphFacts,
  role: string | undefined,
): string[] {
  if (expanded) return target.nodeTypes !== undefined && matchesName(target.nodeTypes, src) ? [src] : [];
  const called = facts.tools(src, input, agentConfig);
  const acts = called === undefined && node.kind !== "model" && node.kind !== "flow";
  const own =
    (target.nodeTypes !== undefined && matchesName(target.nodeTypes, src)) ||
    (target.tools !== undefined && called === undefined && matchesName(target.tools, src)) ||
    target.tags?.some((tag) => node.tags?.includes(tag)) ||
    (acts && target.effects?.includes(node.effect));
  const tools = (called?.tools ?? []).filter(
    (tool) =>
      (target.tools !== undefined && matchesName(target.tools, tool.id)) ||
      target.tags?.some((tag) => tool.tags.includes(tag)) ||
      target.effects?.includes(tool.effect),
  );
  const asked = (deciders: Deciders) => isReviewedBy(deciders, role);
  const unasked = tools.filter((tool) => !tool.needsApproval || !asked(called?.deciders ?? null));
  return [...(own ? [src] : []), ...unasked.map(({ id }) => `the tool ${id}`)];
}
