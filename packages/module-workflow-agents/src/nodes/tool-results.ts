import { type Json, JsonSchema } from "@oven/contract";
import type { Message } from "@oven/contract/ai";
import type { ToolCallRecord } from "@oven/contract/node";
import { type BlobReference, BlobReferenceSchema } from "@oven/contract/run";
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
  filesOf: (tool: string, result: Json) => BlobReference[] = () => [],
): Message {
  return {
    role: "tool",
    content: outcomes.map(({ record, edited }) => {
      const files = record.error === undefined ? filesOf(record.tool, record.result ?? null) : [];
      return {
        type: "tool-result",
        toolCallId: record.toolCallId,
        toolName: record.tool,
        output: toOutput(record, edited, toShown),
        ...(files.length === 0 ? {} : { files }),
      };
    }),
  };
}

/** Pictures and sounds among what a tool of an outside server answered. */
export function filesIn(result: Json): BlobReference[] {
  const { attachments } = AttachedSchema.safeParse(result).data ?? { attachments: [] };
  return attachments.flatMap((attachment) => {
    const { data } = BlobReferenceSchema.safeParse(attachment.content ?? attachment);
    return data !== undefined && /^(?:image|audio)\//.test(data.mediaType) ? [data] : [];
  });
}

const AttachedSchema = z.looseObject({ attachments: z.array(z.looseObject({ content: JsonSchema.optional() })) });

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
