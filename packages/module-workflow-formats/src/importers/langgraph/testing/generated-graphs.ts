import type { JsonObject } from "@oven/contract";
import type { GeneratedDocument, GeneratedGraph, GraphGenerator } from "../../../importing/testing/graph-generator.ts";
import type { Random } from "../../../importing/testing/random.ts";

const START = "__start__";
const END = "__end__";
const NAMES = ["agent", "tools", "plan", "search", "write", "check", "revise", "research:search", "research:read"];
const ODD_NAMES = [
  "constructor",
  "toString",
  "__proto__",
  "a#choice",
  "agent#choice",
  "Agent",
  "done",
  " ",
  "日本",
  "the end",
  "item",
];

function generate(random: Random): GeneratedGraph {
  const ids = new Set<string>();
  const wanted = random.between(1, 12);
  while (ids.size < wanted)
    ids.add(
      random.chance(15) ? random.pick(ODD_NAMES) : `${random.pick(NAMES)}${random.chance(40) ? random.below(4) : ""}`,
    );
  const steps = [...ids];
  const nodes: JsonObject[] = [START, ...steps, END].map((id) => ({
    ...{ id, type: "runnable" },
    ...(random.chance(5) ? { metadata: { __interrupt: "before" } } : {}),
  }));
  const edges: JsonObject[] = [];
  const link = (source: string, target: string, percent = 35) =>
    edges.push({
      ...{ source, target },
      ...(random.chance(percent) ? { conditional: true } : {}),
      ...(random.chance(25) ? { data: random.pick(["yes", "no", "again", "tools"]) } : {}),
    });
  link(START, steps[0] ?? END, 20);
  for (const [index, step] of steps.entries()) {
    if (index === 0 || random.chance(5)) continue;
    link(
      random.chance(40) ? (steps[index - 1] ?? step) : random.chance(10) ? START : random.pick(steps.slice(0, index)),
      step,
    );
  }
  for (let more = random.below(steps.length + 2); more > 0; more -= 1)
    link(random.chance(92) ? random.pick(steps) : START, random.chance(90) ? random.pick(steps) : END, 50);
  for (const step of steps) if (random.chance(35)) link(step, END);
  return { nodes, edges };
}

function describe({ nodes, edges }: GeneratedGraph): GeneratedDocument {
  const names = nodes.map(({ id }) => String(id));
  return {
    document: { nodes: [...nodes], edges: [...edges] },
    starts: [START],
    links: edges.map(({ source, target }, index) => ({
      from: String(source),
      to: String(target),
      path: `$.edges[${index}]`,
    })),
    steps: new Map(
      names.flatMap((id, index): [string, string][] => (id === START || id === END ? [] : [[id, `$.nodes[${index}]`]])),
    ),
  };
}

/** Random graphs of LangGraph with forks, choices and loops. */
export const graphs: GraphGenerator = { product: "langgraph", generate, describe };
