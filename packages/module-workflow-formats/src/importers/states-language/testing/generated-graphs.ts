import type { JsonObject } from "@oven/contract";
import type { GeneratedDocument, GeneratedGraph, GraphGenerator } from "../../../importing/testing/graph-generator.ts";
import type { Random } from "../../../importing/testing/random.ts";

const NAMES = ["Do it", "constructor", "toString", "Done", "data", "begin", "日本", "no choice", "a.b"];

/** What is done in each round and branch. */
const INNER: JsonObject = {
  StartAt: "In",
  States: {
    In: { Type: "Pass", Next: "Ask" },
    Ask: {
      Type: "Choice",
      Choices: [
        { Variable: "$.x", IsPresent: true, Next: "Out" },
        { Variable: "$.y", IsNull: true, Next: "Call" },
      ],
    },
    Call: { Type: "Task", Resource: "arn", Catch: [{ ErrorEquals: ["States.ALL"], Next: "Out" }], End: true },
    Out: { Type: "Succeed" },
  },
};

function generate(random: Random): GeneratedGraph {
  const count = random.between(1, 9);
  const names = new Set<string>();
  while (names.size < count) names.add(random.chance(20) ? random.pick(NAMES) : `State ${names.size}`);
  const list = [...names];
  const nodes: JsonObject[] = [];
  const edges: JsonObject[] = [];
  for (const [index, name] of list.entries()) {
    const type = random.pick(["Pass", "Pass", "Task", "Choice", "Wait", "Succeed", "Fail", "Map", "Parallel"]);
    nodes.push({ name, Type: type, odd: random.chance(15) });
    const next = () => random.pick(random.chance(85) ? list.slice(index).concat(list[index + 1] ?? name) : list);
    if (type === "Succeed" || type === "Fail") continue;
    const to = type === "Choice" || index === count - 1 || random.chance(90) ? (list[index + 1] ?? "") : next();
    if (to !== "") edges.push({ from: name, to, as: type === "Choice" ? "Default" : "Next" });
    if (type === "Choice")
      for (let more = random.between(1, 3); more > 0; more -= 1) edges.push({ from: name, to: next(), as: "Choices" });
    if (["Task", "Map", "Parallel"].includes(type) && random.chance(40))
      edges.push({ from: name, to: next(), as: "Catch" });
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
      ...(Type === "Map" ? { ItemProcessor: INNER, ...(odd === true ? { ItemReader: {} } : {}) } : {}),
      ...(Type === "Parallel" ? { Branches: [INNER, INNER], ...(odd === true ? { Retry: [] } : {}) } : {}),
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
  for (const { name, Type } of nodes) {
    const where = Type === "Map" ? ["ItemProcessor"] : Type === "Parallel" ? ["Branches[0]", "Branches[1]"] : [];
    for (const inner of where.map((one) => `$.States.${String(name)}.${one}`)) {
      const of = (state: string) => `${inner}.States.${state}`;
      for (const state of ["In", "Ask", "Call", "Out"]) steps.set(of(state), of(state));
      links.push({ from: String(name), to: of("In"), path: `${inner}.StartAt` });
      links.push({ from: of("In"), to: of("Ask"), path: `${of("In")}.Next` });
      links.push({ from: of("Ask"), to: of("Out"), path: `${of("Ask")}.Choices[0].Next` });
      links.push({ from: of("Ask"), to: of("Call"), path: `${of("Ask")}.Choices[1].Next` });
      links.push({ from: of("Call"), to: of("Out"), path: `${of("Call")}.Catch[0].Next` });
    }
  }
  return { document: { StartAt: start, States }, starts: [start], links, steps };
}

/** Random state machines with choices, catches and ways back. */
export const graphs: GraphGenerator = { product: "states-language", generate, describe };
