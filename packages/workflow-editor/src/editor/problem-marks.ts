import type { Problem } from "@oven/contract";
import type { ProblemMark } from "../canvas/to-editor-flow.ts";
import type { GraphModel } from "../graph/graph-model.ts";

/** The node a place in the definition belongs to: the innermost one around it. */
export function nodeAtPath(path: string, model: GraphModel): string | null {
  let found: { id: string; length: number } | null = null;
  for (const node of model.nodes) {
    if (node.shape === "start" || node.shape === "missing") continue;
    const around = path === node.path || path.startsWith(`${node.path}.`) || path.startsWith(`${node.path}[`);
    if (around && node.path.length > (found?.length ?? 0)) found = { id: node.id, length: node.path.length };
  }
  return found?.id ?? null;
}

/** The worst of the problems in each node. */
export function markProblems(problems: readonly Problem[], model: GraphModel): Map<string, ProblemMark> {
  const marks = new Map<string, ProblemMark>();
  for (const { path, severity } of problems) {
    const id = nodeAtPath(path, model);
    if (id !== null && marks.get(id) !== "error") marks.set(id, severity);
  }
  return marks;
}
