import { JsonObjectSchema } from "@oven/contract";
import { z } from "zod";

/** What the tool of an agent takes. */
export const AskSchema = z.strictObject({
  message: z.string().min(1).describe("What the agent is asked"),
  data: JsonObjectSchema.optional().describe("Structured input, where the agent takes it"),
  contextId: z.string().max(200).optional().describe("`contextId` of an earlier answer: the conversation goes on"),
});
