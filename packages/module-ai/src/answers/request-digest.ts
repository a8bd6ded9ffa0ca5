import type { Json } from "@oven/contract";
import type { Message } from "@oven/contract/ai";
import { hashJson } from "@oven/engine";
import type { ModelRequest } from "../model/model-request.ts";

/** All that an answer depends on, but who asked and how long they would wait. */
export function askedOf(request: ModelRequest, model: string): object {
  const { system, messages, tools, activeTools, toolChoice, outputSchema } = request;
  const { temperature, topP, maxOutputTokens, seed } = request;
  return {
    ...{ model, system, messages: messages.map(withoutPlaces), tools, activeTools, toolChoice, outputSchema },
    ...{ temperature, topP, maxOutputTokens, seed },
  };
}

/** A picture counts by its address, else by its content: where it is stored differs from run to run. */
function withoutPlaces(message: Message): object {
  if (message.role !== "user" || typeof message.content === "string") return message;
  const content = message.content.map((part) =>
    part.type === "image" ? { type: part.type, image: part.url ?? part.file?.sha256 } : part,
  );
  return { ...message, content };
}

/** SHA-256. */
export function digestOf(asked: object): string {
  // cast: without what is undefined, a request is JSON
  return hashJson(JSON.parse(JSON.stringify(asked)) as Json);
}
