import type { JsonObject } from "@oven/contract";
import type { GeneratedDocument, GeneratedGraph, GraphGenerator } from "../../../importing/testing/graph-generator.ts";
import type { Random } from "../../../importing/testing/random.ts";
import { flowEdge, flowNode, written } from "./agentflow.ts";

const ODD_IDS = ["constructor", "toString", "__proto__", "a.b", " ", "日本", "output"];
const TEXTS = [
  "Hello",
  "",
  "{{ question }}",
  "{{ $form.x }}",
  "{{ $flow.state.seen }}",
  "{{ $vars.key }}",
  "{{ nobody }}",
  "$.trigger.x",
];

const nameOf = ({ data }: JsonObject): string => String((data as JsonObject).name); // cast: nodes have data

/** Outputs of a node by number. */
function outputsOf(node: JsonObject): number {
  const { inputs } = node.data as { inputs: JsonObject }; // cast: as it was made
  switch (nameOf(node)) {
    case "conditionAgentflow":
      return ((inputs.conditions as []) ?? []).length + 1; // cast: as it was made
    case "conditionAgentAgentflow":
    case "humanInputAgentflow":
      return 2;
    case "directReplyAgentflow":
    case "loopAgentflow":
      return 0;
    default:
      return 1;
  }
}

function inputsOf(name: string, random: Random, others: readonly string[]): JsonObject {
  const text = () => {
    const known = random.chance(30) && others.length > 0 ? `{{ ${random.pick(others)} }}` : random.pick(TEXTS);
    return random.chance(70) ? written(known) : known;
  };
  const updates = () => (random.chance(30) ? [{ key: "seen", value: random.pick(["{{ output }}", text()]) }] : "");
  switch (name) {
    case "llmAgentflow":
      return {
        ...{ llmEnableMemory: random.chance(50), llmModelConfig: { modelName: "m", temperature: 0.9 } },
        llmMessages: random.chance(60) ? [{ role: random.pick(["system", "user", "assistant"]), content: text() }] : [],
        ...{ llmReturnResponseAs: random.pick(["userMessage", "assistantMessage"]), llmUpdateState: updates() },
      };
    case "agentAgentflow":
      return {
        ...{ agentMessages: [{ role: "system", content: text() }], agentEnableMemory: random.chance(50) },
        agentTools: random.chance(30) ? [{ agentSelectedTool: "searXNG" }] : "",
      };
    case "conditionAgentflow":
      return {
        conditions: Array.from({ length: random.between(1, 2) }, () => ({
          ...{ type: random.pick(["string", "number", "boolean"]), value1: text(), value2: text() },
          operation: random.pick(["equal", "notEqual", "contains", "smaller", "isEmpty", "regex"]),
        })),
      };
    case "conditionAgentAgentflow":
      return {
        ...{ conditionAgentInput: text(), conditionAgentInstructions: text() },
        conditionAgentScenarios: [{ scenario: "yes" }, { scenario: random.pick(["no", "yes", "else"]) }],
      };
    case "httpAgentflow":
      return {
        method: random.pick(["GET", "POST"]),
        url: random.pick(["https://example.org/{{ $form.x }}", ""]),
        bodyType: "json",
        body: '{"a": "{{ $form.x }}"}',
      };
    case "customFunctionAgentflow":
      return {
        customFunctionJavascriptFunction: random.pick(["return $x;", "return require('fs');", ""]),
        customFunctionInputVariables: [{ variableName: "x", variableValue: text() }],
      };
    case "humanInputAgentflow":
      return { humanInputDescriptionType: random.pick(["fixed", "dynamic"]), humanInputDescription: text() };
    case "directReplyAgentflow":
      return { directReplyMessage: text() };
    case "loopAgentflow":
      return { loopBackToNode: `${random.pick([...others, "nobody"])}-x`, maxLoopCount: random.pick(["", "3", 2]) };
    case "iterationAgentflow":
      return { iterationInput: random.pick([written('["a", "b"]'), "{{ $flow.state.seen }}"]) };
    default:
      return { toolAgentflowSelectedTool: "gmail" };
  }
}

const KINDS = [
  "llmAgentflow",
  "agentAgentflow",
  "conditionAgentflow",
  "conditionAgentAgentflow",
  "httpAgentflow",
  "customFunctionAgentflow",
  "humanInputAgentflow",
  "directReplyAgentflow",
  "loopAgentflow",
  "toolAgentflow",
  "executeFlowAgentflow",
  "retrieverAgentflow",
];

