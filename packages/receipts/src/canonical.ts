import { isUtf8 } from "node:buffer";
import { hash } from "node:crypto";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** The JSON of RFC 8785: keys sorted by UTF-16 code units, no spaces. A lone surrogate is written as its escape. */
export function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  let members = "";
  // cast: the keys are its own
  for (const key of Object.keys(value).sort())
    members += `${members && ","}${JSON.stringify(key)}:${canonical(value[key] as Json)}`;
  return `{${members}}`;
}

/** SHA-256, in hex. */
export function sha256(text: string): string {
  return hash("sha256", text);
}

/** What cannot be right as it is: a text that is no receipt, a line that was changed. */
export class ReceiptError extends Error {}

/**
 * Reads JSON that stands there in its canonical form only, so that no byte of it can be another one.
 * @throws ReceiptError
 */
export function readCanonical(text: string, what: string): Json {
  try {
    const value: Json = JSON.parse(text);
    if (canonical(value) === text) return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new ReceiptError(`${what} is not JSON in canonical form: bytes of it were changed`);
}

/** @throws ReceiptError when the bytes are no UTF-8 */
export function readText(bytes: Uint8Array, what: string): string {
  if (!isUtf8(bytes)) throw new ReceiptError(`${what} is not UTF-8 text`);
  return Buffer.from(bytes).toString("utf8");
}

/** Where data lives, in which `meta` is a key like any other. */
const DATA = new Set(["input", "context", "payloadSchema", "outputSchema", "output", "params", "collection"]);
/** The keys of objects that have names as keys. */
const NAMES = new Set(["states", "bodyStates", "on", "after"]);

/** The content hash of a definition: `meta`, which only says how it is drawn, is left out. */
export function definitionHash(definition: Json): string {
  return sha256(canonical(withoutMeta(definition)));
}

function withoutMeta(value: Json, isNamed = false): Json {
  if (Array.isArray(value)) return value.map((one) => withoutMeta(one));
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).filter(([key]) => isNamed || key !== "meta");
  const clean = (key: string, child: Json) =>
    !isNamed && DATA.has(key) ? child : withoutMeta(child, !isNamed && NAMES.has(key));
  return Object.fromEntries(entries.map(([key, child]) => [key, clean(key, child)]));
}
