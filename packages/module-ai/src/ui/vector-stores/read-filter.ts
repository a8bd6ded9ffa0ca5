import { type VectorFilter, VectorFilterSchema } from "@oven/contract/ai";
import { readTypedJson } from "@oven/ui/components/typed-value.ts";

export type ReadFilter = { ok: true; filter?: VectorFilter } | { ok: false; message: string };

/** What was typed as conditions on metadata; nothing typed is no condition. */
export function readFilter(text: string): ReadFilter {
  if (text.trim() === "") return { ok: true };
  const typed = readTypedJson(text);
  if (!typed.ok) return typed;
  const parsed = VectorFilterSchema.safeParse(typed.value);
  if (parsed.success) return { ok: true, filter: parsed.data };
  return { ok: false, message: 'Such as {"lang": "en", "year": {"gte": 2024}}' };
}
