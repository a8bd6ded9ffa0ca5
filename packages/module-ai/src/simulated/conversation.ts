import type { Json, JsonObject } from "@oven/contract";
import type { LanguageModelV4 } from "../providers/model-provider.ts";

type Prompt = Parameters<LanguageModelV4["doGenerate"]>[0]["prompt"];

/** What a script may look at: everything comes from the request's messages, so the same request has the same answer. */
export interface Conversation {
  /** The newest message that is not the model's own. */
  last: { role: "user" | "tool"; text: string; tool: string | null };
  /** Latest result of each tool, by tool id. */
  results: JsonObject;
  /** 1 for the model's first reply in this conversation. */
  turn: number;
  /** Messages without the system's: call ids are made from it. */
  position: number;
}

/** @param toId gives a tool's id for its wire name */
export function readConversation(prompt: Prompt, toId: (wireName: string) => string): Conversation {
  const results: JsonObject = {};
  let last: Conversation["last"] = { role: "user", text: "", tool: null };
  let replies = 0;
  let position = 0;
  for (const message of prompt) {
    if (message.role === "system") continue;
    position += 1;
    if (message.role === "assistant") replies += 1;
    if (message.role === "user") {
      const text = message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
      last = { role: "user", text, tool: null };
    }
    if (message.role !== "tool") continue;
    for (const part of message.content) {
      if (part.type !== "tool-result") continue;
      const value = toResult(part.output);
      const tool = toId(part.toolName);
      results[tool] = value;
      last = { role: "tool", text: typeof value === "string" ? value : JSON.stringify(value), tool };
    }
  }
  return { last, results, turn: replies + 1, position };
}

function toResult(output: { type: string; value?: unknown; reason?: string }): Json {
  // cast: results are JSON by the contract of messages
  return (output.value ?? output.reason ?? null) as Json;
}
