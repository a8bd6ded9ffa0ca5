import {
  format,
  ignoredKeyword,
  type OutputUnit,
  type Schema,
  schemaMapKeyword,
  Validator,
} from "@cfworker/json-schema";
import { type Json, type JsonObject, LONG_NUMBER_FORMATS } from "@oven/contract";
import { RE2JS } from "re2js";
import { toDraft2020 } from "../border-schema/to-2020.ts";
import { isObject } from "../expressions/json-access.ts";
import { compilePattern, matchesPattern } from "../expressions/regex.ts";

/*
 * The validator hands `pattern` and `patternProperties` to JavaScript's regular expressions, which backtrack: one pattern
 * and 30 characters can hold the process for minutes. Here a schema is rewritten so that none of them reaches it:
 * `pattern` becomes a format that RE2 decides, `patternProperties` becomes `properties` of the keys that RE2 finds in the
 * value. Both run in linear time.
 */

const RE2 = "re2:";
/** Keys looked at times objects that are checked against them: beyond it a small body would cost seconds. */
const MAX_KEY_CHECKS = 1_000_000;

const BUILT_IN = { ...format } as Record<string, ((text: string) => boolean) | undefined>; // cast: formats take texts
/** Longer than any e-mail address, host name or URL in use. The library's expressions are quadratic at worst. */
const MAX_FORMATTED = 4_096;

for (const [name, isValid] of Object.entries(BUILT_IN)) {
  if (isValid !== undefined)
    format[name as keyof typeof format] = (text) => text.length <= MAX_FORMATTED && isValid(text); // cast: a key of it
}
// Numbers that are longer than a double holds are text.
format.int64 = (text) => /^-?\d{1,19}$/.test(text) && BigInt(text) === BigInt.asIntN(64, BigInt(text));
format.uint64 = (text) => /^\d{1,20}$/.test(text) && BigInt(text) === BigInt.asUintN(64, BigInt(text));
format.decimal = (text) => text.length <= MAX_FORMATTED && /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text);
// Not a format of the standard; the library's expression for it is exponential.
format.url = (text) => text.length <= MAX_FORMATTED && URL.canParse(text);
// Also takes `toString` and `__proto__` away, which a schema could name as formats.
Object.setPrototypeOf(
  format,
  new Proxy(Object.create(null), {
    get: (_target, name) =>
      typeof name === "string" && name.startsWith(RE2)
        ? (text: string) => isMatch(name.slice(RE2.length), text)
        : undefined,
  }),
);

/** What a validator reports of `value`, and only what is specific: a pattern that RE2 cannot take matches nothing. */
export function checkLinear(schema: JsonObject, value: unknown): OutputUnit[] {
  if (!usesPatternProperties(schema)) return report(validatorOf(schema), value);
  const keys = collectKeys(value);
  if (keys.names.length * keys.objects > MAX_KEY_CHECKS) {
    const error = "There are too many different keys to check them against patternProperties.";
    return [{ instanceLocation: "#", keyword: "patternProperties", keywordLocation: "#/patternProperties", error }];
  }
  return report(toValidator(schema, keys.names), value);
}

/** Those that were made last, by their schema as JSON: to make one takes longer than to use it. */
const validators = new Map<string, Validator>();
const MOST_KEPT = 500;
/** Characters of a schema; a larger one is not kept. */
const LARGEST_KEPT = 10_000;

function validatorOf(schema: JsonObject): Validator {
  const key = JSON.stringify(schema);
  const kept = validators.get(key);
  if (kept !== undefined) return kept;
  const validator = toValidator(schema, []);
  if (validators.size >= MOST_KEPT) validators.clear();
  if (key.length <= LARGEST_KEPT) validators.set(key, validator);
  return validator;
}

/** @param keys of the value, for `patternProperties` */
function toValidator(schema: JsonObject, keys: readonly string[]): Validator {
  return new Validator(rewrite(toDraft2020(schema), keys) as Schema, "2020-12", false); // cast: JSON Schema is JSON
}

function report(validator: Validator, value: unknown): OutputUnit[] {
  const { valid, errors } = validator.validate(value);
  return valid ? [] : errors.map(toPatternUnit);
}

