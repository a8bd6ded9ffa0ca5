import { type VectorFilter, VectorFilterSchema } from "@oven/contract/ai";

export type ReadFilter = { ok: true; filter?: VectorFilter } | { ok: false; message: string };

/** What was typed as conditions on metadata; nothing typed is no condition. */
export function readFilter(text: string): ReadFilter {
  if (text.trim() === "") return { ok: true };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { ok: false, message: `Not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
  const parsed = VectorFilterSchema.safeParse(value);
  if (parsed.success) return { ok: true, filter: parsed.data };
  return { ok: false, message: 'Such as {"lang": "en", "year": {"gte": 2024}}' };
}
