import type { JsonObject } from "@oven/contract";
import type { GeneratedDocument, GeneratedGraph, GraphGenerator } from "../../../importing/testing/graph-generator.ts";
import type { Random } from "../../../importing/testing/random.ts";
import { generateNode, handlesOf } from "./generated-nodes.ts";

const ODD_IDS = ["constructor", "toString", "__proto__", "n1#after", "#result", "sys", "env", "a.b", " ", "日本"];

const isMany = ({ data }: JsonObject): boolean => /^(iteration|loop)$/.test(typeIn(data));
const typeIn = (data: JsonObject[string] | undefined): string => String((data as JsonObject | undefined)?.type); // cast: nodes have data

function generate(random: Random): GeneratedGraph {
  const nodes: JsonObject[] = [];
  const edges: JsonObject[] = [];
  const isChat = random.chance(35);
  const add = (data: JsonObject, parentId?: string): JsonObject => {
    const odd = random.pick(ODD_IDS);
    const isFree = nodes.every(({ id }) => id !== odd);
    const id = isFree && random.chance(6) ? odd : `n${nodes.length}`;
    const title = random.chance(8)
      ? random.pick(["Start", "Done", "constructor", "", "result", "Reply"])
      : `${String(data.type)} ${id}`;
    const node: JsonObject = { id, ...(parentId === undefined ? {} : { parentId }), data: { title, ...data } };
    nodes.push(node);
    return node;
  };
  const link = (from: JsonObject, to: JsonObject, handle = random.pick(handlesOf(from))) =>
    edges.push({ source: from.id ?? "", target: to.id ?? "", sourceHandle: handle });
  const others = () => nodes.map(({ id }) => String(id));
  const variables = ["x", "y"].map((variable) => ({
    variable,
    type: random.pick(["text-input", "number"]),
    required: random.chance(50),
  }));
  const start = add({ type: "start", variables });
  /** Steps in one place: at the top, or in a loop. */
  const fill = (first: JsonObject, count: number, parent?: JsonObject): void => {
    const around = parent === undefined ? undefined : String(parent.id);
    const inner = around === undefined ? undefined : typeIn(parent?.data);
    const steps = Array.from({ length: count }, () =>
      add(generateNode(random, { others: others(), isChat, inner }), around),
    );
    for (const [index, step] of steps.entries()) {
      if (index > 0 && random.chance(7)) continue;
      const before =
        index === 0
          ? first
          : random.chance(50)
            ? (steps[index - 1] ?? first)
            : random.pick([first, ...steps.slice(0, index)]);
      link(before, step);
    }
    for (let more = random.below(count + 1); more > 0; more -= 1)
      link(random.pick(steps), random.chance(97) ? random.pick(steps) : random.pick(nodes));
    if (around === undefined) for (const step of steps.filter(isMany)) if (nodes.length < 14) open(step);
  };
  const open = (loop: JsonObject): void => {
    if (random.chance(5)) return;
    const begin = add({ type: `${typeIn(loop.data)}-start` }, String(loop.id));
    fill(begin, random.between(1, 3), loop);
  };
  fill(start, random.between(1, 10));
  if (random.chance(15))
    nodes.push({ id: `n${nodes.length}`, type: "custom-note", data: { type: "", title: "", text: "Hi" } });
  return { nodes: isChat ? nodes.map((node) => ({ ...node, chat: true })) : nodes, edges };
}

function describe({ nodes, edges }: GeneratedGraph): GeneratedDocument {
  const links = edges.map(({ source, target }, index) => ({
    ...{ from: String(source), to: String(target), path: `$.workflow.graph.edges[${index}]` },
  }));
  const within = nodes.flatMap(({ id, parentId, data }, index) =>
    /-start$/.test(typeIn(data)) && typeof parentId === "string"
      ? [{ from: parentId, to: String(id), path: `$.workflow.graph.nodes[${index}]` }]
      : [],
  );
  const steps = nodes.flatMap(({ id, type, data }, index): [string, string][] =>
    type === "custom-note" || /(^|-)start$/.test(typeIn(data))
      ? []
      : [[String(id), `$.workflow.graph.nodes[${index}]`]],
  );
  const mode = nodes.some(({ chat }) => chat === true) ? "advanced-chat" : "workflow";
  const conversation_variables = [{ name: "seen", value_type: "string", value: "" }];
  const document: JsonObject = {
    ...{ kind: "app", app: { name: "Generated", mode } },
    workflow: {
      conversation_variables,
      graph: { nodes: nodes.map(({ chat: _, ...node }) => node), edges: [...edges] },
    },
  };
  const starts = nodes.filter(({ data }) => typeIn(data) === "start").map(({ id }) => String(id));
  return { document, starts, links: [...links, ...within], steps: new Map(steps) };
}

/** Random apps of Dify with branches, loops and several ends. */
export const graphs: GraphGenerator = { product: "dify", generate, describe };
