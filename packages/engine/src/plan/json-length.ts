import type { Json } from "@oven/contract";

/**
 * About how many characters a value has as JSON. Counting stops beyond `limit`: a value whose parts are shared may be far larger
 * as text than in memory.
 */
export function jsonLength(value: Json, limit: number): number {
  let length = 0;
  const open: Json[] = [value];
  for (let next = open.pop(); next !== undefined && length <= limit; next = open.pop()) {
    if (typeof next === "string") length += next.length + 3;
    else if (typeof next !== "object" || next === null) length += 5;
    else if (Array.isArray(next)) {
      length += 3 + next.length;
      if (length <= limit) for (const child of next) open.push(child);
    } else {
      length += 3;
      for (const [key, child] of Object.entries(next)) {
        length += key.length + 4;
        open.push(child);
      }
    }
  }
  return length;
}
