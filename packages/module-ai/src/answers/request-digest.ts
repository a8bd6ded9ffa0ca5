import type { Json } from "@oven/contract";
import { hashJson } from "@oven/engine";
import type { ModelRequest } from "../model/model-request.ts";

/** All that an answer depends on, but who asked and how long they would wait. */
export function askedOf(request: ModelRequest, model: string): object {
  const { system, messages, tools, activeTools, toolChoice, outputSchema } = request;
  const { temperature, topP, maxOutputTokens, seed } = request;
  return {
    ...{ model, system, messages, tools, activeTools, toolChoice, outputSchema },
    ...{ temperature, topP, maxOutputTokens, seed },
  };
}

/** SHA-256. */
export function digestOf(asked: object): string {
  // cast: without what is undefined, a request is JSON
  return hashJson(JSON.parse(JSON.stringify(asked)) as Json);
}
