import type { JsonObject } from "@oven/contract";

const LONG =
  /message|text|body|content|reply|description|prompt|comment|question|draft|system|instructions|template|query/i;

/** Whether a text takes several lines: its schema says so, or its name does. */
export function isLongText(name: string, schema: JsonObject = {}): boolean {
  return schema.contentMediaType === "text/plain" || LONG.test(name);
}
