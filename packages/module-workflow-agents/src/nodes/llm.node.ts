import {
  type AgentConfig,
  FinishReasonSchema,
  JsonObjectSchema,
  JsonSchema,
  type Message,
  MessageSchema,
  type ModelAnswer,
  type TokenUsage,
  ToolCallSchema,
} from "@oven/contract";
import { findMismatch, type ModelRequest, outputMismatch, toCorrection } from "@oven/module-ai";
import { defineNode, done, type NodeContext } from "@oven/module-registry";
import { z } from "zod";
import { appendMessages, HistorySchema, readMessages } from "./conversation.ts";

export const DEFAULT_MODEL = "fast";

/** Inputs that `agent.toolLoop` hands on to its model node. */
export const modelInput = {
  system: z.string().optional().describe("System prompt; else that of an earlier agent.prompt, else agentConfig's"),
  model: z.string().min(1).optional().describe("Alias (`fast`) or `providerId:modelId`"),
  temperature: z.number().min(0).max(2).optional(),
  topP: z.number().min(0).max(1).optional(),
  maxOutputTokens: z.int().positive().optional(),
  seed: z.int().optional(),
  tools: z.array(z.string().min(1)).optional().describe("Tools offered: ids, or patterns such as `orders.*`"),
  toolChoice: z
    .union([z.enum(["auto", "none", "required"]), z.strictObject({ tool: z.string() })])
    .optional()
    .describe("Whether the model may, must not or must call a tool"),
  outputSchema: JsonObjectSchema.optional().describe(
    "JSON Schema of the answer; it is checked, and `object` has the value",
  ),
  maxCorrections: z
    .int()
    .min(0)
    .max(5)
    .default(2)
    .describe("How often an answer that does not fit the schema is asked for again"),
};

const LlmInput = z.strictObject({
  prompt: z.string().optional().describe("Sent as a user message after the conversation"),
  messages: z.array(MessageSchema).optional().describe("Sent instead of $.messages"),
  ...modelInput,
  history: HistorySchema.describe("`none`: neither prompt nor answer become part of $.messages"),
});
type LlmInput = z.output<typeof LlmInput>;

export const llmNode = defineNode({
  id: "agent.llm",
  version: 1,
  title: "Model",
  docs: [
    "Sends the conversation to a language model and answers with its text or the tool calls it asks for.",
    "",
    "The model gets the system prompt (own `system`, else `$.systemPrompt`, else agentConfig's), then `messages` or `$.messages`, then `prompt`.",
    "Settings are taken in this order: this node, the definition's `agentConfig`, the agent's, the alias's defaults. Without any, the model is `fast`.",
    "Tool calls are in `$.toolCalls` for an agent.toolExecutor; branch on whether that is empty.",
  ].join("\n"),
  category: "agent",
  kind: "model",
  effect: "at-least-once",
  input: LlmInput,
  output: z.strictObject({
    text: z.string(),
    toolCalls: z.array(ToolCallSchema),
    finishReason: FinishReasonSchema,
    object: JsonSchema.optional(),
  }),
  outcomes: [
    {
      id: "toolCalls",
      title: "Tool calls",
      guard: { key: "output.finishReason", operator: "==", value: "tool-calls" },
    },
    { id: "answer", title: "Answer" },
  ],
  async run(context) {
    const { input } = context;
    const history = input.messages ?? readMessages(context);
    const prompt: Message[] = input.prompt === undefined ? [] : [{ role: "user", content: input.prompt }];
    const { answer, usage, costMicros } = await ask(context, toRequest(context, [...history, ...prompt]));
    for (const { model, message } of answer.fallbacks ?? [])
      context.log("warn", `Another model was asked instead of ${model}: ${message}`);
    for (const warning of answer.warnings) context.log("warn", `The model left something out: ${warning}`);
    const finishReason = answer.toolCalls.length > 0 ? ("tool-calls" as const) : answer.finishReason;
    const said = input.history === "none" ? [] : appendMessages(context, [...prompt, answer.message]);
    return done(
      {
        text: answer.text,
        toolCalls: answer.toolCalls,
        finishReason,
        ...(answer.object === undefined ? {} : { object: answer.object }),
      },
      {
        patch: [...said, { op: "add", path: "/toolCalls", value: answer.toolCalls }],
        spend: { tokenUsage: usage, costMicros, simulated: answer.model.simulated },
      },
    );
  },
});