/** Why RE2 cannot take a pattern; undefined: it can. */
export function patternProblem(pattern: string): string | undefined {
  try {
    compilePattern(toRe2(pattern));
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** JSON Schema's patterns are JavaScript's, where `\u00e9` is a character. */
function toRe2(pattern: string): string {
  return RE2JS.translateRegExp(pattern);
}

function isMatch(pattern: string, text: string): boolean {
  return patternProblem(pattern) === undefined && matchesPattern(toRe2(pattern), text);
}

function rewrite(schema: Json, keys: readonly string[]): Json {
  if (Array.isArray(schema)) return schema.map((child) => rewrite(child, keys));
  if (!isObject(schema)) return schema;
  const { pattern, patternProperties, ...others } = schema;
  const out = Object.fromEntries(Object.entries(others).map(([key, child]) => [key, rewriteKeyword(key, child, keys)]));
  if (typeof out.format === "string" && LONG_NUMBER_FORMATS.has(out.format)) takeText(out);
  if (pattern !== undefined) addFormat(out, `${RE2}${String(pattern)}`);
  if (isObject(patternProperties)) {
    const own = isObject(out.properties) ? out.properties : {};
    out.properties = { ...own, ...expand(patternProperties, own, keys) };
  }
  return out;
}

/** Follows the validator's own idea of where schemas are, and goes further where it is looser than the standard. */
function rewriteKeyword(key: string, child: Json, keys: readonly string[]): Json {
  if (key === "enum" || key === "const" || key === "default" || isIgnored(key)) return child;
  const isMap = Object.hasOwn(schemaMapKeyword, key) || key === "dependencies";
  if (!isMap || !isObject(child)) return rewrite(child, keys);
  return Object.fromEntries(Object.entries(child).map(([name, schema]) => [name, rewrite(schema, keys)]));
}

function isIgnored(key: string): boolean {
  return Object.hasOwn(ignoredKeyword, key);
}

/** A long number comes as text. What is no number is refused by the format. */
function takeText(schema: JsonObject): void {
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  if (types.some((type) => type === "integer" || type === "number") && !types.includes("string"))
    schema.type = [...types.filter((type) => type !== undefined), "string"];
}

function addFormat(schema: JsonObject, name: string): void {
  if (schema.format === undefined) schema.format = name;
  else schema.allOf = [...(Array.isArray(schema.allOf) ? schema.allOf : []), { format: name }];
}

/** `{"^x-": S}` as `{"x-a": S}` for each key of the value that it finds; a key found twice must fit both. */
function expand(patterns: JsonObject, properties: JsonObject, keys: readonly string[]): JsonObject {
  const found = new Map<string, Json[]>();
  for (const [pattern, schema] of Object.entries(patterns)) {
    const rewritten = rewrite(schema, keys);
    for (const key of keys) if (isMatch(pattern, key)) found.set(key, [...(found.get(key) ?? []), rewritten]);
  }
  return Object.fromEntries(
    [...found].map(([key, schemas]) => {
      const all = Object.hasOwn(properties, key) ? [properties[key] ?? true, ...schemas] : schemas;
      return [key, all.length === 1 ? (all[0] ?? true) : { allOf: all }];
    }),
  );
}

function usesPatternProperties(schema: Json): boolean {
  if (Array.isArray(schema)) return schema.some(usesPatternProperties);
  return isObject(schema) && ("patternProperties" in schema || Object.values(schema).some(usesPatternProperties));
}

function collectKeys(value: unknown): { names: string[]; objects: number } {
  const names = new Set<string>();
  let objects = 0;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== "object" || next === null) continue;
    if (!Array.isArray(next)) {
      objects++;
      for (const key of Object.keys(next)) names.add(key);
    }
    for (const child of Object.values(next)) open.push(child);
  }
  return { names: [...names], objects };
}

/** As the author of the schema knows it. */
function toPatternUnit(unit: OutputUnit): OutputUnit {
  const [, pattern] = /^String does not match format "re2:(.*)"\.$/s.exec(unit.error) ?? [];
  if (pattern === undefined) return unit;
  return { ...unit, keyword: "pattern", error: `String does not match pattern ${JSON.stringify(pattern)}.` };
}
