import { JsonObjectSchema, OvenError } from "@oven/contract";
import { schemaProblems } from "@oven/engine";
import { FOLLOWING_TOOLS } from "@oven/module-workflows";
import { z } from "zod";

export const McpConfigSchema = z.strictObject({
  tool: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,62}$/, "small letters, digits and _, such as file_claim")
    .optional()
    .describe("What the tool is called; left out, it is made from the trigger's name"),
  description: z.string().trim().min(1).max(2_000).optional().describe("What clients are told that it does"),
  inputSchema: JsonObjectSchema.optional().describe(
    "JSON Schema of the arguments; left out, the workflow's payload schema, or any object where the trigger computes the input",
  ),
});
export type McpConfig = z.output<typeof McpConfigSchema>;

/** @throws OvenError INVALID_TRIGGER with the place */
export function checkMcp({ tool, inputSchema }: McpConfig): void {
  if (tool !== undefined && FOLLOWING_TOOLS.has(tool))
    throw invalid("$.config.tool", `${tool} is the name of a tool that follows runs`, "Choose another name.");
  if (inputSchema === undefined) return;
  const { type = "object" } = inputSchema;
  if (type !== "object")
    throw invalid("$.config.inputSchema.type", "Arguments are an object", 'Write "type": "object".');
  const [problem] = schemaProblems(inputSchema, ["config", "inputSchema"]);
  if (problem !== undefined) throw invalid(problem.path, problem.message, problem.fix);
}

function invalid(path: string, message: string, fix: string): OvenError {
  return new OvenError("INVALID_TRIGGER", message, { status: 400, path, fix });
}
