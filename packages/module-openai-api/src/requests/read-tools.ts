import { OvenError } from "@oven/contract";
import { type CallerTool, CallerToolSchema } from "@oven/contract/agent";
import { z } from "zod";
import { unsupported } from "./read-text.ts";

/** A function as chat completions nest it, or as responses have it. */
const FunctionSchema = z.looseObject({
  name: z.string(),
  description: z.string().nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
});

/** The caller's tools, and whether a model may call them. */
export const toolFields = {
  tools: z.array(z.looseObject({ type: z.string() })).nullish(),
  tool_choice: z.unknown().optional(),
};

interface ToolFields {
  tools?: z.infer<typeof toolFields.tools>;
  tool_choice?: unknown;
}

/** @throws OvenError UNSUPPORTED_PARAMETER for tools that are no functions and for calls that are demanded, INVALID_REQUEST */
export function readTools({ tools, tool_choice: choice }: ToolFields): CallerTool[] {
  if (tools == null || tools.length === 0 || choice === "none") return [];
  if (choice != null && choice !== "auto")
    throw unsupported("$.tool_choice", "An agent's model decides by itself what it calls", "Send `auto` or `none`.");
  return tools.map((tool, index) => {
    const path = `$.tools[${index}]`;
    if (tool.type !== "function")
      throw unsupported(path, `A tool of the type ${tool.type} cannot be given`, "Give functions.");
    const { name, description, parameters } = parse(FunctionSchema, tool.function ?? tool, path);
    return parse(
      CallerToolSchema,
      {
        name,
        // A model needs to know what a tool is for; the name says at least that.
        description: description == null || description === "" ? name : description,
        ...(parameters == null ? {} : { parameters }),
      },
      path,
    );
  });
}

function parse<T>(schema: z.ZodType<T>, value: unknown, path: string): T {
  const { data, error } = schema.safeParse(value);
  if (data !== undefined) return data;
  const [issue] = error?.issues ?? [];
  throw new OvenError("INVALID_REQUEST", `The tool cannot be read: ${issue?.path.join(".")}: ${issue?.message}`, {
    path,
  });
}
