import type { JsonObject } from "@oven/contract";
import type { ModelReply } from "@oven/testing";

/** What a model was asked. */
export interface AskedModel {
  model: string;
  system: string;
  user: string;
  tools: string[];
  body: string;
}

/** An answer of a model: an object as JSON. */
export const json = (value: unknown): ModelReply => ({ text: JSON.stringify(value), usage: { input: 10, output: 5 } });

/** A request of a model, as it came over the wire. */
export function toAsked(body: JsonObject): AskedModel {
  // cast: the wire's own shape
  const { messages, tools, model } = body as unknown as {
    model: string;
    messages: { role: string; content: unknown }[];
    tools?: { function: { name: string } }[];
  };
  const of = (role: string) => messages.filter((one) => one.role === role).map(({ content }) => String(content));
  return {
    model,
    system: of("system").join("\n"),
    user: of("user").join("\n---\n"),
    tools: (tools ?? []).map((tool) => tool.function.name),
    body: JSON.stringify(body),
  };
}
