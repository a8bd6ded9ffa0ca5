import type { Json, JsonObject } from "@oven/contract";
import { isObject, setOwn } from "./json-access.ts";
import { toText } from "./text.ts";

/*
 * A value with `| full` needs content that planning cannot read. What planning knows is kept in this form, and the content
 * is read when the node is called. Structure and data are kept apart, so that data can never pass for structure.
 */

/** Data as it stands, a reference to be followed, text in parts, a list, or an object as entries. */
export type Late =
  | { v: Json }
  | { r: JsonObject }
  | { t: (string | { r: JsonObject })[] }
  | { l: Late[] }
  | { o: [string, Late][] };

/** Reads what a reference stands for. */
export type LoadContent = (reference: JsonObject) => Promise<Json>;

/** The value with its references followed. @throws what `load` throws */
export async function expandLate(late: Late, load: LoadContent): Promise<Json> {
  if ("v" in late) return late.v;
  if ("r" in late) return load(late.r);
  if ("t" in late) {
    const parts = await Promise.all(
      late.t.map(async (part) => (typeof part === "string" ? part : toText(await load(part.r)))),
    );
    return parts.join("");
  }
  if ("l" in late) return Promise.all(late.l.map((item) => expandLate(item, load)));
  const result: JsonObject = {};
  for (const [key, child] of late.o) setOwn(result, key, await expandLate(child, load));
  return result;
}

/** The value as it is shown: references stay, and stand in text with their summary. */
export function showLate(late: Late): Json {
  if ("v" in late) return late.v;
  if ("r" in late) return late.r;
  if ("t" in late)
    return late.t.map((part) => (typeof part === "string" ? part : toText(part.r.summary ?? null))).join("");
  if ("l" in late) return late.l.map(showLate);
  const result: JsonObject = {};
  for (const [key, child] of late.o) setOwn(result, key, showLate(child));
  return result;
}

/** Reads back what planning stored. @throws Error when it is something else */
export function parseLate(stored: Json): Late {
  if (isObject(stored)) {
    const { v, r, t, l, o } = stored;
    if (v !== undefined) return { v };
    if (isObject(r)) return { r };
    if (Array.isArray(t)) return { t: t.map(parsePart) };
    if (Array.isArray(l)) return { l: l.map(parseLate) };
    if (Array.isArray(o)) return { o: o.map(parseEntry) };
  }
  throw malformed();
}

function parsePart(part: Json): string | { r: JsonObject } {
  if (typeof part === "string") return part;
  if (isObject(part) && isObject(part.r)) return { r: part.r };
  throw malformed();
}

function parseEntry(entry: Json): [string, Late] {
  if (Array.isArray(entry) && typeof entry[0] === "string") return [entry[0], parseLate(entry[1] ?? null)];
  throw malformed();
}

function malformed(): Error {
  return new Error("a stored input cannot be read back");
}
