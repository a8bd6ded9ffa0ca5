import { isExactNumber } from "./exact-number.ts";
import type { Json } from "./json.ts";
import { type JsonPath, toJsonPath } from "./json-path.ts";
import { OvenError } from "./oven-error.ts";
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
 * JSON from outside, in which no number is another one than was sent: a number that a double cannot hold is refused, or stays as text
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
 * @param isData which places matter: elsewhere a long number is what `JSON.parse` makes of it. Default: all
 * @throws SyntaxError when it is not JSON
 * @throws OvenError INVALID_JSON when it is nested too deeply to look for such numbers
 */
export function readJson(text: string, isData?: (path: JsonPath) => boolean): ReadJson {
  if (!LONG.test(text)) return { value: JSON.parse(text), longNumbers: [] };
  const found: Found = new Map();
  let root: Holder = {};
  try {
    const value: Json = JSON.parse(
      text,
      function (this: Holder, key: string, value: Json, context?: { source?: string }) {
        root = this;
        if (typeof value !== "number" || isExact(value, context?.source)) return value;
        const source = context?.source ?? String(value);
        found.set(this, (found.get(this) ?? new Map()).set(key, source));
        return source;
      },
    );
    // The holder of the whole has what it was before.
    root[""] = value;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new OvenError("INVALID_JSON", "The JSON is nested too deeply", { fix: "Flatten it.", cause: error });
  }
  const longNumbers = placesOf(root, found, isData);
  return { value: root[""] ?? null, longNumbers };
}

/**
 * JSON text for a library that reads it by itself: the same text, or if it has long numbers at the places that matter, one in which they
 * are text. What is not JSON is handed on as it is.
 * @param note sees the value with its long numbers before it is written again
 */
export function longNumbersAsText(
  text: string,
  isData: (path: JsonPath) => boolean,
  note: (read: ReadJson) => void = () => undefined,
): string {
  if (!LONG.test(text)) return text;
  let read: ReadJson;
  try {
    read = readJson(text, isData);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof OvenError) return text;
    throw error;
  }
  if (read.longNumbers.length === 0) return text;
  note(read);
  return JSON.stringify(read.value);
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

/** An object or list of the value, and its keys with a long number. */
type Holder = Record<string, Json>;
type Found = Map<Holder, Map<string, string>>;

/** Where the long numbers are. Those that do not matter become numbers. Iterative: the value may be deep. */
function placesOf(root: Holder, found: Found, isData: (path: JsonPath) => boolean = () => true): LongNumber[] {
  const numbers: LongNumber[] = [];
  if (found.size === 0) return numbers;
  const open: { holder: Json; path: JsonPath }[] = [{ holder: root, path: [] }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { path } = place;
    if (typeof place.holder !== "object" || place.holder === null) continue;
    const holder = place.holder as Holder; // cast: a list has its indexes as keys
    const inside = (key: string): JsonPath =>
      holder === root ? [] : [...path, Array.isArray(holder) ? Number(key) : key];
    for (const [key, text] of found.get(holder) ?? []) {
      if (isData(inside(key))) numbers.push({ path: inside(key), text });
      else holder[key] = Number(text);
    }
    for (const [key, value] of Object.entries(holder).reverse())
      if (typeof value === "object") open.push({ holder: value, path: inside(key) });
  }
  return numbers;
}

function show(number: string): string {
  return number.length <= MOST_SHOWN ? number : `${number.slice(0, MOST_SHOWN)}… (${number.length} characters)`;
}
