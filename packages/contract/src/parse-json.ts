import { OvenError } from "./errors.ts";
import { isExactNumber } from "./exact-number.ts";
import type { Json } from "./json.ts";
import { type JsonPath, toJsonPath } from "./json-path.ts";
import { takesText } from "./takes-text.ts";

/** A number that a double cannot hold, as it was written. Its place in the value holds that text. */
export interface LongNumber {
  path: JsonPath;
  text: string;
}

/** JSON from outside, and the numbers in it that only fit as text. */
export interface ReadJson {
  value: Json;
  longNumbers: readonly LongNumber[];
}

/** The JSON Schema of a value, or of a part of it. */
export interface DataSchema {
  /** Where the part stands. Default: it is the value itself. */
  at?: JsonPath;
  schema: Json | undefined;
}

/** What a refusal says, and what is not refused. */
export interface LongNumberRules extends Partial<DataSchema> {
  /** What is being read, at the beginning of a sentence. Default "The JSON". */
  what?: string;
  /** How the value itself is called in paths. Default `$`. */
  root?: string;
  /** What to do about a number that is refused. */
  fix?: string;
}

/**
 * What may hold a long number: sixteen digits in a row, or an exponent of three, where a number can begin. Most JSON has neither,
 * and is then parsed eight times as fast as with a look at each value.
 */
const LONG = /(?:^|[[:,\s])-?\d(?:[\d.]{15}|[\d.]*[eE][+-]?\d{3})/;

/** Characters of a refused number that errors repeat. */
const MOST_SHOWN = 60;
const MOST_NAMED = 20;

/**
 * JSON from outside, in which no number is another one than was sent: a number that a double cannot hold is refused, or kept as text
 * where the schema takes text.
 * @throws SyntaxError when it is not JSON
 * @throws OvenError NUMBER_NOT_EXACT, INVALID_JSON when it is nested too deeply to look for such numbers
 */
export function parseJson(text: string, rules: LongNumberRules = {}): Json {
  const { value, longNumbers } = readJson(text);
  refuseLongNumbers(longNumbers, rules);
  return value;
}

/**
 * JSON from outside whose schema is only known once it was read: long numbers are in it as text, and listed for `refuseLongNumbers`.
 * @throws SyntaxError when it is not JSON
 * @throws OvenError INVALID_JSON when it is nested too deeply to look for such numbers
 */
export function readJson(text: string): ReadJson {
  if (!LONG.test(text)) return { value: JSON.parse(text), longNumbers: [] };
  const found = new Map<object, Map<string, string>>();
  let root: object = {};
  let value: Json;
  try {
    value = JSON.parse(text, function (this: object, key: string, value: Json, context?: { source?: string }) {
      root = this;
      if (typeof value !== "number" || isExact(value, context?.source)) return value;
      const source = context?.source ?? String(value);
      found.set(this, (found.get(this) ?? new Map()).set(key, source));
      return source;
    });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new OvenError("INVALID_JSON", "The JSON is nested too deeply", { fix: "Flatten it.", cause: error });
  }
  return { value, longNumbers: placesOf(root, found) };
}

/**
 * Refuses the long numbers that the schema does not take as text; the others stay as text.
 * @throws OvenError NUMBER_NOT_EXACT
 */
export function refuseLongNumbers(longNumbers: readonly LongNumber[], rules: LongNumberRules = {}): void {
  const { what = "The JSON", root = "$", fix = toFix(rules) } = rules;
  const refused = longNumbers.filter(({ path }) => !isText(path, rules));
  const [first] = refused;
  if (first === undefined) return;
  const named = refused
    .slice(0, MOST_NAMED)
    .map(({ path, text }) => ({ path: toJsonPath(path, root), number: show(text) }));
  const others = refused.length === 1 ? "" : `; ${refused.length - 1} more`;
  const path = toJsonPath(first.path, root);
  throw new OvenError(
    "NUMBER_NOT_EXACT",
    `${what} has the number ${show(first.text)} at ${path}, which would be changed: numbers are 64-bit floating point${others}`,
    { path, fix, details: { numbers: named } },
  );
}

function isText(path: JsonPath, { at = [], schema }: Partial<DataSchema>): boolean {
  if (schema === undefined || !at.every((part, index) => part === path[index])) return false;
  return takesText(schema, path.slice(at.length));
}

function toFix({ schema }: Partial<DataSchema>): string {
  const send = "Send it as text, in quotes.";
  return schema === undefined
    ? send
    : `${send} Or let the schema take text there: \`"type": "string"\`, \`"format": "int64"\`.`;
}

/** Engines before the proposal "JSON.parse source text access" do not say how a number was written. */
function isExact(value: number, source: string | undefined): boolean {
  if (source !== undefined) return isExactNumber(source);
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

interface Place {
  holder: unknown;
  path: JsonPath;
}

/** Iterative: the value may be deep. */
function placesOf(root: object, found: ReadonlyMap<object, ReadonlyMap<string, string>>): LongNumber[] {
  const numbers: LongNumber[] = [];
  if (found.size === 0) return numbers;
  const open: Place[] = [{ holder: root, path: [] }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { holder, path } = place;
    if (typeof holder !== "object" || holder === null) continue;
    const inside = (key: string): JsonPath =>
      holder === root ? [] : [...path, Array.isArray(holder) ? Number(key) : key];
    for (const [key, text] of found.get(holder) ?? []) numbers.push({ path: inside(key), text });
    for (const [key, value] of Object.entries(holder).reverse())
      if (typeof value === "object") open.push({ holder: value, path: inside(key) });
  }
  return numbers;
}

function show(number: string): string {
  return number.length <= MOST_SHOWN ? number : `${number.slice(0, MOST_SHOWN)}… (${number.length} characters)`;
}
