import { z } from "zod";
import type { JsonObject } from "../../../../packages/contract/src/index.ts";
import type { RecordedRequest } from "../../../../packages/testing/src/index.ts";

const RequestSchema = z.object({
  messages: z.array(z.object({ role: z.string(), content: z.unknown() })),
  tools: z.array(z.object({ function: z.object({ name: z.string() }) })).default([]),
});

/** What a model of the bench reads of a request. */
export interface ReadRequest {
  /** Whether the builder asks: it offers tools that build. */
  isBuilder: boolean;
  /** What the person said first. */
  first: string;
  /** What came after the model's last answer: results of its calls, else what was said to it. */
  news: { role: string; text: string }[];
}

export function readRequest({ body }: RecordedRequest): ReadRequest {
  const { messages, tools } = RequestSchema.parse(body);
  const last = messages.findLastIndex(({ role }) => role === "assistant");
  const first = messages.find(({ role }) => role === "user");
  return {
    isBuilder: tools.some(({ function: { name } }) => name.startsWith("build_")),
    first: toText(first?.content),
    news: messages.slice(last + 1).map(({ role, content }) => ({ role, text: toText(content) })),
  };
}

function toText(content: unknown): string {
  return typeof content === "string" ? content : JSON.stringify(content ?? "");
}

const ProblemsSchema = z.object({
  problems: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  draft_revision: z.number().nullish(),
  cases: z
    .array(z.object({ passed: z.boolean(), runId: z.number().nullable(), reason: z.string().nullable() }))
    .optional(),
});
export type ToolNews = z.infer<typeof ProblemsSchema>;

/** The answer of a tool, where it is one of those that name problems. */
export function readAnswer(text: string): ToolNews {
  try {
    const parsed = ProblemsSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : {};
  } catch (error) {
    // Errors come as words.
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

/** Words as a model would count them: four characters each. */
export function countTokens(value: JsonObject | string): number {
  return Math.ceil((typeof value === "string" ? value : JSON.stringify(value)).length / 4);
}
