import type { Json } from "@oven/contract";

/** How a value stands in rendered text: text as is, null empty, everything else as JSON. */
export function toText(value: Json): string {
  if (typeof value === "string") return value;
  return value === null ? "" : JSON.stringify(value);
}
