import { isObject, type JsonObject } from "@oven/contract";
import { readParenthesised } from "@oven/contract/workflow";

/** A path of an expression, taken apart. */
export interface ReadPath {
  /** `["trigger", "items", 0]` */
  keys: readonly (string | number)[];
  /** It says what stands there when nothing does: a value, or another path and where that stands in the text. */
  fallback: "value" | { path: string; start: number } | null;
}

const PART = /\.([A-Za-z_][A-Za-z0-9_-]*)|\[(-?\d+)\]|\[("(?:[^"\\]|\\.)*")\]/y;

/** Takes `$.a["b c"][0] | default(1)` apart; null: it is no such path, or one of the configuration. */
export function readPath(text: string): ReadPath | null {
  if (!text.startsWith("$") || text.startsWith("$config")) return null;
  const keys: (string | number)[] = [];
  PART.lastIndex = 1;
  let end = 1;
  for (let found = PART.exec(text); found !== null; found = PART.exec(text)) {
    const [, bare, index, quoted] = found;
    keys.push(bare ?? (quoted === undefined ? Number(index) : String(JSON.parse(quoted))));
    end = PART.lastIndex;
  }
  const rest = text.slice(end).trim();
  if (keys.length === 0 || (rest !== "" && !rest.startsWith("|"))) return null;
  return { keys, fallback: readFallback(text, end) };
}

const DEFAULT = /\|\s*default(?=\s*\()/g;

/**
 * What a path says for when nothing stands there.
 * @param from where its pipes can begin
 */
export function readFallback(text: string, from = 0): ReadPath["fallback"] {
  DEFAULT.lastIndex = from;
  if (DEFAULT.exec(text) === null) return null;
  const start = DEFAULT.lastIndex;
  const found = readParenthesised(text, start);
  const path = found?.inner.trim() ?? "";
  return path.startsWith("$") ? { path, start: text.indexOf("$", start) } : "value";
}

/** What a JSON Schema says about a place in the value. */
export interface Followed {
  /** The schema of the value at the path; undefined: unknown. */
  schema?: JsonObject;
  /** It is there whenever the value is. */
  always: boolean;
  /** The first key that the schema does not have, and those that it has beside it; `open`: the schema says that there are others. */
  unknown?: { key: string; known: readonly string[]; closed: boolean; open?: true };
}

/** Goes from a value's JSON Schema to that of a part of it. */
export function followPath(schema: JsonObject, keys: readonly (string | number)[]): Followed {
  let at = schema;
  let always = true;
  for (const key of keys) {
    if (typeof key === "number") {
      always = false;
      if (!isObject(at.items)) return { always };
      at = at.items;
      continue;
    }
    const { properties, additionalProperties, required } = at;
    if (!isObject(properties)) return { always: false };
    const next = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (next === undefined)
      return {
        always: false,
        unknown: {
          ...{ key, known: Object.keys(properties), closed: additionalProperties === false },
          ...(isOpen(at) ? { open: true } : {}),
        },
      };
    always &&= Array.isArray(required) && required.includes(key);
    if (!isObject(next)) return { always };
    at = next;
  }
  return { schema: at, always };
}

/** It says itself that there are keys beside those that it names. */
function isOpen({ additionalProperties, patternProperties }: JsonObject): boolean {
  return additionalProperties === true || isObject(additionalProperties) || isObject(patternProperties);
}
