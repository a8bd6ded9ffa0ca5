import type { JsonSchemaValidatorResult } from "@modelcontextprotocol/server";

/** For tools that look at their arguments themselves: the schema is shown to clients, and no call is turned away unseen. */
export const acceptAll = {
  getValidator<T>(): (input: unknown) => JsonSchemaValidatorResult<T> {
    return (input) => ({ valid: true, data: input as T, errorMessage: undefined }); // cast: the caller checks it
  },
};
