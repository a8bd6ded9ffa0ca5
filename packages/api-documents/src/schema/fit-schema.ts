import { isObject, type Json, type JsonObject, setOwn } from "@oven/contract";
import { textOf } from "./keywords.ts";
import type { ConvertedSchema, SchemaLibrary } from "./schema-library.ts";

const PREFIX = "#/$defs/";
const MAPS: ReadonlySet<string> = new Set(["properties", "patternProperties", "dependentSchemas", "$defs"]);
const DATA: ReadonlySet<string> = new Set(["const", "enum", "default", "examples", "required"]);
const SHORT_TEXT = 120;
/** How deep a schema is left, and how long its texts, one after the other until it is small enough. */
const CUTS = [
  { depth: 60, text: SHORT_TEXT },
  { depth: 12, text: SHORT_TEXT },
  { depth: 8, text: 60 },
  { depth: 6, text: 0 },
  { depth: 4, text: 0 },
  { depth: 2, text: 0 },
] as const;

/** A schema with what it refers to, and whether something of it was left open. */
export interface FittedSchema {
  schema: JsonObject;
  isCut: boolean;
}

/**
 * A schema with the definitions that it refers to as its `$defs`, nearest first, as many as fit; what does not is left open.
 * @param most characters as JSON
 */
export function fitSchema(top: ConvertedSchema, library: SchemaLibrary, most: number): FittedSchema {
  if (top.size > most * 0.75) return withDefinitions(shrunk(top, most * 0.75), library, most, true);
  return withDefinitions(top, library, most, false);
}

function withDefinitions(top: ConvertedSchema, library: SchemaLibrary, most: number, wasCut: boolean): FittedSchema {
  for (let share = 1; share > 0.1; share *= 0.7) {
    const { included, left } = collect(top, library, most * share);
    const schema = assemble(top, library, included, left);
    if (JSON.stringify(schema).length <= most) return { schema, isCut: wasCut || left.size > 0 };
  }
  return { schema: assemble(top, library, new Set(), top.refs), isCut: true };
}

function collect(top: ConvertedSchema, library: SchemaLibrary, most: number) {
  const included = new Set<string>();
  const left = new Set<string>();
  const open = [...top.refs];
  let size = top.size;
  for (const name of open) {
    if (included.has(name) || left.has(name)) continue;
    const definition = library.definition(name);
    const needed = definition.size + name.length + 4;
    if (size + needed > most) {
      left.add(name);
      continue;
    }
    size += needed;
    included.add(name);
    open.push(...definition.refs);
  }
  return { included, left };
}

function assemble(
  top: ConvertedSchema,
  library: SchemaLibrary,
  included: ReadonlySet<string>,
  left: ReadonlySet<string>,
): JsonObject {
  const stubs = new Map([...left].map((name) => [name, stubOf(library.definition(name).schema)]));
  const close = (schema: Json): Json => (stubs.size === 0 ? schema : mapReferences(schema, stubs));
  const schema = close(top.schema);
  const out: JsonObject = isObject(schema) ? { ...schema } : {};
  const definitions: JsonObject = {};
  for (const name of [...included].sort()) setOwn(definitions, name, close(library.definition(name).schema));
  return included.size === 0 ? out : { ...out, $defs: definitions };
}

/** What is said of a definition that is left open. */
function stubOf(schema: Json): JsonObject {
  if (!isObject(schema)) return {};
  return schema.type === undefined ? {} : { type: schema.type };
}

function mapReferences(schema: Json, stubs: ReadonlyMap<string, JsonObject>): Json {
  return mapSchemas(schema, (each) => {
    const open = withoutTurned(each);
    if (typeof open.$ref !== "string" || !open.$ref.startsWith(PREFIX)) return open;
    const stub = stubs.get(open.$ref.slice(PREFIX.length));
    if (stub === undefined) return open;
    const { $ref: _ref, ...beside } = open;
    return { ...stub, ...beside };
  });
}

/** Where something is left open, these would refuse more than before. */
function withoutTurned({ not: _not, if: _if, then: _then, else: _else, ...others }: JsonObject): JsonObject {
  return others;
}

/** A schema with each schema in it changed, the outer ones first. Data in it stays. */
function mapSchemas(schema: Json, change: (schema: JsonObject) => JsonObject): Json {
  if (Array.isArray(schema)) return schema.map((each) => mapSchemas(each, change));
  if (!isObject(schema)) return schema;
  const out: JsonObject = {};
  for (const [key, value] of Object.entries(change(schema))) {
    if (DATA.has(key)) setOwn(out, key, value);
    else if (MAPS.has(key) && isObject(value)) {
      const map: JsonObject = {};
      for (const [name, each] of Object.entries(value)) setOwn(map, name, mapSchemas(each, change));
      out[key] = map;
    } else setOwn(out, key, mapSchemas(value, change));
  }
  return out;
}

/** A schema that is too large in itself: with shorter texts, then open below some depth. */
function shrunk(top: ConvertedSchema, most: number): ConvertedSchema {
  for (const { depth, text } of CUTS) {
    const schema = cutBelow(top.schema, depth, text);
    const size = JSON.stringify(schema).length;
    if (size <= most) return { schema, refs: referencesIn(schema), size };
  }
  const { type = "object" } = isObject(top.schema) ? top.schema : {};
  return { schema: { type }, refs: new Set(), size: 20 };
}

function cutBelow(schema: Json, depth: number, text: number): Json {
  if (Array.isArray(schema)) return schema.map((each) => cutBelow(each, depth, text));
  if (!isObject(schema)) return schema;
  if (depth === 0) return stubOf(schema);
  const out: JsonObject = {};
  for (const [key, value] of Object.entries(withoutTurned(schema))) {
    if (key === "examples") continue;
    if (key === "description" || key === "title") {
      if (text > 0) out[key] = textOf(value, text);
    } else if (DATA.has(key)) setOwn(out, key, value);
    else if (MAPS.has(key) && isObject(value)) {
      const map: JsonObject = {};
      for (const [name, each] of Object.entries(value)) setOwn(map, name, cutBelow(each, depth - 1, text));
      out[key] = map;
    } else setOwn(out, key, cutBelow(value, depth - 1, text));
  }
  return out;
}

function referencesIn(schema: Json): Set<string> {
  const found = new Set<string>();
  mapSchemas(schema, (each) => {
    if (typeof each.$ref === "string" && each.$ref.startsWith(PREFIX)) found.add(each.$ref.slice(PREFIX.length));
    return each;
  });
  return found;
}
