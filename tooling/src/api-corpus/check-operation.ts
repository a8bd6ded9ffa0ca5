import { toRequest } from "../../../packages/api-documents/src/request/to-request.ts";
import { generateInput } from "../../../packages/api-documents/src/testing/generate-input.ts";
import type { ApiOperation } from "../../../packages/contract/src/doors/api.ts";
import { isOvenError, type JsonObject } from "../../../packages/contract/src/index.ts";
import { schemaProblems, toUsableSchema, violationsOf } from "../../../packages/engine/src/index.ts";

/** What is wrong with an operation, by kinds of which a report counts how often they come. */
export interface OperationCheck {
  problems: string[];
  /** A generated input that the schema takes became a request. */
  isRequested: boolean;
}

/** Checks schemas of an operation as the engine does, and makes a request of a generated input. */
export function checkOperation(operation: ApiOperation, serverUrl: string): OperationCheck {
  const problems: string[] = [];
  if (!/^[A-Za-z0-9_]{1,64}$/.test(operation.name))
    problems.push("the name is not one of letters, digits and underscores");
  const input = usable(operation.inputSchema, "input", problems);
  if (operation.outputSchema !== null) usable(operation.outputSchema, "output", problems);
  const value = generateInput(input);
  const isFit = violationsOf(input, value, "$").length === 0;
  try {
    const { url } = toRequest(operation, value, serverUrl);
    const sent = new URL(url);
    if (!sent.href.startsWith(operation.serverUrl ?? serverUrl)) problems.push("the request goes elsewhere");
    return { problems, isRequested: isFit };
  } catch (error) {
    if (!isOvenError(error)) throw error;
    problems.push(`no request: ${error.message.replace(/for .*|header \S+/, "…")}`);
    return { problems, isRequested: false };
  }
}

function usable(schema: JsonObject, what: string, problems: string[]): JsonObject {
  const { schema: found } = toUsableSchema(schema);
  for (const { message } of schemaProblems(found, []))
    problems.push(`the ${what} schema: ${message.replace(/^"[^"]*"/, "…").slice(0, 120)}`);
  return found;
}
