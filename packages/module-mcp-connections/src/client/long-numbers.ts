import type { CallToolResult } from "@modelcontextprotocol/client";
import { isObject, type LongNumber, longNumbersAsText, type ReadJson } from "@oven/contract";
import { z } from "zod";

/*
 * The MCP client parses messages by itself, and rounds numbers. So a message with a number that would be changed in the structured content
 * of a result is rewritten before the client reads it: such a number is text, and `_meta` says where. Elsewhere numbers only
 * describe, such as the largest value in a tool's schema.
 */

const KEY = "oven/longNumbers";
const CONTENT = ["result", "structuredContent"];

const NumbersSchema = z.array(z.object({ path: z.array(z.union([z.string(), z.number()])), text: z.string() }));

/** The text of a message for the client to read. */
export function exactMessage(text: string): string {
  return longNumbersAsText(text, (path) => CONTENT.every((part, index) => path[index] === part), note);
}

function note({ value, longNumbers }: ReadJson): void {
  if (!isObject(value) || !isObject(value.result)) return;
  const { result } = value;
  const numbers = longNumbers.map(({ path, text }) => ({ path: path.slice(CONTENT.length).map(toKey), text }));
  result._meta = { ...(isObject(result._meta) ? result._meta : {}), [KEY]: numbers };
}

function toKey(part: PropertyKey): string | number {
  return typeof part === "number" ? part : String(part);
}

/** The numbers of a result that are text in it because they would have been changed. Paths begin in the structured content. */
export function longNumbersOf({ _meta }: CallToolResult): LongNumber[] {
  return NumbersSchema.safeParse(_meta?.[KEY]).data ?? [];
}
