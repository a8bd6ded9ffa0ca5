import type { JsonObject } from "@oven/contract";

/** Words that are written in capitals. */
const ACRONYMS = /\b(api|csv|html|http|https|json|mcp|pdf|sql|uri|url|xml)\b/g;

/** `orderId` reads "Order id", `imageUrl` "Image URL". */
export function toLabel(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/[_-]+/g, " ")
    .trim()
    .toLowerCase()
    .replace(ACRONYMS, (word) => word.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const LONG =
  /message|text|body|content|reply|description|prompt|comment|question|draft|system|instructions|template|query/i;

/** Whether a text takes several lines: its schema says so, or its name does. */
export function isLongText(name: string, schema: JsonObject = {}): boolean {
  return schema.contentMediaType === "text/plain" || LONG.test(name);
}
