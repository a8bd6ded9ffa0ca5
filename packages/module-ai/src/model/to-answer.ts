import { type Json, JsonSchema } from "@oven/contract";
import { FinishReasonSchema, type Message, type ModelAnswer, type ToolCall } from "@oven/contract/ai";
import type { TokenUsage } from "@oven/contract/node";
import { isObject } from "@oven/engine";
import type { FinishReason as SdkFinishReason } from "ai";
import { splitReasoning } from "../messages/reasoning-in-text.ts";
import { FROM_TEXT } from "../messages/to-sdk-messages.ts";
import type { WireNames } from "../messages/wire-names.ts";
import { parseWhole } from "./read-answer.ts";

type AssistantPart = Exclude<Extract<Message, { role: "assistant" }>["content"], string>[number];

/** The parts of an SDK answer this reads; other kinds of content are left out. */
interface AnswerPart {
  type: string;
  text?: string;
  toolCallId?: string;
  toolName?: string;
  input?: unknown;
  providerMetadata?: Record<string, Record<string, unknown>> | undefined;
}

interface SdkUsage {
  inputTokens: number | undefined;
  outputTokens: number | undefined;
  totalTokens: number | undefined;
  inputTokenDetails: { cacheReadTokens: number | undefined; cacheWriteTokens?: number | undefined };
  outputTokenDetails: { reasoningTokens: number | undefined };
}

type Content = Pick<ModelAnswer, "text" | "toolCalls" | "message"> & { notes: string[] };

export function toContent(parts: readonly AnswerPart[], names: WireNames): Content {
  const content: AssistantPart[] = [];
  const toolCalls: ToolCall[] = [];
  const notes: string[] = [];
  const seen = new Set<string>();
  for (const part of parts) {
    const options = toProviderOptions(part);
    if (part.type === "reasoning" && part.text !== undefined)
      content.push({ type: "reasoning", text: part.text, ...options });
    if (part.type === "text" && part.text !== undefined) content.push(...toTextParts(part.text, options));
    if (part.type !== "tool-call" || part.toolCallId === undefined || part.toolName === undefined) continue;
    const toolCallId = uniqueId(part.toolCallId, seen);
    const tool = names.toId(part.toolName);
    const { input, note } = readArguments(tool, toJson(part.input));
    if (note !== undefined) notes.push(note);
    content.push({ type: "tool-call", toolCallId, toolName: tool, input, ...options });
    toolCalls.push({ toolCallId, tool, arguments: input });
  }
  const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
  const plain = content.every((part) => part.type === "text" && part.providerOptions === undefined);
  return { text, toolCalls, message: { role: "assistant", content: plain ? text : content }, notes };
}

type Options = ReturnType<typeof toProviderOptions>;

function toTextParts(given: string, options: Options): AssistantPart[] {
  const { text, reasoning } = splitReasoning(given);
  if (reasoning === "" && text === given) return [{ type: "text", text, ...options }];
  return [
    ...(reasoning === "" ? [] : [{ type: "reasoning" as const, text: reasoning, providerOptions: FROM_TEXT }]),
    ...(text === "" && options.providerOptions === undefined ? [] : [{ type: "text" as const, text, ...options }]),
  ];
}

/**
 * Arguments as a tool takes them. Some models send `null` for none, and some encode the object once more as text; what is neither is
 * left as it is, so that the model hears of it.
 */
function readArguments(tool: string, given: Json): { input: Json; note?: string } {
  if (given === null || given === "") {
    const note = `The model gave ${given === null ? "null" : "an empty text"} as the arguments of ${tool}; it was read as {}`;
    return { input: {}, note };
  }
  const inner = typeof given === "string" ? parseWhole(given) : undefined;
  // Those with a number that would be changed stay text, which the caller of the tool refuses.
  if (inner === undefined || !isObject(inner.value) || inner.longNumbers.length > 0) return { input: given };
  return {
    input: inner.value,
    note: `The model gave the arguments of ${tool} as text that holds an object; that was read`,
  };
}

/** Some servers give two calls of one reply the same id; results are matched by id, so each needs its own. */
function uniqueId(id: string, seen: Set<string>): string {
  let unique = id;
  for (let copy = 2; seen.has(unique); copy += 1) unique = `${id}-${copy}`;
  seen.add(unique);
  return unique;
}

function toProviderOptions(part: AnswerPart): { providerOptions?: Record<string, Record<string, Json>> } {
  const entries = Object.entries(part.providerMetadata ?? {}).filter(([, value]) => Object.keys(value).length > 0);
  if (entries.length === 0) return {};
  const options = entries.map(([provider, value]) => [
    provider,
    Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, toJson(entry)])),
  ]);
  return { providerOptions: Object.fromEntries(options) };
}

function toJson(value: unknown): Json {
  return JsonSchema.parse(JSON.parse(JSON.stringify(value ?? null)));
}

export function toTokenUsage(usage: SdkUsage): TokenUsage {
  const input = usage.inputTokens ?? 0;
  const output = usage.outputTokens ?? 0;
  const cached = usage.inputTokenDetails.cacheReadTokens;
  const written = usage.inputTokenDetails.cacheWriteTokens;
  const reasoning = usage.outputTokenDetails.reasoningTokens;
  return {
    input,
    output,
    total: usage.totalTokens ?? input + output,
    ...(cached === undefined || cached === 0 ? {} : { cached }),
    ...(written === undefined || written === 0 ? {} : { written }),
    ...(reasoning === undefined || reasoning === 0 ? {} : { reasoning }),
  };
}

export function toFinishReason(reason: SdkFinishReason): ModelAnswer["finishReason"] {
  const known = FinishReasonSchema.safeParse(reason);
  return known.success ? known.data : "other";
}

/** One line per setting that the provider left out. */
export function toWarnings(warnings: readonly object[] | undefined): string[] {
  return (warnings ?? []).map((warning) => {
    const { type, feature, setting, details, message } = warning as Record<string, string | undefined>; // cast: read leniently
    return [type, feature ?? setting, details ?? message].filter((part) => part !== undefined).join(": ");
  });
}
