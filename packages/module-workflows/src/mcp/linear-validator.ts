import type { JsonSchemaType, JsonSchemaValidator, JsonSchemaValidatorResult } from "@modelcontextprotocol/server";
import type { JsonObject } from "@oven/contract";
import { violationsOf } from "@oven/engine";

/**
 * Checks arguments against the schemas of workflows, which their authors wrote: interpreted, with patterns in linear time.
 * The SDK's own validators compile them to code, or hand patterns to an engine that backtracks.
 */
export const linearValidator = {
  getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
    return (input) => check(schema as JsonObject, input); // cast: a schema is JSON
  },
};

/** The same by another schema than the one that is shown, as it is when something is checked. */
export function validatorFor(schema: () => JsonObject): typeof linearValidator {
  return { getValidator: () => (input) => check(schema(), input) };
}

function check<T>(schema: JsonObject, input: unknown): JsonSchemaValidatorResult<T> {
  const violations = violationsOf(schema, input, "$");
  if (violations.length === 0) return { valid: true, data: input as T, errorMessage: undefined }; // cast: checked
  const errorMessage = violations.map(({ path, message }) => `${path}: ${message}`).join("; ");
  return { valid: false, data: undefined, errorMessage };
}
