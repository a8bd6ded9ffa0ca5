import { type Json, JsonSchema } from "@oven/contract";
import type { Message } from "@oven/contract/ai";
import type { ToolCallRecord } from "@oven/contract/node";
import { z } from "zod";

/** What the row of one tool call holds. */
export const ItemOutcomeSchema = z.strictObject({
  /** As they were run: edited ones when a person changed them. */
  arguments: JsonSchema,
  result: JsonSchema.optional(),
  error: z.string().optional(),
  edited: z.boolean().optional(),
});
export type ItemOutcome = z.infer<typeof ItemOutcomeSchema>;

/** The message that gives the model its results, matched by call id. */
export function toToolMessage(
  outcomes: readonly { record: ToolCallRecord; edited: boolean }[],
  toShown: (tool: string, result: Json) => Json,
): Message {
  return {
    role: "tool",
    content: outcomes.map(({ record, edited }) => ({
      type: "tool-result",
      toolCallId: record.toolCallId,
      toolName: record.tool,
      output: toOutput(record, edited, toShown),
    })),
  };
}

const MAX_ERROR = 4_000;

type Output = Extract<Message, { role: "tool" }>["content"][number]["output"];

function toOutput(
  { tool, result, error, arguments: given }: ToolCallRecord,
  edited: boolean,
  toShown: (tool: string, result: Json) => Json,
): Output {
  if (error !== undefined) return { type: "error-text", value: error.slice(0, MAX_ERROR) };
  const value = toShown(tool, result ?? null);
  // The model asked for something else than what ran; without this it would report what it asked for.
  return {
    type: "json",
    value: edited ? { note: "A person changed the arguments", arguments: given, result: value } : value,
  };
}
