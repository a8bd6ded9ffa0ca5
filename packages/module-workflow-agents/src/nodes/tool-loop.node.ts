import { type Json, type JsonObject, JsonSchema } from "@oven/contract";
import { FinishReasonSchema } from "@oven/contract/ai";
import {
  type Action,
  DEFAULT_MAX_TOOL_ITERATIONS,
  type Guard,
  type State,
  type TransitionObject,
} from "@oven/contract/workflow";
import { defineCompositeNode, type ExpandRequest, type Expansion } from "@oven/module-registry";
import { reviewerInput } from "@oven/module-workflows";
import { z } from "zod";
import { modelInput } from "./model-input.ts";
import { DeclaredToolsSchema, stepToolStates, stepToolsInput, toFirstCall, toStepTools } from "./step-tools.ts";
import { callInput } from "./tool-executor.node.ts";

const MODEL_KEYS = Object.keys(modelInput);
const EXECUTOR_KEYS = ["agent", "tools", "prepareStep", ...Object.keys(callInput), ...Object.keys(reviewerInput)];

const StopSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("isStepCount"), count: z.int().positive().max(1_000) }),
  z.strictObject({ type: z.literal("hasToolCall"), tool: z.string().min(1).max(200) }),
  z.strictObject({ type: z.literal("cel"), expression: z.string().min(1).max(4_000) }),
]);
const StopWhenSchema = z.union([StopSchema, z.array(StopSchema).min(1).max(20)]);

export const toolLoopNode = defineCompositeNode({
  id: "agent.toolLoop",
  version: 1,
  title: "Tool loop",
  firstFields: ["prompt", "tools", "system", "model", "maxIterations", "outputSchema"],
  synonyms: ["agent", "ai agent", "assistant", "react", "tools"],
  docs: [
    "The model calls tools until it has its answer.",
    "",
    "Every answer of the model and every tool call is a step of its own in the record.",
    "One iteration is one answer of the model. When the last allowed one still asks for tools the error is TOOL_LOOP_LIMIT.",
    "`stepTools` are tools of this step alone: a call of one runs the node that it names, with what the model gave as `$.toolArguments`, one after the other; the model gets the error of what fails there. Other tools run after them. `needsApproval` and `toolLimits` are about registered tools: a call of a step's tool that `needsApproval` names is the error STEP_TOOL_NEEDS_APPROVAL.",
    "`stopWhen` ends it earlier, after the tools of a step have run: `{type: isStepCount, count}`, `{type: hasToolCall, tool}`, or `{type: cel, expression}` over `ctx.lastStep` (`number`, `text`, `finishReason`, `toolResults`). `stoppedBy` says which it was. `maxIterations` holds beside it.",
  ].join("\n"),
  category: "agent",
  kind: "model",
  effect: "at-least-once",
  input: z.strictObject({
    prompt: z.string().optional().describe("What the model is asked"),
    ...modelInput,
    ...callInput,
    stepTools: stepToolsInput,
    callerTools: DeclaredToolsSchema.optional().describe(
      "Tools that the program which called the agent runs by itself: the step waits for what they answer",
    ),
    stopWhen: StopWhenSchema.optional().describe("Conditions that end the loop; one of them is enough"),
    maxIterations: z
      .int()
      .positive()
      .max(1_000)
      .optional()
      .describe("How often the model may answer before the step fails")
      .meta({ "x-default-at": "maxToolIterations", "x-default": DEFAULT_MAX_TOOL_ITERATIONS }),
    ...reviewerInput,
  }),
  output: z.strictObject({
    text: z.string(),
    object: JsonSchema.optional().meta({ "x-type-from": { schema: "outputSchema", by: "model" } }),
    iterations: z.int(),
    finishReason: FinishReasonSchema,
    stoppedBy: z.enum(["answer", "stopWhen"]),
  }),
  literals: ["stopWhen"],
  expand,
});

