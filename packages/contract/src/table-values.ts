import type { Json } from "./json.ts";
import { isOvenError } from "./oven-error.ts";
import { parseJson } from "./parse-json.ts";
import { MAX_TEXT, type TableColumn } from "./table.ts";

/** What a value has to fit. */
export type ValueColumn = Pick<TableColumn, "type" | "choices">;

/** Why a value does not fit its column. */
export class ValueProblem extends Error {}

/**
 * A value as it is stored, from what a client sent.
 * @returns undefined for an empty column
 * @throws ValueProblem
 */
export function parseValue(column: ValueColumn, value: Json | undefined): Json | undefined {
  if (value === null || value === undefined) return undefined;
  refuseUnstorable(value);
  switch (column.type) {
    case "text":
      if (typeof value !== "string") throw new ValueProblem("must be text");
      if (value.length > MAX_TEXT) throw new ValueProblem(`must have at most ${MAX_TEXT} characters`);
      return value;
    case "number":
      if (typeof value !== "number" || !Number.isFinite(value)) throw new ValueProblem("must be a number");
      return value === 0 ? 0 : value;
    case "boolean":
      if (typeof value !== "boolean") throw new ValueProblem("must be true or false");
      return value;
    case "date":
      return toDate(value);
    case "datetime":
      return toDateTime(value);
    case "choice":
      if (typeof value !== "string" || !(column.choices ?? []).includes(value))
        throw new ValueProblem(`must be one of ${(column.choices ?? []).join(", ")}`);
      return value;
    case "json":
      return value;
    case "reference":
      if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 1)
        throw new ValueProblem("must be the id of a row");
      return value;
  }
}

function toDate(value: Json): string {
  if (typeof value !== "string" || !/^\d{4}-\d{2}-\d{2}$/.test(value) || !isCalendarDay(value))
    throw new ValueProblem("must be a date such as 2026-01-31");
  return value;
}

function isCalendarDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

function toDateTime(value: Json): string {
  const isWritten =
    typeof value === "string" && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/i.test(value);
  const date = new Date(isWritten ? value : Number.NaN);
  if (!isWritten || Number.isNaN(date.getTime()) || !isCalendarDay(value.slice(0, 10)))
    throw new ValueProblem("must be an instant such as 2026-01-31T12:00:00Z");
  return date.toISOString();
}

/** The database stores neither in jsonb. @throws ValueProblem */
function refuseUnstorable(value: Json): void {
  const open: Json[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === "string") refuseText(next);
    else if (Array.isArray(next)) open.push(...next);
    else if (typeof next === "object" && next !== null) {
      for (const key of Object.keys(next)) refuseText(key);
      open.push(...Object.values(next));
    }
  }
}

function refuseText(text: string): void {
  if (text.includes("\0")) throw new ValueProblem("holds the character NUL, which cannot be stored");
  if (!text.isWellFormed()) throw new ValueProblem("holds half of a surrogate pair, which cannot be stored");
}

const TRUE: ReadonlySet<string> = new Set(["true", "yes", "1", "ja", "wahr"]);
const FALSE: ReadonlySet<string> = new Set(["false", "no", "0", "nein", "falsch"]);

/**
 * A value of another type, or the text of a file, as a column stores it.
 * @returns undefined for an empty column
 * @throws ValueProblem what would be lost
 */
export function convertValue(column: ValueColumn, value: Json | undefined): Json | undefined {
  if (value === null || value === undefined) return undefined;
  if (column.type === "text") return parseValue(column, typeof value === "string" ? value : JSON.stringify(value));
  if (typeof value !== "string") return parseValue(column, toOther(column, value));
  if (column.type === "json") return parseValue(column, readJsonText(value));
  const text = value.trim();
  return text === "" ? undefined : parseValue(column, fromText(column, text));
}

function fromText({ type }: ValueColumn, text: string): Json {
  switch (type) {
    case "number":
    case "reference":
      return toNumber(text);
    case "boolean": {
      const word = text.toLowerCase();
      if (TRUE.has(word)) return true;
      if (FALSE.has(word)) return false;
      return text;
    }
    case "date":
      // An instant has lost its time of day only if it was midnight.
      return /^\d{4}-\d{2}-\d{2}T00:00:00(\.0+)?Z$/.test(text) ? text.slice(0, 10) : text;
    case "datetime":
      return /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text;
    default:
      return text;
  }
}

/** Between types that are not text: truth becomes no number, and a number no instant. */
function toOther({ type }: ValueColumn, value: Json): Json {
  return type === "choice" ? JSON.stringify(value) : value;
}

/** @throws ValueProblem also for a number that a double does not hold exactly */
function toNumber(text: string): Json {
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) throw new ValueProblem("must be a number such as 12.5");
  const written = text
    .replace(/^\+/, "")
    .replace(/^(-?)0+(?=\d)/, "$1")
    .replace(/^(-?)\./, "$10.")
    .replace(/\.(?=e|$)/i, "");
  return readExact(written);
}

function readJsonText(text: string): Json | undefined {
  return text.trim() === "" ? undefined : readExact(text);
}

function readExact(text: string): Json {
  try {
    return parseJson(text);
  } catch (error) {
    if (isOvenError(error)) throw new ValueProblem(`holds a number that cannot be stored exactly: ${error.message}`);
    throw new ValueProblem("must be JSON");
  }
}
