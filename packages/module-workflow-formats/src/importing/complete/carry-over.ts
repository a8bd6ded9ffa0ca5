import type { Part, TangledFork } from "../graph/graph-parts.ts";
import { nodeOfPart } from "../graph/part-key.ts";
import type { ImportReporter } from "../import-reporter.ts";
import type { SourceEdge, SourceGraph, SourceNode } from "./source-graph.ts";

/**
 * Removes the parts that nothing leads to, bodies of loops and regions included, and reports each connection of a part that stays which none
 * of its ways goes along.
 * @param entry what runs begin with
 */
export function carryOver(
  { nodes, edges }: SourceGraph,
  parts: Map<string, Part>,
  entry: readonly string[],
  reporter: ImportReporter,
): void {
  const known = new Map(nodes.map((node) => [node.key, node]));
  const why = new Map(edges.map((edge) => [edge, whyLeftOut(edge, known, parts, entry)]));
  const seen = reachedFrom(entry, parts);
  for (const key of [...parts.keys()]) if (!seen.has(key)) parts.delete(key);
  for (const [{ from, to, path }, reason] of why) {
    const [first, second] = [known.get(from), known.get(to)];
    if (reason === undefined || (first?.kind === "step" && !parts.has(from))) continue;
    const name = `“${first?.name ?? from}” to “${second?.name ?? to}”`;
    reporter.element({ name, type: "connection", path }, "ignored", null, [reason]);
  }
}

/** Keys of all parts that runs may come to, those in loops and regions among them. */
export function reachedFrom(entry: readonly string[], parts: ReadonlyMap<string, Part>): Set<string> {
  const seen = new Set(entry);
  for (const key of seen) for (const next of targetsOf(key, parts)) seen.add(next);
  return seen;
}

function targetsOf(key: string, parts: ReadonlyMap<string, Part>): string[] {
  const part = parts.get(key);
  if (part === undefined) return [];
  const { loop, parallel = [], group } = part;
  const inner = [...(loop?.body.entry ?? []), ...(group?.entry ?? []), ...parallel.flatMap(({ entry }) => entry)];
  return [...part.ways.flatMap(({ targets }) => targets), ...(part.onError ?? []), ...inner];
}

function whyLeftOut(
  { from, to, isAside, leftOut }: SourceEdge,
  nodes: ReadonlyMap<string, SourceNode>,
  parts: ReadonlyMap<string, Part>,
  entry: readonly string[],
): string | undefined {
  const gone = [from, to].filter((key) => !nodes.has(key)).map((key) => `“${key}”`);
  if (gone.length > 0) return `There is no node ${gone.join(" and no node ")}.`;
  const [first, second] = [nodes.get(from), nodes.get(to)];
  if (isAside === true || second?.kind === "end") return undefined;
  if (second?.kind === "aside") return `“${second.name}” belongs to other steps: no run comes to it.`;
  if (second?.kind === "start") return `“${second.name}” is where runs begin: nothing leads to it.`;
  const isStart = first?.kind === "start";
  if (isStart && !parts.has(from)) return undefined;
  if (first?.kind === "aside") return `“${first.name}” belongs to other steps: no run goes on from it.`;
  if (leftOut !== undefined) return leftOut;
  const seen = new Set([...targetsOf(from, parts), ...(isStart ? entry : [])]);
  for (const key of seen) if (!nodes.has(key)) for (const next of targetsOf(key, parts)) seen.add(next);
  return seen.has(to) ? undefined : "The step here has no such way out, so it never goes on there.";
}

/** Where in the document a fork begins, so that several of one node have places of their own. */
export function pathOfFork({ nodes, edges }: SourceGraph, { from, targets }: TangledFork, end: string): string {
  const known = new Map(nodes.map((node) => [node.key, node]));
  const [origin, target] = [nodeOfPart(from), nodeOfPart(targets[0] ?? "")];
  const isHere = (edge: SourceEdge) => {
    const start = known.get(edge.from);
    return (origin !== "" && edge.from === origin) || (start?.kind === "start" && (start.of ?? "") === origin);
  };
  const own = edges.filter(isHere);
  const edge = own.find(({ to }) => to === target) ?? own[0];
  return edge === undefined ? "$" : `${edge.path}.${end}`;
}
