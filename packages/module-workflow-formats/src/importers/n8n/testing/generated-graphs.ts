import type { Json, JsonObject } from "@oven/contract";
import type { GeneratedDocument, GeneratedGraph, GraphGenerator } from "../../../importing/testing/graph-generator.ts";
import type { Random } from "../../../importing/testing/random.ts";
import { generateMerge } from "./generated-merges.ts";
import { generateHelper, generateNode, generateTrigger } from "./generated-nodes.ts";

const NAMES = [
  "A",
  "B",
  "Check",
  "Work",
  "Report",
  "Ask again",
  "Größe",
  "Loop",
  "Split",
  "Call it",
  "Save",
  "Mail",
  "End",
];
/** Names that programs trip over, and such as states and connections are made of. */
const ODD_NAMES = [
  ...["constructor", "toString", "__proto__", "hasOwnProperty", " ", "a", "A ", "start", "done", "trigger", "item"],
  ...["A output", "a_error", "x#choice", "A.main[0][0]", "#result", "日本", "🦊", "work", "the end", "$.nodes[1]"],
];

/** n8n finds nodes by name. A name is free until it is taken, but for a few that are doubled. */
function nameFor(random: Random, taken: Set<string>): string {
  for (;;) {
    const name = random.chance(15)
      ? random.pick(ODD_NAMES)
      : `${random.pick(NAMES)}${random.chance(20) ? random.below(3) : ""}`;
    if (taken.has(name) && !random.chance(1)) continue;
    taken.add(name);
    return name;
  }
}

const outputsAt = (node: JsonObject | undefined): number => Number(node?.outputs ?? 1);

function generate(random: Random): GeneratedGraph {
  const taken = new Set<string>();
  const nodes: JsonObject[] = [];
  const add = (make: (name: string) => JsonObject) => {
    const node = make(nameFor(random, taken));
    nodes.push(node);
    return String(node.name);
  };
  const triggers = random.chance(70) ? 1 : random.pick([0, 2, 2, 3]);
  const starts = Array.from({ length: triggers }, () => add((name) => generateTrigger(random, name)));
  const others = () => nodes.map(({ name }) => String(name));
  const steps = Array.from({ length: random.between(1, 12) }, () =>
    add((name) => generateNode(random, name, others())),
  );
  const edges: JsonObject[] = [];
  const link = (from: string, output: number, to: string, input = 0) =>
    edges.push({ from, kind: "main", output, to, input });
  const anyOutput = (name: string) => random.below(outputsAt(nodes.find((node) => node.name === name)));
  for (const start of starts)
    if (random.chance(95)) link(start, anyOutput(start), random.chance(75) ? (steps[0] ?? start) : random.pick(steps));
  // A tree, so that most can be come to; then ways across it and back.
  for (const [index, step] of steps.entries()) {
    if (index === 0 || random.chance(8)) continue;
    const from = random.chance(50) ? (steps[index - 1] ?? step) : random.pick(steps.slice(0, index));
    link(from, anyOutput(from), step, random.chance(10) ? 1 : 0);
  }
  for (let more = random.below(steps.length + 2); more > 0; more -= 1) {
    const from = random.chance(92) ? random.pick(steps) : random.pick(others());
    const output = random.chance(96) ? anyOutput(from) : random.below(5);
    const to = random.chance(94) ? random.pick(steps) : random.chance(50) ? random.pick(others()) : "nobody";
    link(from, output, to, random.chance(20) ? 1 : 0);
  }
  for (const step of steps) {
    const type = String(nodes.find(({ name }) => name === step)?.type);
    if (!/langchain/.test(type) || !random.chance(70)) continue;
    const kind = random.pick(["ai_languageModel", "ai_languageModel", "ai_tool", "ai_memory", "ai_outputParser"]);
    const helper = add((name) => generateHelper(name, kind));
    edges.push({ from: helper, kind, output: 0, to: step, input: 0 });
    if (random.chance(4)) link(random.pick(steps), 0, helper);
  }
  if (random.chance(25)) add((name) => ({ name, type: "n8n-nodes-base.stickyNote", parameters: { content: "Hi" } }));
  // Documents of seeds that once found something draw more than this, and so stay as they were.
  return random.below(100) < 29 ? withMore(random, { nodes, edges }, steps) : { nodes, edges };
}

