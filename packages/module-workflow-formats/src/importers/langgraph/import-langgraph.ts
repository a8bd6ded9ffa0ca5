import { type Json, JsonSchema } from "@oven/contract";
import { isObject } from "@oven/engine";
import { z } from "zod";
import { carryOver, pathOfFork } from "../../importing/complete/carry-over.ts";
import type { SourceGraph } from "../../importing/complete/source-graph.ts";
import { branchGuard, buildStates } from "../../importing/graph/build-states.ts";
import type { Part, TangledFork, Way } from "../../importing/graph/graph-parts.ts";
import { NodeKeySchema, nodeOfPart, partKey } from "../../importing/graph/part-key.ts";
import { StateNames } from "../../importing/graph/state-names.ts";
import type { ImportReporter } from "../../importing/import-reporter.ts";
import type { Imported } from "../../importing/importer.ts";
import { toDefinition } from "../../importing/to-definition.ts";
import { toPlaceholder } from "../../importing/to-placeholder.ts";
import { parseSource } from "../../shared/import-source.ts";
import { refuseProblems, type SourceProblem } from "../../shared/source-problem.ts";

const START = "__start__";
const END = "__end__";

const LangGraphSchema = z.looseObject({
  nodes: z
    .array(
      z.looseObject({
        id: z.union([NodeKeySchema.min(1), z.number()]).transform(String),
        type: z.string().optional(),
        name: z.string().optional(),
        data: JsonSchema.optional(),
        metadata: JsonSchema.optional(),
      }),
    )
    .min(1)
    .max(2_000),
  edges: z
    .array(
      z.looseObject({
        source: z.union([z.string(), z.number()]).transform(String),
        target: z.union([z.string(), z.number()]).transform(String),
        conditional: z.boolean().optional(),
        data: JsonSchema.optional(),
      }),
    )
    .max(10_000),
});

type Graph = z.infer<typeof LangGraphSchema>;

/**
 * A graph of LangGraph, as `get_graph().to_json()` and the assistants API give it. Its nodes are functions in Python or
 * JavaScript, which the document does not have: each becomes a placeholder, and the way between them is kept.
 * @throws OvenError SOURCE_INVALID
 */
export function importLangGraph(value: Json, reporter: ImportReporter): Imported {
  const graph = parseSource(value, LangGraphSchema);
  check(graph);
  const names = new StateNames();
  const parts = new Map<string, Part>();
  for (const [index, node] of graph.nodes.entries()) {
    const element = { name: node.id, type: typeOf(node), path: `$.nodes[${index}]` };
    if (node.id === START || node.id === END) {
      reporter.element(element, "mapped", null);
      continue;
    }
    const id = names.take(node.id);
    const notes = toNotes(node, graph);
    reporter.element(element, "placeholder", id, notes);
    const [reason = ""] = notes;
    const original = { data: node.data ?? null, metadata: node.metadata ?? null };
    const always = alwaysBeside(node.id, graph);
    const choice = partKey("choice", node.id);
    const ways = always.length === 0 ? waysOf(node.id, graph) : [{ targets: [...always, choice] }];
    if (always.length > 0)
      parts.set(choice, {
        id: names.take(`${node.id} choice`),
        label: `${node.id}: which way?`,
        ways: waysOf(node.id, graph, `$.${id}_output.branch`),
      });
    parts.set(node.id, {
      id,
      label: node.id,
      invoke: toPlaceholder("LangGraph", { name: node.id, originalType: element.type, reason, original }),
      ways,
      endOutput: `$.${id}_output`,
      meta: { imported: { product: "langgraph", name: node.id, type: element.type } },
    });
  }
  const tangled: TangledFork[] = [];
  const labelsOf = ({ targets }: TangledFork) => targets.map((key) => parts.get(key)?.label ?? key).join(", ");
  const toTangled = (fork: TangledFork) => {
    tangled.push(fork);
    const labels = labelsOf(fork);
    const reason = `it goes on to ${labels} at once, and these do not come together in one place`;
    const name = afterFork(fork);
    return {
      label: `${name}: ${labels}`,
      invoke: toPlaceholder("LangGraph", { name, originalType: "several edges", reason }),
    };
  };
  const begun = waysOf(START, graph);
  let entry: readonly string[] = begun.flatMap(({ targets }) => targets);
  const alwaysBegun = alwaysBeside(START, graph);
  if (begun.length > 1 || alwaysBegun.length > 0) {
    // A choice at the start is one of its own.
    const id = names.take("start choice");
    const reason = "a function chooses where the graph begins";
    const invoke = toPlaceholder("LangGraph", { name: START, originalType: "conditional edges", reason });
    parts.set(START, { id, label: "Where to begin", invoke, ways: begun });
    entry = [...alwaysBegun, START];
  }
  const source = sourceOf(graph);
  reportIdleEnds(graph, reporter);
  carryOver(source, parts, entry, reporter);
  for (const [index, { id }] of graph.nodes.entries()) {
    if (parts.has(id) || id === START || id === END) continue;
    reporter.element({ name: id, type: "node", path: `$.nodes[${index}]` }, "ignored", null, ["Nothing leads to it."]);
  }
  const joins = new Set<string>();
  const built = buildStates(parts, entry, { names, toTangled, onJoin: (id) => joins.add(id) });
  for (const id of joins)
    reporter.note(
      `“${id}” runs once here, after all ways that lead to it at once; LangGraph runs it again for a way that comes later.`,
    );
  reporter.note(
    "A LangGraph document has the graph but none of its functions: write what each node does with nodes of this product.",
  );
  reporter.note(
    "A placeholder with several ways on names one in `branch` of its output; its replacement has to say which in its own way.",
  );
  for (const fork of tangled) {
    const note = `It goes on to ${labelsOf(fork)} at once, and these do not come together in one place: say in which order.`;
    reporter.element(
      { name: afterFork(fork), type: "several edges", path: pathOfFork(source, fork, "target") },
      "placeholder",
      null,
      [note],
    );
  }
  return {
    name: "LangGraph graph",
    description: null,
    definition: toDefinition({ product: "langgraph", isChat: false, built, positions: new Map() }),
    source,
  };
}