function generate(random: Random): GeneratedGraph {
  const nodes: JsonObject[] = [];
  const edges: JsonObject[] = [];
  const add = (name: string, inputs: JsonObject, parentNode?: string): JsonObject => {
    const odd = random.pick(ODD_IDS);
    const id = random.chance(6) && nodes.every((node) => node.id !== odd) ? odd : `${name}_${nodes.length}`;
    const label = random.chance(8) ? random.pick(["Start", "Done", "constructor", "日本"]) : `${name} ${nodes.length}`;
    const node = flowNode(id, name, inputs, { label, ...(parentNode === undefined ? {} : { parentNode }) });
    nodes.push(node);
    return node;
  };
  const link = (from: JsonObject, to: JsonObject): void => {
    const count = outputsOf(from);
    if (count > 0)
      edges.push(flowEdge(String(from.id), String(to.id), count === 1 ? nameOf(from) : random.below(count)));
  };
  const kind = random.pick(["chatInput", "chatInput", "formInput", "webhookTrigger"]);
  const fields = [{ type: "string", label: "X", name: "x" }];
  const start = add("startAgentflow", {
    startInputType: kind,
    formInputTypes: fields,
    startState: [{ key: "seen", value: "" }],
  });
  const steps: JsonObject[] = [];
  const ids = () => steps.map(({ id }) => String(id));
  for (let count = random.between(1, 9); count > 0; count -= 1) {
    const name = random.chance(8) ? "iterationAgentflow" : random.pick(KINDS);
    steps.push(add(name, inputsOf(name, random, ids())));
  }
  const last = (step: JsonObject) => outputsOf(step) === 0;
  for (const [index, step] of steps.entries()) {
    if (index > 0 && random.chance(7)) continue;
    const before = steps.slice(0, index).filter((one) => !last(one));
    link(random.chance(30) || before.length === 0 ? start : random.pick(before), step);
  }
  for (let more = random.below(steps.length + 1); more > 0; more -= 1) link(random.pick(steps), random.pick(steps));
  for (const step of steps.filter((one) => nameOf(one) === "iterationAgentflow")) {
    const [first, second] = [1, 2].map(() =>
      add("toolAgentflow", inputsOf("toolAgentflow", random, []), String(step.id)),
    );
    if (first !== undefined && second !== undefined) link(first, second);
  }
  if (random.chance(20)) add("stickyNoteAgentflow", { note: "Hi" });
  return { nodes, edges };
}

function describe({ nodes, edges }: GeneratedGraph): GeneratedDocument {
  const inputs = (node: JsonObject) => (node.data as { inputs: JsonObject }).inputs; // cast: as it was made
  const links = edges.map(({ source, target }, index) => ({
    ...{ from: String(source), to: String(target), path: `$.edges[${index}]` },
  }));
  const back = nodes.flatMap((node, index) => {
    const target = String(inputs(node).loopBackToNode ?? "").split("-")[0] ?? "";
    const isThere = nodeAt(nodes, target)?.parentNode === node.parentNode;
    return nameOf(node) === "loopAgentflow" && nodeAt(nodes, target) !== undefined && isThere
      ? [{ from: String(node.id), to: target, path: `$.nodes[${index}].data` }]
      : [];
  });
  const within = nodes.flatMap(({ id, parentNode }, index) =>
    typeof parentNode === "string" && !edges.some(({ target }) => target === id)
      ? [{ from: parentNode, to: String(id), path: `$.nodes[${index}].parentNode` }]
      : [],
  );
  const isStep = (node: JsonObject) => !/^(start|stickyNote)/.test(nameOf(node));
  return {
    document: { nodes: [...nodes], edges: [...edges] },
    starts: nodes.filter((node) => nameOf(node) === "startAgentflow").map(({ id }) => String(id)),
    links: [...links, ...back, ...within],
    steps: new Map(
      nodes.flatMap((node, index): [string, string][] =>
        isStep(node) ? [[String(node.id), `$.nodes[${index}]`]] : [],
      ),
    ),
  };
}

const nodeAt = (nodes: readonly JsonObject[], id: string): JsonObject | undefined =>
  nodes.find((node) => node.id === id);

/** Random agentflows of Flowise with branches, loops, iterations and several ends. */
export const graphs: GraphGenerator = { product: "flowise", generate, describe };
