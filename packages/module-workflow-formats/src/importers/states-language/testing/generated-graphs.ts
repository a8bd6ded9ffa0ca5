import type { JsonObject } from "@oven/contract";
import type { GeneratedDocument, GeneratedGraph, GraphGenerator } from "../../../importing/testing/graph-generator.ts";
import type { Random } from "../../../importing/testing/random.ts";

const NAMES = ["Do it", "constructor", "toString", "Done", "data", "begin", "日本", "no choice", "a.b"];

function generate(random: Random): GeneratedGraph {
  const count = random.between(1, 9);
  const names = new Set<string>();
  while (names.size < count) names.add(random.chance(20) ? random.pick(NAMES) : `State ${names.size}`);
  const list = [...names];
  const nodes: JsonObject[] = [];
  const edges: JsonObject[] = [];
  for (const [index, name] of list.entries()) {
    const type = random.pick(["Pass", "Pass", "Task", "Choice", "Wait", "Succeed", "Fail", "Map"]);
    nodes.push({ name, Type: type, odd: random.chance(15) });
    const next = () => random.pick(random.chance(85) ? list.slice(index).concat(list[index + 1] ?? name) : list);
    if (type === "Succeed" || type === "Fail") continue;
    const to = type === "Choice" || index === count - 1 || random.chance(90) ? (list[index + 1] ?? "") : next();
    if (to !== "") edges.push({ from: name, to, as: type === "Choice" ? "Default" : "Next" });
    if (type === "Choice")
      for (let more = random.between(1, 3); more > 0; more -= 1) edges.push({ from: name, to: next(), as: "Choices" });
    if (type === "Task" && random.chance(40)) edges.push({ from: name, to: next(), as: "Catch" });
  }
  return { nodes, edges };
}

function describe({ nodes, edges }: GeneratedGraph): GeneratedDocument {
  const States: JsonObject = {};
  const links: { from: string; to: string; path: string }[] = [];
  const has = (name: string) => nodes.some((node) => node.name === name);
  for (const { name, Type, odd } of nodes) {
    const own = edges.filter(({ from, to }) => from === name && has(String(to)));
    const of = (as: string) => own.filter((edge) => edge.as === as).map(({ to }) => String(to));
    const [next] = of("Next");
    const [otherwise] = of("Default");
    const state: JsonObject = {
      ...{ Type: Type ?? "" },
      ...(next === undefined
        ? ["Choice", "Succeed", "Fail"].includes(String(Type))
          ? {}
          : { End: true }
        : { Next: next }),
      ...(otherwise === undefined ? {} : { Default: otherwise }),
      ...(Type === "Choice"
        ? {
            Choices: of("Choices").map((to) => ({
              Variable: odd === true ? "$..x" : "$.x",
              NumericEquals: 1,
              Next: to,
            })),
          }
        : {}),
      ...(of("Catch").length > 0
        ? { Catch: of("Catch").map((to) => ({ ErrorEquals: ["States.ALL"], Next: to })) }
        : {}),
      ...(Type === "Wait" ? { Seconds: 1 } : {}),
      ...(Type === "Pass" && odd === true ? { ResultPath: "$.x" } : {}),
      ...(Type === "Map" ? { ItemProcessor: { StartAt: "In", States: { In: { Type: "Pass", End: true } } } } : {}),
    };
    Object.defineProperty(States, String(name), { value: state, enumerable: true });
    const path = `$.States.${String(name)}`;
    const add = (to: string, at: string) => links.push({ from: String(name), to, path: `${path}.${at}` });
    if (next !== undefined) add(next, "Next");
    if (otherwise !== undefined) add(otherwise, "Default");
    for (const [index, to] of of("Choices").entries()) add(to, `Choices[${index}].Next`);
    for (const [index, to] of of("Catch").entries()) add(to, `Catch[${index}].Next`);
  }
  const start = String(nodes[0]?.name ?? "");
  const steps = new Map(nodes.map(({ name }) => [String(name), `$.States.${String(name)}`]));
  return { document: { StartAt: start, States }, starts: [start], links, steps };
}

/** Random state machines with choices, catches and ways back. */
export const graphs: GraphGenerator = { product: "states-language", generate, describe };
