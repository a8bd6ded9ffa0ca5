import { type Json, type JsonPatchOp, OvenError } from "@oven/contract";
import { type Message, MessageSchema } from "@oven/contract/ai";
import type { NodeContext } from "@oven/module-registry";
import { z } from "zod";
import { firstIssue } from "./node-error.ts";

const MessagesSchema = z.array(MessageSchema);

/** Whether what a node says and hears becomes part of `$.messages`. */
export const HistorySchema = z.enum(["append", "none"]).default("append");

/**
 * The run's conversation so far.
 * @throws OvenError MESSAGES_INVALID when a step wrote something into `$.messages` that is no message
 */
export function readMessages(context: Pick<NodeContext, "read">): Message[] {
  const parsed = MessagesSchema.safeParse(context.read("$.messages") ?? []);
  if (parsed.success) return parsed.data;
  throw new OvenError(
    "MESSAGES_INVALID",
    `The conversation cannot be sent: ${firstIssue(parsed.error, "$.messages")}`,
    {
      path: "$.messages",
      fix: "Correct the step that writes it; a message is {role, content}, with text as content",
    },
  );
}

/** Appends to the conversation, and says so in the run's log. */
export function appendMessages(context: Pick<NodeContext, "event">, messages: readonly Message[]): JsonPatchOp[] {
  return messages.map((message) => {
    const value = toJson(message);
    context.event("message.added", { message: value });
    return { op: "add", path: "/messages/-", value };
  });
}

/** What the model said last in its own words: why it wants what it asks for. */
export function lastAssistantText(messages: readonly Message[]): string {
  const last = messages.findLast((message) => message.role === "assistant");
  if (last === undefined || last.role !== "assistant") return "";
  if (typeof last.content === "string") return last.content;
  return last.content.map((part) => (part.type === "text" ? part.text : "")).join("");
}

function toJson(message: Message): Json {
  return message as Json; // cast: messages are parsed from JSON or made of it; their schema is loose, its type is not
}
