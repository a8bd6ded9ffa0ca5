import { type Json, JsonSchema } from "@oven/contract";
import { FinishReasonSchema, type Message, type ModelAnswer, type ToolCall } from "@oven/contract/ai";
import type { TokenUsage } from "@oven/contract/node";
import type { FinishReason as SdkFinishReason } from "ai";
import type { WireNames } from "../messages/wire-names.ts";

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
  inputTokenDetails: { cacheReadTokens: number | undefined };
  outputTokenDetails: { reasoningTokens: number | undefined };
}

type Content = Pick<ModelAnswer, "text" | "toolCalls" | "message">;

export function toContent(parts: readonly AnswerPart[], names: WireNames): Content {
  const kept: AssistantPart[] = [];
  const toolCalls: ToolCall[] = [];
  const seen = new Set<string>();
  for (const part of parts) {
    const options = toProviderOptions(part);
    if ((part.type === "text" || part.type === "reasoning") && part.text !== undefined) {
      kept.push({ type: part.type, text: part.text, ...options });
    }
    if (part.type !== "tool-call" || part.toolCallId === undefined || part.toolName === undefined) continue;
    const toolCallId = uniqueId(part.toolCallId, seen);
    const tool = names.toId(part.toolName);
    const input = toJson(part.input);
    kept.push({ type: "tool-call", toolCallId, toolName: tool, input, ...options });
    toolCalls.push({ toolCallId, tool, arguments: input });
  }
  const text = kept.map((part) => (part.type === "text" ? part.text : "")).join("");
  const plain = kept.every((part) => part.type === "text" && part.providerOptions === undefined);
  return { text, toolCalls, message: { role: "assistant", content: plain ? text : kept } };
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

/** The object in a text; models like to wrap it in a fence. Undefined when there is none. */
export function parseObject(text: string): Json | undefined {
  const fenced = /^\s*```(?:json)?\s*\n([\s\S]*?)\n\s*```\s*$/.exec(text);
  try {
    return JSON.parse(fenced?.[1] ?? text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export function toTokenUsage(usage: SdkUsage): TokenUsage {
  const input = usage.inputTokens ?? 0;
  const output = usage.outputTokens ?? 0;
  const cached = usage.inputTokenDetails.cacheReadTokens;
  const reasoning = usage.outputTokenDetails.reasoningTokens;
  return {
    input,
    output,
    total: usage.totalTokens ?? input + output,
    ...(cached === undefined || cached === 0 ? {} : { cached }),
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