type Context = NodeContext<LlmInput>;

function toRequest(context: Context, messages: Message[]): ModelRequest {
  const { input, settings, node, principal } = context;
  const { agentConfig } = settings;
  const system = input.system ?? readSystemPrompt(context) ?? agentConfig.system;
  const patterns = input.tools ?? agentConfig.tools;
  const tools = patterns === undefined ? undefined : context.services.tools.select(patterns, principal);
  return {
    model: input.model ?? agentConfig.model ?? DEFAULT_MODEL,
    messages,
    ...toSettings(input, agentConfig),
    ...(system === undefined ? {} : { system }),
    ...(tools === undefined || tools.length === 0 ? {} : { tools }),
    ...(input.toolChoice === undefined ? {} : { toolChoice: input.toolChoice }),
    ...(input.outputSchema === undefined ? {} : { outputSchema: input.outputSchema }),
    ...(agentConfig.timeoutMs === undefined ? {} : { timeoutMs: agentConfig.timeoutMs }),
    signal: context.signal,
    caller: {
      tenantId: principal.tenantId,
      userId: principal.userId,
      executionId: node.executionId,
      nodeId: node.nodeId,
      workflow: `${node.kind}:${settings.workflowId}`,
      ...(principal.keyId === undefined ? {} : { keyId: principal.keyId }),
    },
  };
}

type Settings = Pick<ModelRequest, "temperature" | "topP" | "maxOutputTokens" | "seed">;

function toSettings(input: LlmInput, agentConfig: AgentConfig): Settings {
  const settings: Settings = {};
  for (const key of ["temperature", "topP", "maxOutputTokens", "seed"] as const) {
    const value = input[key] ?? agentConfig[key];
    if (value !== undefined) settings[key] = value;
  }
  return settings;
}

function readSystemPrompt(context: Context): string | undefined {
  const value = context.read("$.systemPrompt");
  return typeof value === "string" ? value : undefined;
}

interface Asked {
  answer: ModelAnswer;
  usage: TokenUsage;
  costMicros: number;
}

/** Asks, and asks again while the answer does not fit the schema: at most `maxCorrections` times. */
async function ask(context: Context, request: ModelRequest): Promise<Asked> {
  const { outputSchema, maxCorrections } = context.input;
  let messages = request.messages;
  let usage: TokenUsage = { input: 0, output: 0, total: 0 };
  let costMicros = 0;
  for (let attempt = 0; ; attempt += 1) {
    const { answer, partIds } = await askOnce(
      context,
      { ...request, messages, idempotencyKey: context.idempotencyKey(attempt) },
      attempt,
    );
    usage = addUsage(usage, answer.usage);
    costMicros += answer.costMicros;
    if (outputSchema === undefined || answer.toolCalls.length > 0) return { answer, usage, costMicros };
    const mismatch = findMismatch(outputSchema, answer.object);
    if (mismatch === undefined) return { answer, usage, costMicros };
    if (attempt >= maxCorrections) throw outputMismatch(mismatch, attempt + 1);
    for (const partId of partIds) context.event("text.discarded", { partId });
    messages = [...messages, answer.message, { role: "user", content: toCorrection(mismatch, outputSchema) }];
  }
}

async function askOnce(
  context: Context,
  request: ModelRequest,
  attempt: number,
): Promise<{ answer: ModelAnswer; partIds: Set<string> }> {
  const partIds = new Set<string>();
  if (!context.settings.streamingEnabled) return { answer: await context.services.ai.generate(request), partIds };
  const answer = await context.services.ai.stream(request, {
    onText(part, text) {
      const partId = `${attempt}.${part}`;
      partIds.add(partId);
      context.text(partId, text);
    },
    onDiscarded(parts) {
      for (const part of parts) {
        const partId = `${attempt}.${part}`;
        partIds.delete(partId);
        context.event("text.discarded", { partId });
      }
    },
  });
  return { answer, partIds };
}

function addUsage(total: TokenUsage, more: TokenUsage): TokenUsage {
  const sum: TokenUsage = {
    input: total.input + more.input,
    output: total.output + more.output,
    total: total.total + more.total,
  };
  for (const key of ["cached", "reasoning"] as const) {
    if (total[key] !== undefined || more[key] !== undefined) sum[key] = (total[key] ?? 0) + (more[key] ?? 0);
  }
  return sum;
}
