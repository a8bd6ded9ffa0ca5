import type { Json } from "@oven/contract";
import { hashJson } from "@oven/engine";
import type { ModelRequest } from "../model/model-request.ts";

/** SHA-256 of all that an answer depends on, but who asked and how long they would wait. */
export function digestOf(request: ModelRequest, model: string): string {
  const { system, messages, tools, activeTools, toolChoice, outputSchema } = request;
  const { temperature, topP, maxOutputTokens, seed } = request;
  const asked = {
    ...{ model, system, messages, tools, activeTools, toolChoice, outputSchema },
    ...{ temperature, topP, maxOutputTokens, seed },
  };
  // cast: without what is undefined, a request is JSON
  return hashJson(JSON.parse(JSON.stringify(asked)) as Json);
}
