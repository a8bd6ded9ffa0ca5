import { FinishReasonSchema, type Json, type JsonObject, JsonSchema, type State } from "@oven/contract";
import { defineCompositeNode, type ExpandRequest, type Expansion } from "@oven/module-registry";
import { z } from "zod";
import { reviewerInput } from "./human-review.node.ts";
import { modelInput } from "./llm.node.ts";

const MODEL_KEYS = Object.keys(modelInput);

export const toolLoopNode = defineCompositeNode({
  id: "agent.toolLoop",
  version: 1,
  title: "Tool loop",
  docs: [
    "The model calls tools until it has its answer: model, tools, model, tools, … answer. Every model answer and every tool call is a step of its own in the record.",
    "",
    "One iteration is one answer of the model. When the last allowed one still asks for tools the error is TOOL_LOOP_LIMIT.",
  ].join("\n"),
  category: "agent",
  kind: "model",
  effect: "at-least-once",
  input: z.strictObject({
    prompt: z.string().optional().describe("Sent as a user message after the conversation"),
    ...modelInput,
    mode: z.enum(["parallel", "sequential"]).default("parallel").describe("How the tool calls of one answer are run"),
    maxIterations: z
      .int()
      .positive()
      .max(1_000)
      .optional()
      .describe("Answers of the model; else the definition's maxToolIterations"),
    ...reviewerInput,
  }),
  output: z.strictObject({
    text: z.string(),
    object: JsonSchema.optional(),
    iterations: z.int(),
    finishReason: FinishReasonSchema,
  }),
  expand,
});

/** `start` counts from one and adds the prompt once; then `llm` and `tools` take turns. */
function expand({ stateId, input, maxToolIterations }: ExpandRequest): Expansion {
  const scratch = `$["${stateId}.scratch"]`;
  const said = `$["${stateId}.llm_output"]`;
  const limit = input.maxIterations ?? maxToolIterations;
  const model = pick(input, MODEL_KEYS);
  const executor = pick(input, ["tools", "mode", ...Object.keys(reviewerInput)]);
  const prompt: Json[] = input.prompt === undefined ? [] : [input.prompt];
  const states: Record<string, State> = {
    start: {
      always: {
        target: "llm",
        actions: [
          { type: "assign", params: { path: scratch, value: { iterations: 1 } } },
          ...prompt.map((content) => ({
            type: "assign" as const,
            params: { path: "$.messages", append: { role: "user", content } },
          })),
        ],
      },
    },
    llm: {
      label: "Model",
      invoke: {
        src: "agent.llm",
        input: model,
        onDone: [
          { target: "done", guard: { type: "condition", params: { key: "$.toolCalls", operator: "empty" } } },
          {
            target: "limit",
            guard: { type: "condition", params: { key: `${scratch}.iterations`, operator: ">=", value: limit } },
          },
          { target: "tools" },
        ],
      },
    },
    tools: {
      label: "Tools",
      invoke: {
        src: "agent.toolExecutor",
        input: executor,
        onDone: { target: "llm", actions: [{ type: "assign", params: { path: `${scratch}.iterations`, add: 1 } }] },
      },
    },
    limit: {
      label: "Iteration limit",
      invoke: {
        src: "core.fail",
        input: {
          code: "TOOL_LOOP_LIMIT",
          message: `The model still asked for tools after {{ ${scratch}.iterations }} iterations`,
        },
      },
    },
    done: { type: "final" },
  };
  return {
    initial: "start",
    states,
    output: {
      text: `${said}.text`,
      ...(input.outputSchema === undefined ? {} : { object: `${said}.object | default(null)` }),
      iterations: `${scratch}.iterations`,
      finishReason: `${said}.finishReason`,
    },
  };
}

function pick(input: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(input).filter(([key]) => keys.includes(key)));
}
