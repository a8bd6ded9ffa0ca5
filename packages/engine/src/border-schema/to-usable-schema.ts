import type { Json, JsonObject } from "@oven/contract";
import { isObject, setOwn } from "../expressions/json-access.ts";
import { patternProblem } from "../validate/linear-schema.ts";
import { isOddAnnotation } from "../validate/schema-keywords.ts";
import { type Note, toNote } from "./note-words.ts";
import { mapSchemas, toDraft2020 } from "./to-2020.ts";
import type { BorderSchema } from "./to-border-schema.ts";

const MAPS: ReadonlySet<string> = new Set(["properties", "dependentSchemas", "$defs", "definitions"]);
const DATA: ReadonlySet<string> = new Set(["const", "enum", "default", "examples", "example"]);

/**
 * A schema of others as values can be checked by it: in the words of 2020-12, without patterns that RE2 cannot take, such as
 * those with a look-ahead, and without comments that 2020-12 writes in another way. What is dropped and restricts values is noted; where a pattern decides which keys a schema is about, that schema is dropped with
 * what it says of other keys.
 */
export function toUsableSchema(schema: JsonObject): BorderSchema {
  const notes: Note[] = [];
  // cast: an object stays one
  return { schema: usable(toDraft2020(schema), "$", notes) as JsonObject, notes };
}

/** What is left out of these would narrow the schema that they stand in. */
const TURNED: ReadonlySet<string> = new Set(["not", "if", "oneOf", "contains"]);

function usable(schema: Json, path: string, notes: Note[]): Json {
  if (Array.isArray(schema)) return schema.map((child, at) => usable(child, `${path}[${at}]`, notes));
  if (!isObject(schema)) return schema;
  const out: JsonObject = {};
  let isOpened = false;
  for (const [key, value] of Object.entries(schema)) {
    if (isOddAnnotation(key, value)) continue;
    if (key === "pattern" && typeof value === "string" && patternProblem(value) !== undefined) {
      notes.push(toNote(path, "pattern", shown(value)));
      continue;
    }
    if (key === "patternProperties" && isObject(value)) {
      const checkable = Object.entries(value).filter(([pattern]) => patternProblem(pattern) === undefined);
      isOpened ||= checkable.length < Object.keys(value).length;
      if (checkable.length > 0)
        out[key] = mapSchemas(Object.fromEntries(checkable), (child) => usable(child, `${path}.*`, notes));
    } else if (TURNED.has(key)) {
      const inner: Note[] = [];
      const child = usable(value, path, inner);
      if (inner.length === 0) setOwn(out, key, child);
      else notes.push(toNote(path, "with-pattern", key));
    } else if (DATA.has(key)) setOwn(out, key, value);
    else if (MAPS.has(key) && isObject(value))
      setOwn(
        out,
        key,
        mapSchemas(value, (child, name) => usable(child, `${path}.${name}`, notes)),
      );
    else setOwn(out, key, usable(value, path, notes));
  }
  if (out.if === undefined) {
    delete out.then;
    delete out.else;
  }
  if (out.contains === undefined) {
    delete out.minContains;
    delete out.maxContains;
  }
  if (isOpened) {
    notes.push(toNote(path, "keys-by-pattern"));
    delete out.additionalProperties;
    delete out.unevaluatedProperties;
  }
  return out;
}

function shown(pattern: string): string {
  return pattern.length <= 80 ? pattern : `${pattern.slice(0, 80)}…`;
}