/** `start` counts from one and adds the prompt once; then `llm` and `tools` take turns. */
function expand({ stateId, input, maxToolIterations }: ExpandRequest): Expansion {
  const scratch = `$["${stateId}.scratch"]`;
  const said = `$["${stateId}.llm_output"]`;
  const limit = input.maxIterations ?? maxToolIterations;
  const step = `${scratch}.iterations`;
  const own = toStepTools(input.stepTools);
  const declared = own.map(({ name, description, parameters }) => ({
    ...{ name, description },
    ...(parameters === undefined ? {} : { parameters }),
  }));
  const model = {
    ...pick(input, MODEL_KEYS),
    ...(own.length === 0 ? {} : { declaredTools: declared }),
    ...(input.callerTools === undefined ? {} : { callerTools: input.callerTools }),
    step,
  };
  const answered = `${scratch}.answered`;
  const asksCaller = input.callerTools !== undefined;
  const executor = {
    ...pick(input, EXECUTOR_KEYS),
    ...(own.length === 0 && !asksCaller ? {} : { answered }),
    step,
  };
  const stops = toStops(input.stopWhen);
  const prompt: Json[] = input.prompt === undefined ? [] : [input.prompt];
  const again: TransitionObject = {
    target: "llm",
    actions: [{ type: "assign", params: { path: step, add: 1 } }],
  };
  const states: Record<string, State> = {
    start: {
      always: {
        target: "llm",
        actions: [
          { type: "assign", params: { path: scratch, value: { iterations: 1, stoppedBy: "answer" } } },
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
          ...(asksCaller
            ? [
                {
                  target: "caller",
                  guard: {
                    type: "condition" as const,
                    params: { key: `${said}.callerCalls`, operator: "exists" as const },
                  },
                },
              ]
            : []),
          toTools(own.length > 0, asksCaller, scratch, []),
        ],
      },
    },
    ...(asksCaller
      ? {
          caller: {
            label: "Tools of the caller",
            invoke: {
              src: "agent.callerTools",
              input: { calls: `${said}.callerCalls` },
              onDone: toTools(own.length > 0, true, scratch, `$["${stateId}.caller_output"].answered`),
            },
          } satisfies State,
        }
      : {}),
    ...(own.length === 0 ? {} : stepToolStates(own, { stateId, scratch, needsApproval: input.needsApproval })),
    tools: {
      label: "Tools",
      invoke: {
        src: "agent.toolExecutor",
        input: executor,
        onDone: stops.length === 0 ? again : { target: "stepped", actions: noteStep(stops, scratch, said) },
      },
    },
    ...(stops.length === 0
      ? {}
      : {
          stepped: {
            always: [
              {
                target: "done",
                guard: { type: "any", guards: stops.map((stop) => toGuard(stop, step)) },
                actions: [{ type: "assign", params: { path: `${scratch}.stoppedBy`, value: "stopWhen" } }],
              },
              again,
            ],
          } satisfies State,
        }),
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
    // The calls of a step's own tools are as many as the model asks for.
    ...(typeof limit === "number" ? { visits: { llm: limit, tools: limit - 1, stepped: limit - 1 } } : {}),
    output: {
      text: `${said}.text`,
      ...(input.outputSchema === undefined ? {} : { object: `${said}.object | default(null)` }),
      iterations: `${scratch}.iterations`,
      finishReason: `${said}.finishReason`,
      stoppedBy: `${scratch}.stoppedBy`,
    },
  };
}

/** How the calls of an answer go on to be run. @param answered those that have their answers: a list, or its path */
function toTools(hasOwn: boolean, asksCaller: boolean, scratch: string, answered: Json): TransitionObject {
  if (hasOwn) return toFirstCall(scratch, answered);
  if (!asksCaller) return { target: "tools" };
  return {
    target: "tools",
    actions: [{ type: "assign", params: { path: `${scratch}.answered`, value: answered } }],
  };
}

type Stop = z.output<typeof StopSchema>;

/** What does not fit is refused when the definition is checked. */
function toStops(stopWhen: Json | undefined): Stop[] {
  const parsed = StopWhenSchema.safeParse(stopWhen);
  return parsed.success ? [parsed.data].flat() : [];
}

/** Guards see the context as it was before a transition's own actions, so the step is noted one state earlier. */
function noteStep(stops: readonly Stop[], scratch: string, said: string): Action[] {
  if (!stops.some(({ type }) => type === "cel")) return [];
  const value = {
    number: `${scratch}.iterations`,
    text: `${said}.text`,
    finishReason: `${said}.finishReason`,
    toolResults: "$.toolResults",
  };
  return [{ type: "assign", params: { path: "$.lastStep", value } }];
}

function toGuard(stop: Stop, step: string): Guard {
  switch (stop.type) {
    case "isStepCount":
      return { type: "condition", params: { key: step, operator: ">=", value: stop.count } };
    case "hasToolCall": {
      const expression = `ctx.toolResults.exists(result, result.tool == ${JSON.stringify(stop.tool)})`;
      return { type: "cel", params: { expression } };
    }
    case "cel":
      return { type: "cel", params: { expression: stop.expression } };
  }
}

function pick(input: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(input).filter(([key]) => keys.includes(key)));
}
