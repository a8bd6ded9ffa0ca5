import type { Json, JsonObject } from "@oven/contract";
import { getOwn, isObject, setOwn } from "./json-access.ts";
import { isContentReference } from "./reference.ts";

/** Characters of JSON up to which a value is handed on as it is, and the length of a summary. */
const MAX_INLINE = 500;

/**
 * What `| compressed` hands on: of a reference its id and summary, of a large value `{id, summary}` with its path as the
 * id, and small values as they are, with the references inside them made short.
 */
export function compress(value: Json, source: string): Json {
  const short = shorten(value);
  const text = typeof short === "string" ? short : JSON.stringify(short);
  return text.length <= MAX_INLINE || isShortReference(short) ? short : { id: source, summary: toSummary(short) };
}

/** The first 500 characters of text, or of a value's JSON; never half of a surrogate pair. */
export function toSummary(value: Json): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (text.length <= MAX_INLINE) return text;
  const end = /[\uD800-\uDBFF]/.test(text.charAt(MAX_INLINE - 1)) ? MAX_INLINE - 1 : MAX_INLINE;
  return text.slice(0, end);
}

function shorten(value: Json): Json {
  if (Array.isArray(value)) return value.map(shorten);
  if (!isObject(value)) return value;
  const result: JsonObject = {};
  for (const [key, child] of Object.entries(value)) setOwn(result, key, shorten(child));
  return isContentReference(value) ? toShortReference(value) : result;
}

function toShortReference(reference: JsonObject): JsonObject {
  const blob = getOwn(reference, "$blob");
  const summary = toSummary(getOwn(reference, "summary") ?? "");
  return blob === undefined ? { uuid: getOwn(reference, "uuid") ?? null, summary } : { id: blob, summary };
}

function isShortReference(value: Json): boolean {
  return isObject(value) && Object.hasOwn(value, "summary") && Object.keys(value).length === 2;
}
