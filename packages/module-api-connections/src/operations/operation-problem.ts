import type { ApiOperation } from "@oven/contract/api";
import { schemaProblems, toUsableSchema } from "@oven/engine";

const MOST_SCHEMA = 200_000;

/**
 * Why an operation cannot be called as its document describes it.
 * @param serverUrl of the connection: what it signs in with goes to no other origin
 */
export function operationProblem(operation: ApiOperation, serverUrl: string): string | null {
  if (operation.problem !== null) return operation.problem;
  if (operation.serverUrl !== null) {
    const origin = URL.parse(operation.serverUrl)?.origin;
    if (origin !== new URL(serverUrl).origin)
      return `It is at ${origin ?? "an address that is none"}, not at the connection's server. Connect that server apart`;
  }
  for (const [what, schema] of [
    ["input schema", operation.inputSchema],
    ["output schema", operation.outputSchema],
  ] as const) {
    if (schema === null) continue;
    if (JSON.stringify(schema).length > MOST_SCHEMA) return `Its ${what} is longer than ${MOST_SCHEMA} characters`;
    const [problem] = schemaProblems(toUsableSchema(schema).schema, [what]);
    if (problem !== undefined) return `Its ${what} is no schema: ${problem.message}`;
  }
  return null;
}
