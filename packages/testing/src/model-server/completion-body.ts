import type { Json, JsonObject } from "@oven/contract";
import type { ModelReply, ScriptedToolCall, ScriptedUsage } from "./model-reply.ts";

type Answer = Exclude<ModelReply, { status: number } | { rawBody: string }>;

const CREATED = 1_760_000_000;

function toUsage(usage: ScriptedUsage = { input: 11, output: 7 }): JsonObject {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    ...(usage.cached === undefined ? {} : { prompt_tokens_details: { cached_tokens: usage.cached } }),
    ...(usage.reasoning === undefined ? {} : { completion_tokens_details: { reasoning_tokens: usage.reasoning } }),
  };
}

function toWireCalls(calls: ScriptedToolCall[], index: number): JsonObject[] {
  return calls.map((call, position) => ({
    id: call.id ?? `wire_${index}_${position}`,
    type: "function",
    function: { name: call.name, arguments: call.rawArguments ?? JSON.stringify(call.arguments ?? {}) },
  }));
}

function finishReasonOf(answer: Answer): string {
  return answer.finishReason ?? (answer.toolCalls === undefined ? "stop" : "tool_calls");
}

/** The whole answer as one JSON body. */
export function toCompletion(answer: Answer, model: Json, index: number): JsonObject {
  return {
    id: `chatcmpl-${index}`,
    object: "chat.completion",
    created: CREATED,
    model,
    choices: [
      {
        index: 0,
        finish_reason: finishReasonOf(answer),
        message: {
          role: "assistant",
          content: answer.text ?? null,
          ...(answer.reasoning === undefined ? {} : { reasoning_content: answer.reasoning }),
          ...(answer.toolCalls === undefined ? {} : { tool_calls: toWireCalls(answer.toolCalls, index) }),
        },
      },
    ],
    usage: toUsage(answer.usage),
  };
}

/** The same answer as stream chunks: text in words, the arguments of a tool call in two halves. */
export function toChunks(answer: Answer, model: Json, index: number): JsonObject[] {
  const chunk = (delta: JsonObject, finishReason: string | null = null): JsonObject => ({
    id: `chatcmpl-${index}`,
    object: "chat.completion.chunk",
    created: CREATED,
    model,
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  });
  const words = answer.text?.match(/\S+\s*|\s+/g) ?? [];
  const calls = toWireCalls(answer.toolCalls ?? [], index).flatMap((call, position) => {
    const { name, arguments: text } = call.function as { name: string; arguments: string }; // cast: made just above
    const half = Math.ceil(text.length / 2);
    return [
      chunk({ tool_calls: [{ ...call, index: position, function: { name, arguments: text.slice(0, half) } }] }),
      chunk({ tool_calls: [{ index: position, function: { arguments: text.slice(half) } }] }),
    ];
  });
  return [
    chunk({ role: "assistant", content: "" }),
    ...(answer.reasoning === undefined ? [] : [chunk({ reasoning_content: answer.reasoning })]),
    ...words.map((content) => chunk({ content })),
    ...calls,
    chunk({}, finishReasonOf(answer)),
    { ...chunk({}), choices: [], usage: toUsage(answer.usage) },
  ];
}
