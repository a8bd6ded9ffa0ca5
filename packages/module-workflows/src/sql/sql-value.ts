import { isOvenError, type Json, readJson } from "@oven/contract";
import { isTooDeep } from "@oven/module-registry";

/** Type ids of PostgreSQL, which never change. */
const BOOL = 16;
const JSON_TYPES: ReadonlySet<number> = new Set([114, 3802]);
const INTEGERS: ReadonlySet<number> = new Set([20, 21, 23]);
const FLOATS: ReadonlySet<number> = new Set([700, 701]);
const TIMESTAMPTZ = 1184;
const UTC_INSTANT = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)\+00$/;

/**
 * A value as JSON: booleans, numbers that JSON holds exactly, JSON itself (with numbers that it does not hold exactly as text), instants in
 * ISO-8601 UTC; everything else (also `numeric`, which has more digits than a number) as the server writes it.
 */
export function toSqlJson(text: string | null, type: number): Json {
  if (text === null) return null;
  if (type === BOOL) return text === "t";
  if (INTEGERS.has(type)) return Number.isSafeInteger(Number(text)) ? Number(text) : text;
  if (FLOATS.has(type)) return Number.isFinite(Number(text)) ? Number(text) : text;
  if (type === TIMESTAMPTZ) return text.replace(UTC_INSTANT, "$1T$2Z");
  if (!JSON_TYPES.has(type)) return text;
  return toJson(text);
}

/** What is too deep for what handles it stays text. */
function toJson(text: string): Json {
  try {
    const { value } = readJson(text);
    return isTooDeep(value) ? text : value;
  } catch (error) {
    if (isOvenError(error)) return text;
    throw error;
  }
}

/** A parameter as the driver binds it; the server takes its type from where it stands. */
export function toSqlParameter(value: Json): string | number | boolean | null {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : value;
}
