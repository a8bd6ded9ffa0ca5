import type { McpListedTool } from "@oven/contract/mcp";
import { schemaProblems, toUsableSchema } from "@oven/engine";

const MOST_NAME = 128;
const MOST_DESCRIPTION = 20_000;
const MOST_SCHEMA = 200_000;

/** Why a tool cannot be used as its server lists it. */
export function toolProblem(tool: McpListedTool, timesNamed: number): string | undefined {
  const { name, description, inputSchema, outputSchema } = tool;
  if (/\p{Cc}|\p{Cf}|\uFFFD/u.test(name)) return "Its name has characters that nobody can see";
  if (name.length > MOST_NAME) return `Its name is longer than ${MOST_NAME} characters`;
  if (timesNamed > 1)
    return `The server lists ${timesNamed} tools of this name or id, and it cannot be said which one would run`;
  if (description.length > MOST_DESCRIPTION) return `Its description is longer than ${MOST_DESCRIPTION} characters`;
  for (const [what, schema] of [
    ["inputSchema", inputSchema],
    ["outputSchema", outputSchema],
  ] as const) {
    if (schema === null) continue;
    if (JSON.stringify(schema).length > MOST_SCHEMA) return `Its ${what} is longer than ${MOST_SCHEMA} characters`;
    const [problem] = schemaProblems(toUsableSchema(schema).schema, [what]);
    if (problem !== undefined) return `Its ${what} is no schema: ${problem.message}`;
  }
  return undefined;
}
