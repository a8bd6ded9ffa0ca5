import { createHash } from "node:crypto";
import type { Json, JsonObject } from "@oven/contract";
import canonicalize from "canonicalize";
import { isObject, setOwn } from "../expressions/json-access.ts";

/** SHA-256 (hex) of the RFC 8785 JSON. */
export function hashJson(value: Json): string {
  return createHash("sha256")
    .update(canonicalize(wellFormed(value)) ?? "null")
    .digest("hex");
}

/**
 * RFC 8785 knows no lone surrogates, models and tools do produce them: such text is hashed as its JSON escape behind a mark
 * that no text without them begins with.
 */
function wellFormed(value: Json): Json {
  if (typeof value === "string") return value.isWellFormed() ? value : `\u0000${JSON.stringify(value)}`;
  if (Array.isArray(value)) return value.map(wellFormed);
  if (!isObject(value)) return value;
  const result: JsonObject = {};
  for (const [key, child] of Object.entries(value))
    setOwn(result, key.isWellFormed() ? key : `\u0000${JSON.stringify(key)}`, wellFormed(child));
  return result;
}

/** The hash that pins a definition's version; `meta` (of states and transitions too) is left out. */
export function contentHash(definition: JsonObject): string {
  return hashJson(withoutMeta(definition));
}

/** Where data lives, in which `meta` is a key like any other. */
const DATA_KEYS: ReadonlySet<string> = new Set([
  "input",
  "context",
  "payloadSchema",
  "outputSchema",
  "output",
  "params",
  "collection",
]);
/** The keys of objects that have names as keys. One of these names may be `meta`. */
const NAME_KEYS: ReadonlySet<string> = new Set(["states", "bodyStates", "on", "after"]);

function withoutMeta(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutMeta);
  if (!isObject(value)) return value;
  const result: JsonObject = {};
  for (const [key, child] of Object.entries(value)) {
    if (key === "meta") continue;
    if (NAME_KEYS.has(key) && isObject(child)) {
      const named: JsonObject = {};
      for (const [name, member] of Object.entries(child)) setOwn(named, name, withoutMeta(member));
      setOwn(result, key, named);
    } else setOwn(result, key, DATA_KEYS.has(key) ? child : withoutMeta(child));
  }
  return result;
}
