import type { JsonObject } from "@oven/contract";
import { done } from "@oven/module-registry";
import type { GeneratedRun, RunGenerator } from "../../../importing/testing/compare-runs.ts";
import type { Random } from "../../../importing/testing/random.ts";
import { flowEdge, flowNode, written } from "./agentflow.ts";
import { ANSWER, runFlowise } from "./reference-flowise.ts";

const WORDS = ["", "red", "redder", "5", "11", "x y"];

function conditionOf(random: Random): JsonObject {
  const isNumber = random.chance(40);
  const value = () => written(random.chance(60) ? `{{ $form.${random.pick(["word", "count"])} }}` : random.pick(WORDS));
  const operations = isNumber
    ? ["equal", "notEqual", "smaller", "largerEqual"]
    : ["equal", "notEqual", "contains", "notContains", "startsWith", "endsWith", "isEmpty", "notEmpty"];
  return { type: isNumber ? "number" : "string", value1: value(), operation: random.pick(operations), value2: value() };
}

function generateRun(random: Random): GeneratedRun {
  const nodes: JsonObject[] = [
    flowNode("start", "startAgentflow", {
      startInputType: "formInput",
      formInputTypes: [
        { type: "string", label: "Word", name: "word" },
        { type: "number", label: "Count", name: "count" },
      ],
    }),
  ];
  const edges: JsonObject[] = [];
  const count = random.between(2, 9);
  const ids = Array.from({ length: count }, (_, index) => `${random.chance(50) ? "tool" : "choice"}_${index}`);
  const onward = (index: number): string => {
    const target = index + random.between(1, 3);
    return ids[target] ?? end(index);
  };
  /** Where a run ends, or goes back from. */
  const end = (index: number): string => {
    const id = `end_${nodes.length}`;
    const earlier = ids[random.below(index + 1)] ?? "";
    if (random.chance(40)) {
      const most = random.between(1, 3);
      nodes.push(
        flowNode(id, "loopAgentflow", {
          loopBackToNode: `${earlier}-x`,
          maxLoopCount: most,
          fallbackMessage: "Too often",
        }),
      );
    } else {
      const message = written(random.pick(["Done", "Word: {{ $form.word }}", "{{ $form.count }} times"]));
      nodes.push(flowNode(id, "directReplyAgentflow", { directReplyMessage: message }));
    }
    return id;
  };
  edges.push(flowEdge("start", ids[0] ?? ""));
  for (const [index, id] of ids.entries()) {
    if (id.startsWith("tool")) {
      nodes.push(flowNode(id, "toolAgentflow", { toolAgentflowSelectedTool: "gmail" }));
      edges.push(flowEdge(id, onward(index)));
      continue;
    }
    const conditions = Array.from({ length: random.between(1, 2) }, () => conditionOf(random));
    nodes.push(flowNode(id, "conditionAgentflow", { conditions }));
    for (let output = 0; output <= conditions.length; output += 1) edges.push(flowEdge(id, onward(index), output));
  }
  const input = { word: random.pick(WORDS), count: random.below(12) };
  const document = { nodes, edges };
  return {
    document,
    input,
    // cast: as they were made
    reference: () => runFlowise(document as unknown as Parameters<typeof runFlowise>[0], input),
    placeholder: { run: () => done({ content: ANSWER }) },
  };
}

/** Agentflows that go along one way at a time, with conditions over the fields of a form and loops. */
export const runs: RunGenerator = { product: "flowise", generateRun };
