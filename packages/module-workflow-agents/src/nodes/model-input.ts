import { JsonObjectSchema } from "@oven/contract";
import { z } from "zod";
import { PrepareStepSchema, ToolChoiceSchema } from "./prepare-step.ts";

/** Whose settings and tools a step has: those of the run's agent, unless it names another. */
export const AgentRefSchema = z
  .union([z.string().min(1), z.int().positive()])
  .optional()
  .describe("Slug or id of the agent whose prompt, model, settings and tools this step has");

/** Inputs that `agent.toolLoop` hands on to its model node. */
export const modelInput = {
  agent: AgentRefSchema,
  system: z.string().optional().describe("System prompt; else that of an earlier agent.prompt, else agentConfig's"),
  model: z.string().min(1).optional().describe("Alias (`fast`) or `providerId:modelId`"),
  temperature: z.number().min(0).max(2).optional(),
  topP: z.number().min(0).max(1).optional(),
  maxOutputTokens: z.int().positive().optional(),
  seed: z.int().optional(),
  tools: z
    .array(z.string().min(1))
    .optional()
    .describe("Tools offered: ids, or patterns such as `orders.*`; `!orders.refund` excepts"),
  toolChoice: ToolChoiceSchema.optional().describe("Whether the model may, must not or must call a tool"),
  outputSchema: JsonObjectSchema.optional().describe(
    "JSON Schema of the answer; it is checked, and `object` has the value",
  ),
  maxCorrections: z
    .int()
    .min(0)
    .max(5)
    .default(2)
    .describe("How often an answer that does not fit the schema is asked for again"),
  streaming: z.boolean().optional().describe("Whether the text is shown as it comes; else streamingEnabled"),
  prepareStep: PrepareStepSchema.optional().describe(
    "Model, tools and tool choice of single steps: `[{from, to, afterTool, model, tools, toolChoice}]`",
  ),
  maxToolContextChars: z
    .int()
    .min(1_000)
    .max(10_000_000)
    .default(200_000)
    .describe("How much of earlier tool results is sent; older ones are left out first"),
};

/** Which answer of a tool loop this is; the loop sets it. */
export const StepSchema = z.int().positive().optional();
