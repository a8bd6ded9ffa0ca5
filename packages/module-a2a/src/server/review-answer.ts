import { type Json, OvenError } from "@oven/contract";
import type { McpPending } from "@oven/contract/mcp";
import { z } from "zod";
import type { MessageContent } from "./message-input.ts";

/** What decides a review, as `data` of a message. Without a digest it is about what the caller was shown last. */
const AnswerSchema = z.strictObject({
  action: z.string().min(1),
  reviewId: z.int().positive().optional(),
  digest: z.string().optional(),
  data: z.custom<Json>().optional(),
  reason: z.string().optional(),
});

export interface Asked {
  reviewId: number;
  digest: string;
}

export interface ReviewDecision extends Asked {
  action: string;
  data?: Json;
  reason?: string;
}

/** The review that a message names as the one it decides. */
export function reviewNamedIn({ data }: MessageContent): number | undefined {
  return AnswerSchema.safeParse(data).data?.reviewId;
}

/**
 * What a message to a task that asks decides.
 * @param asked what the caller was shown last
 * @param pending the reviews that it may decide
 * @throws OvenError INVALID_INPUT, REVIEW_CHANGED
 */
export function toDecision(
  { data, text }: MessageContent,
  asked: Asked | null,
  pending: readonly McpPending[],
): ReviewDecision {
  const [first] = pending;
  const given = data === undefined ? toAnswer(text ?? "", first) : AnswerSchema.safeParse(data).data;
  if (given === undefined)
    throw new OvenError("INVALID_INPUT", "The message does not say what is decided", {
      fix: `Send a data part {"action": one of ${(first?.actions ?? []).join(", ")}, "reviewId", "digest"}.`,
    });
  const { reviewId = asked?.reviewId, digest = asked?.digest, ...decision } = given;
  if (reviewId === undefined || digest === undefined)
    throw new OvenError("INVALID_INPUT", "It is not known what the caller was shown", {
      fix: "Read the task, and send the answer with its reviewId and digest.",
    });
  return { reviewId, digest, ...decision };
}

/** A text that is an action, an action with its reason (`reject: too much`), or the answer where one text is asked for. */
function toAnswer(text: string, pending: McpPending | undefined): z.output<typeof AnswerSchema> | undefined {
  if (pending === undefined) return undefined;
  const { actions, schema } = pending;
  const [word = "", ...rest] = text.split(":");
  const action = word.trim().toLowerCase();
  if (actions.includes(action)) {
    const reason = rest.join(":").trim();
    return { action, ...(reason === "" ? {} : { reason }) };
  }
  if (!actions.includes("submit")) return undefined;
  const fields = Object.keys((schema?.properties ?? {}) as object); // cast: a schema's properties
  const [field] = fields;
  return fields.length === 1 && field !== undefined ? { action: "submit", data: { [field]: text } } : undefined;
}