const afterFork = ({ from }: TangledFork): string => `After ${nodeOfPart(from) || START}`;

function sourceOf(graph: Graph): SourceGraph {
  const { nodes, edges } = graph;
  const kindOf = (id: string) => (id === START ? "start" : id === END ? "end" : "step");
  return {
    nodes: nodes.map(({ id }, index) => ({ key: id, name: id, path: `$.nodes[${index}]`, kind: kindOf(id) })),
    edges: edges.map(({ source, target, conditional }, index) => ({
      ...{ path: `$.edges[${index}]`, from: source, to: target },
      output: conditional === true ? `choice ${index}` : "",
      isBeside: conditional !== true && alwaysBeside(source, graph).includes(target),
    })),
  };
}

/** An edge to the end that always holds does nothing beside others: they go on. */
function reportIdleEnds({ edges }: Graph, reporter: ImportReporter): void {
  for (const [index, { source, target, conditional }] of edges.entries()) {
    if (target !== END || conditional === true) continue;
    if (!edges.some((other) => other.source === source && (other.conditional === true || other.target !== END)))
      continue;
    const element = { name: `“${source}” to “${target}”`, type: "connection", path: `$.edges[${index}]` };
    reporter.element(element, "ignored", null, ["The other ways go on at the same time, so nothing ends here."]);
  }
}

function check({ nodes, edges }: Graph): void {
  const problems: SourceProblem[] = [];
  const ids = new Set<string>();
  for (const [index, { id }] of nodes.entries()) {
    if (ids.has(id))
      problems.push({
        path: `$.nodes[${index}].id`,
        message: `Two nodes have the id ${id}`,
        fix: "Give one another id.",
      });
    ids.add(id);
  }
  for (const [index, edge] of edges.entries()) {
    for (const end of ["source", "target"] as const) {
      if (!ids.has(edge[end]))
        problems.push({
          path: `$.edges[${index}].${end}`,
          message: `There is no node ${edge[end]}`,
          fix: "Export the graph again, or take this edge out.",
        });
    }
    if (edge.source === END)
      problems.push({ path: `$.edges[${index}]`, message: "Nothing can follow __end__", fix: "Take this edge out." });
  }
  if (!edges.some(({ source, target }) => source === START && target !== END))
    problems.push({
      path: "$.edges",
      message: "Nothing follows __start__",
      fix: "Add the edge from __start__ to the first node.",
    });
  refuseProblems(problems);
}

/** Edges that always hold are one way; each conditional edge is a way of its own, named by its label. */
function waysOf(id: string, { edges }: Graph, branch?: string): Way[] {
  const own = edges.filter(({ source }) => source === id);
  const toTargets = (target: string): string[] => (target === END ? [] : [target]);
  const chosen = own.filter(({ conditional }) => conditional === true);
  if (chosen.length === 0) return [{ targets: own.flatMap(({ target }) => toTargets(target)) }];
  return chosen.map(({ target, data }, index): Way => {
    const isLast = index === chosen.length - 1;
    return { targets: toTargets(target), ...(isLast ? {} : { guard: branchGuard(labelOf(data, target), branch) }) };
  });
}

/** Where edges that always hold stand beside conditional ones, both are gone along: the choice is a way of its own. */
function alwaysBeside(id: string, { edges }: Graph): string[] {
  const own = edges.filter(({ source }) => source === id);
  const always = own.flatMap(({ target, conditional }) => (conditional === true || target === END ? [] : [target]));
  return own.some(({ conditional }) => conditional === true) ? always : [];
}

function labelOf(data: Json | undefined, target: string): string {
  return typeof data === "string" && data !== "" ? data : target;
}

function toNotes({ id, metadata }: Graph["nodes"][number], { edges }: Graph): string[] {
  const notes = ["its function is not in the document"];
  const stops = isObject(metadata) ? metadata.__interrupt : undefined;
  if (typeof stops === "string")
    notes.push(`The graph stops ${stops.replace(",", " and ")} it for somebody: put an agent.humanReview there.`);
  const choices = edges.filter(({ source, conditional }) => source === id && conditional === true);
  if (choices.length > 0)
    notes.push(
      `A function chooses how it goes on: ${choices.map(({ data, target }) => labelOf(data, target)).join(", ")}. Here that is one of them; where it may be several at once, draw them as parallel states.`,
    );
  const [graph, ...inner] = id.split(":");
  if (inner.length > 0) notes.push(`It is ${inner.join(":")} of the subgraph ${graph ?? ""}.`);
  return notes;
}

function typeOf({ type, data }: Graph["nodes"][number]): string {
  if (!isObject(data)) return type ?? "node";
  if (typeof data.name === "string") return data.name;
  return Array.isArray(data.id) ? String(data.id.at(-1) ?? "node") : (type ?? "node");
}