/** The same with a fork of which one way leads back, and a Merge of two of its steps in any mode. */
function withMore(random: Random, { nodes, edges }: GeneratedGraph, steps: readonly string[]): GeneratedGraph {
  const [from, aside, back] = [random.pick(steps), random.pick(steps), random.pick(steps)];
  const to = (start: string, end: string, output = 0, input = 0) => ({
    from: start,
    kind: "main",
    output,
    to: end,
    input,
  });
  const more: JsonObject[] = [to(from, aside), to(from, back), to(back, from, random.below(2))];
  const { parameters, typeVersion } = generateMerge(random, ["x", "y", "a.b"]);
  const refused: JsonObject = random.chance(15) ? { options: { fuzzyCompare: true } } : {};
  const name = `Merged ${random.below(9)}`;
  if (nodes.some((node) => node.name === name)) return { nodes, edges: [...edges, ...more] };
  const merge = { name, type: "n8n-nodes-base.merge", typeVersion, position: [0, 0], outputs: 1 };
  const sides = [to(random.pick(steps), name, random.below(2)), to(random.pick(steps), name, 0, 1)];
  const onward = random.chance(70) ? [to(name, random.pick(steps))] : [];
  return {
    nodes: [...nodes, { ...merge, parameters: { ...parameters, ...refused } }],
    edges: [...edges, ...more, ...sides, ...onward],
  };
}

function describe({ nodes, edges }: GeneratedGraph): GeneratedDocument {
  const connections = new Map<string, Map<string, Json[][]>>();
  const links: GeneratedDocument["links"][number][] = [];
  const names = new Set(nodes.map(({ name }) => String(name)));
  for (const { from, kind, output, to, input } of edges) {
    const kinds = connections.get(String(from)) ?? new Map<string, Json[][]>();
    connections.set(String(from), kinds);
    const outputs = kinds.get(String(kind)) ?? [];
    kinds.set(String(kind), outputs);
    while (outputs.length <= Number(output)) outputs.push([]);
    const list = outputs[Number(output)] ?? [];
    list.push({ node: to ?? null, type: kind ?? null, index: input ?? null });
    const path = `$.connections.${String(from)}.${String(kind)}[${String(output)}][${list.length - 1}]`;
    if (kind === "main" && names.has(String(to))) links.push({ from: String(from), to: String(to), path });
  }
  const document: JsonObject = {
    name: "Generated",
    nodes: nodes.map(({ outputs: _, ...node }) => node),
    connections: Object.fromEntries(
      [...connections].map(([name, kinds]) => [
        name,
        Object.fromEntries([...kinds].map(([kind, list]) => [kind, list])),
      ]),
    ),
  };
  const isTrigger = ({ type }: JsonObject) => /trigger$|\.webhook$/i.test(String(type));
  const starts = nodes.filter((node) => isTrigger(node) && node.disabled !== true).map(({ name }) => String(name));
  const isHelper = (name: Json | undefined) => edges.some(({ from, kind }) => from === name && kind !== "main");
  const steps = nodes.flatMap((node, index): [string, string][] =>
    isTrigger(node) || isHelper(node.name) || /stickyNote$/.test(String(node.type))
      ? []
      : [[String(node.name), `$.nodes[${index}]`]],
  );
  return { document, starts, links, steps: new Map(steps.toReversed()) };
}

/** Random workflows of n8n with triggers, forks, loops, several outputs and what is out of order. */
export const graphs: GraphGenerator = { product: "n8n", generate, describe };
