import type { JsonObject } from "@oven/contract";
import { done } from "@oven/module-registry";
import type { GeneratedRun, RunGenerator } from "../../../importing/testing/compare-runs.ts";
import type { Random } from "../../../importing/testing/random.ts";
import type { RunResult } from "../../../importing/testing/run-imported.ts";
import { type Choose, choicesOf, runLangGraph } from "./reference-langgraph.ts";

const START = "__start__";
const END = "__end__";

/** Without a way back several ways may be gone at once; with ways back one is. */
function generateEdges(random: Random, steps: readonly string[], goesBack: boolean): JsonObject[] {
  const edges: JsonObject[] = [];
  const link = (source: string, target: string, conditional: boolean) => {
    if (edges.some((edge) => edge.source === source && edge.target === target)) return;
    edges.push({ source, target, ...(conditional ? { conditional: true } : {}) });
  };
  link(START, steps[0] ?? END, false);
  for (const [index, step] of steps.entries()) {
    const later = steps.slice(index + 1, index + 4);
    const count = later.length === 0 ? 0 : random.between(1, goesBack ? 2 : 3);
    const isChoice = goesBack || random.chance(40);
    const alone = random.chance(50);
    for (let more = 0; more < count; more += 1)
      link(step, random.pick(later), goesBack ? !alone || count > 1 : isChoice && more > 0);
    if (goesBack && random.chance(35)) link(step, random.pick(steps.slice(0, index + 1)), true);
    // The last choice of all leads on or ends.
    if (count === 0 || (goesBack && edges.some((edge) => edge.source === step && edge.conditional === true)))
      link(
        step,
        END,
        edges.some((edge) => edge.source === step),
      );
  }
  return edges;
}

/** Of the edges of a step: both kinds together are gone along at once. */
const kindsOf = (edges: readonly JsonObject[], step: string): boolean[] =>
  edges
    .filter(({ source, target }) => source === step && target !== END)
    .map(({ conditional }) => conditional === true);

function generateRun(random: Random): GeneratedRun {
  const goesBack = random.chance(40);
  const steps = Array.from(
    { length: random.between(2, 9) },
    (_, index) => `${random.pick(["agent", "tools", "constructor"])} ${index}`,
  );
  const edges = generateEdges(random, steps, goesBack);
  const isOneWay = !steps.some((step) => new Set(kindsOf(edges, step)).size > 1);
  const document: JsonObject = { nodes: [START, ...steps, END].map((id) => ({ id })), edges };
  const wanted = new Map(steps.map((step) => [step, [random.below(3), random.below(3), random.below(3)]]));
  // From the third time on the last one, which ends.
  const choose: Choose = (node, visit, count) =>
    goesBack && visit >= 2 ? count - 1 : (wanted.get(node)?.[goesBack ? visit : 0] ?? 0) % count;
  const visits = new Map<string, number>();
  return {
    document,
    input: {},
    reference: () => runLangGraph(document, choose),
    placeholder: {
      run: (call) => {
        const node = String((call.input as JsonObject).name); // cast: as the importer writes it
        const visit = visits.get(node) ?? 0;
        visits.set(node, visit + 1);
        const choices = choicesOf(document, node);
        return done({
          branch: choices.length === 0 ? "" : String(choices[choose(node, visit, choices.length)]?.target),
        });
      },
    },
    // A node that several ways come to at once runs once here, after all of them, and there once for each that comes later; the report says so.
    compared: ({ status, steps: ran }: RunResult) => ({
      status,
      ran: [...ran].map(([name, times]) => (goesBack && isOneWay ? `${name} ${times.length}` : name)).sort(),
    }),
  };
}

/** Graphs of LangGraph, with what each of their functions chooses. */
export const runs: RunGenerator = { product: "langgraph", generateRun };
