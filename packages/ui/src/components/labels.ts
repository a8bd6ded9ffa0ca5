import type { JsonObject } from "@oven/contract";

/** `orderId` reads "Order id". */
export function toLabel(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/[_-]+/g, " ")
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const LONG =
  /message|text|body|content|reply|description|prompt|comment|question|draft|system|instructions|template|query/i;

/** Whether a text takes several lines: its schema says so, or its name does. */
export function isLongText(name: string, schema: JsonObject = {}): boolean {
  return schema.contentMediaType === "text/plain" || LONG.test(name);
}
