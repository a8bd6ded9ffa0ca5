import { JsonSchema } from "@oven/contract";
import { FinishReasonSchema, type Message, MessageSchema, type ModelAnswer, ToolCallSchema } from "@oven/contract/ai";
import { defineNode, done, type NodeContext } from "@oven/module-registry";
import { z } from "zod";
import { ask } from "./ask-model.ts";
import { orAskAboutBudget, releasedBudgets } from "./budget-pause.ts";
import { modelCeiling } from "./ceilings.ts";
import { controlInput, readControls } from "./control-tools.ts";
import { appendMessages, HistorySchema, readMessages } from "./conversation.ts";
import { modelInput, StepSchema } from "./model-input.ts";
import { toRequest } from "./model-request.ts";
import { ImagesSchema, withImages } from "./shown-images.ts";
import { DeclaredToolsSchema } from "./step-tools.ts";
import { withUniqueCalls } from "./unique-calls.ts";

const LlmInput = z.strictObject({
  prompt: z.string().optional().describe("What the model is asked"),
  messages: z.array(MessageSchema).optional().describe("A conversation to send instead of the run's own, `$.messages`"),
  images: ImagesSchema,
  ...modelInput,
  ...controlInput,
  declaredTools: DeclaredToolsSchema.optional().describe(
    "Tools whose calls the workflow runs by itself: they are in `$.toolCalls`, and a tool executor does not know them",
  ),
  callerTools: DeclaredToolsSchema.optional().describe(
    "Tools that the program which called the agent runs by itself; `callerCalls` has their calls",
  ),
  step: StepSchema.describe("Which answer of a loop this is, for `prepareStep`"),
  history: HistorySchema.describe("`none`: neither prompt nor answer become part of $.messages"),
});

export const llmNode = defineNode({
  id: "agent.llm",
  version: 1,
  title: "Model",
  firstFields: ["prompt", "system", "model", "tools", "outputSchema", "temperature"],
  synonyms: [
    "llm",
    "ai",
    "chat",
    "gpt",
    "claude",
    "classify",
    "extract",
    "summarize",
    "generate",
    "completion",
    "structured output",
    "vision",
  ],
  docs: [
    "Sends the conversation to a language model and answers with its text or the tool calls it asks for.",
    "",
    "The model gets the system prompt (own `system`, else `$.systemPrompt`, else agentConfig's), then `messages` or `$.messages`, then `prompt`.",
    "Settings are taken in this order: this node, the definition's `agentConfig`, the agent's, the alias's defaults. Without any, the model is `fast`.",
    "`outputSchema` asks for JSON: it is checked, asked for again when it does not fit, and handed on as `object`. Where a model puts words or a fence around it, the one value that fits is taken, and `notes` says so.",
    "What a model thinks aloud in `<think>` is `reasoning`, no part of the text.",
    "`images` are pictures that the model sees beside the last message of a person. They are read once, stored with the run, and sent as pictures; whether a model sees them is up to it.",
    "Where a budget that pauses is used up, the step waits for an owner or admin: approved, this one call is made.",
    "With `routes` the model can name one of them, and with `controlTools: [end]` end the conversation: `next` has what it named, `END`, or `tool_executor` while it asks for other tools. Where it says nothing of that, there is no `next`.",
    "Tool calls are in `$.toolCalls` for an agent.toolExecutor; branch on whether that is empty.",
  ].join("\n"),
  category: "agent",
  kind: "model",
  effect: "at-least-once",
  reads: ["$.messages", "$.systemPrompt", "$.toolResults"],
  // A picture at an address is fetched, and stored with the run.
  asksModelOnly: ({ images }) => images === undefined,
  input: LlmInput,
  output: z.strictObject({
    text: z.string(),
    toolCalls: z.array(ToolCallSchema),
    finishReason: FinishReasonSchema,
    object: JsonSchema.optional().meta({ "x-type-from": { schema: "outputSchema", by: "model" } }),
    next: z.string().optional().describe("Where the model wants to go on, with `routes` or `controlTools`"),
    callerCalls: z
      .array(ToolCallSchema)
      .optional()
      .describe("Of the calls those of `callerTools`, where there are any"),
    reasoning: z.string().optional().describe("What the model thought first, where it says so"),
    notes: z
      .array(z.string())
      .optional()
      .describe("How the answer was read where it was not quite as asked for, such as JSON with other words around it"),
  }),
  outcomes: [
    {
      id: "toolCalls",
      title: "Tool calls",
      guard: { key: "output.finishReason", operator: "==", value: "tool-calls" },
    },
    { id: "answer", title: "Answer" },
  ],
  ceiling: modelCeiling,
  run: (context) => orAskAboutBudget([], (released) => askModel(context, released)),
  resume: (context, signal) =>
    orAskAboutBudget(releasedBudgets("agent.llm", signal), (released) => askModel(context, released)),
});

async function askModel(context: NodeContext<z.output<typeof LlmInput>>, released: readonly number[]) {
  const { input } = context;
  const history = input.messages ?? readMessages(context);
  const prompt: Message[] = input.prompt === undefined ? [] : [{ role: "user", content: input.prompt }];
  const asked = await withImages(context, [...history, ...prompt]);
  const { callerTools, ...made } = await toRequest(context, asked);
  const request = { ...made, releasedBudgets: released };
  const { answer: given, usage, costMicros } = await ask(context, request);
  const answer = withUniqueCalls(given, asked);
  for (const { model, message } of answer.fallbacks ?? [])
    context.log("warn", `Another model was asked instead of ${model}: ${message}`);
  for (const warning of answer.warnings) context.log("warn", `The model left something out: ${warning}`);
  for (const note of answer.notes ?? []) context.log("info", note);
  const { toolCalls, next, results } = readControls(input, answer);
  const callerCalls = toolCalls.filter(({ tool }) => callerTools.has(tool));
  const finishReason = toFinishReason(answer, toolCalls.length);
  const said =
    input.history === "none"
      ? []
      : appendMessages(context, [...asked.slice(history.length), answer.message, ...results]);
  return done(
    {
      text: answer.text,
      toolCalls,
      finishReason,
      ...(next === undefined ? {} : { next }),
      ...(callerCalls.length === 0 ? {} : { callerCalls }),
      ...(answer.object === undefined ? {} : { object: answer.object }),
      ...toReasoning(answer.message),
      ...(answer.notes === undefined ? {} : { notes: answer.notes }),
    },
    {
      patch: [...said, { op: "add", path: "/toolCalls", value: toolCalls }],
      spend: {
        tokenUsage: usage,
        costMicros,
        simulated: answer.model.simulated,
        model: { providerId: answer.model.providerId, modelId: answer.model.modelId },
      },
    },
  );
}

/** Follows the calls that are left, whatever word a server uses for it. */
function toFinishReason({ finishReason }: ModelAnswer, calls: number): ModelAnswer["finishReason"] {
  if (calls > 0) return "tool-calls";
  return finishReason === "tool-calls" ? "stop" : finishReason;
}

function toReasoning(message: Message): { reasoning?: string } {
  if (message.role !== "assistant" || typeof message.content === "string") return {};
  const reasoning = message.content.map((part) => (part.type === "reasoning" ? part.text : "")).join("");
  return reasoning === "" ? {} : { reasoning };
}
