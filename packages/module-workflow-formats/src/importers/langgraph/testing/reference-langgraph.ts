import type { Json, JsonObject } from "@oven/contract";
import type { RunResult } from "../../../importing/testing/run-imported.ts";

interface Edge {
  source: string;
  target: string;
  conditional?: boolean;
}

/** Which of its conditional edges a node goes along, by how often it has run before. */
export type Choose = (node: string, visit: number, count: number) => number;

/** The conditional edges of a node, in the order of the document. */
export const choicesOf = (document: JsonObject, node: string): Edge[] =>
  (document.edges as unknown as Edge[]).filter(({ source, conditional }) => source === node && conditional === true); // cast: generated

/**
 * What LangGraph documents for its graphs: in each step all nodes run at once that an edge of the step before leads to, each of them
 * once; a node goes on along all edges that always hold, and along the conditional one that is chosen.
 */
export function runLangGraph(document: JsonObject, choose: Choose): RunResult {
  const edges = document.edges as unknown as Edge[]; // cast: generated
  const visits = new Map<string, number>();
  const steps = new Map<string, Json[]>();
  const after = (node: string): string[] => {
    const always = edges.filter(({ source, conditional }) => source === node && conditional !== true);
    const choices = choicesOf(document, node);
    const visit = visits.get(node) ?? 0;
    visits.set(node, visit + 1);
    const chosen = choices.length === 0 ? [] : [choices[choose(node, visit, choices.length)]];
    return [...always, ...chosen].flatMap((edge) =>
      edge === undefined || edge.target === "__end__" ? [] : [edge.target],
    );
  };
  let active = new Set(after("__start__"));
  while (active.size > 0) {
    const next: string[] = [];
    for (const node of active) {
      steps.set(node, [...(steps.get(node) ?? []), null]);
      next.push(...after(node));
    }
    active = new Set(next);
  }
  return { status: "completed", output: undefined, steps };
}
