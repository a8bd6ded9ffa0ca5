import { JsonObjectSchema } from "@oven/contract";
import { z } from "zod";
import { PrepareStepSchema, ToolChoiceSchema } from "./prepare-step.ts";

/** Whose settings and tools a step has: those of the run's agent, unless it names another. */
export const AgentRefSchema = z
  .union([z.string().min(1), z.int().positive()])
  .optional()
  .describe("The agent whose prompt, model, settings and tools this step has");

/** The alias that is asked where neither step, agent nor workflow names a model. */
export const DEFAULT_MODEL = "fast";

/** Inputs that `agent.toolLoop` hands on to its model node. */
export const modelInput = {
  agent: AgentRefSchema,
  system: z
    .string()
    .optional()
    .describe("How the model is to behave. Otherwise that of an earlier Prompt step, or the workflow's")
    .meta({ "x-default-at": "agentConfig.system" }),
  model: z
    .string()
    .min(1)
    .optional()
    .describe("An alias such as `fast`, or a model such as `openai:gpt-4o`")
    .meta({ "x-default-at": "agentConfig.model", "x-default": DEFAULT_MODEL }),
  temperature: z
    .number()
    .min(0)
    .max(2)
    .optional()
    .describe("0: always the likeliest answer; higher: more varied")
    .meta({ "x-default-at": "agentConfig.temperature" }),
  topP: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe("Only the likeliest words that make up this share are considered")
    .meta({ "x-default-at": "agentConfig.topP" }),
  maxOutputTokens: z
    .int()
    .positive()
    .optional()
    .describe("How long the answer may be")
    .meta({ "x-default-at": "agentConfig.maxOutputTokens" }),
  seed: z.int().optional().describe("The same seed makes answers more alike, where the model supports it"),
  tools: z
    .array(z.string().min(1))
    .optional()
    .describe("What the model may use. `orders.*` means all of a group, `!orders.refund` all but that one")
    .meta({ "x-default-at": "agentConfig.tools" }),
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
  streaming: z
    .boolean()
    .optional()
    .describe("Whether the text is shown while it is written")
    .meta({ "x-default-at": "streamingEnabled" }),
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
