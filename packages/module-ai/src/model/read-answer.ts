import {
  isOvenError,
  type Json,
  type JsonObject,
  OvenError,
  type ReadJson,
  readJson,
  refuseLongNumbers,
} from "@oven/contract";
import { hashJson, validateJson } from "@oven/engine";
import { findJson } from "./json-in-text.ts";

/** What an answer holds as JSON of a schema. */
export interface ReadAnswer {
  /** Where all of the answer is JSON, also what does not fit. */
  value?: Json;
  /** Why the answer cannot be used. */
  problem?: string;
  /** A number that would be changed: to ask the model again would not help. */
  refusal?: OvenError;
  /** What was made of the answer to come to the value; for the run's record. */
  note?: string;
}

/** More than that is no answer. */
const MOST_VALUES = 1_000;
const MOST_SHOWN = 200;
export const NO_JSON = "the answer is not JSON";
const FENCED = { note: "The JSON was taken out of the fence around it" };

/**
 * The JSON of an answer: all of it, or the one value in it that fits the schema, where there are other words or a fence around it.
 * Two different values that fit are refused: it is not known which one is meant.
 */
export function readAnswer(text: string, schema: JsonObject): ReadAnswer {
  const whole = parseWhole(text);
  if (whole !== undefined) return { ...readWhole(whole, schema), ...(parse(text) === undefined ? FENCED : {}) };
  const { texts, isBroken } = findJson(text);
  if (isBroken) return { problem: "the JSON in the answer is broken or cut off" };
  const values = [...texts.flatMap((found) => parse(found) ?? []), ...fencedScalars(text)];
  const distinct = [...new Map(values.map((read) => [hashJson(read.value), read])).values()];
  if (distinct.length === 0) return { problem: NO_JSON };
  if (distinct.length > MOST_VALUES) return { problem: `the answer holds more than ${MOST_VALUES} JSON values` };
  const fitting = distinct.filter((read) => {
    const { problem, refusal } = check(read, schema);
    return problem === undefined && refusal === undefined;
  });
  const [fits, second] = fitting;
  if (fits === undefined) {
    const [only, ...others] = distinct;
    if (only !== undefined && others.length === 0) return check(only, schema);
    return { problem: `the answer holds ${distinct.length} JSON values, and none of them fits` };
  }
  if (second !== undefined)
    return {
      problem: `the answer holds ${fitting.length} different JSON values that fit, ${show(fits.value)} and ${show(second.value)}, and only one may`,
    };
  return {
    value: fits.value,
    note: "The JSON was taken out of the text around it: it is the only value in it that fits the schema",
  };
}

/** A text that is JSON, or a fence with nothing but JSON in it. Undefined where it is neither. */
export function parseWhole(text: string): ReadJson | undefined {
  const plain = parse(text);
  if (plain !== undefined) return plain;
  const trimmed = text.trim();
  if (trimmed.length < 6 || !trimmed.startsWith("```") || !trimmed.endsWith("```")) return undefined;
  return parseBlock(trimmed.slice(3, -3));
}

/** Why a value does not fit; undefined where it does. */
export function mismatchOf(schema: JsonObject, value: Json): string | undefined {
  const [first] = validateJson(schema, value);
  return first === undefined ? undefined : `${first.path}: ${first.message}`;
}

/** Only why a value cannot be used. Nothing where it can. */
function check({ value, longNumbers }: ReadJson, schema: JsonObject): { problem?: string; refusal?: OvenError } {
  try {
    refuseLongNumbers(longNumbers, {
      what: "The model's answer",
      root: "$.object",
      schema,
      fix: 'Let `outputSchema` take text there: `"type": "string"`, or `"format": "int64"`.',
    });
  } catch (error) {
    if (error instanceof OvenError) return { refusal: error };
    throw error;
  }
  const problem = mismatchOf(schema, value);
  return problem === undefined ? {} : { problem };
}

function readWhole(read: ReadJson, schema: JsonObject): ReadAnswer {
  const { problem, refusal } = check(read, schema);
  if (refusal !== undefined) return { refusal };
  const { value } = read;
  if (problem === undefined) return { value };
  const inner = typeof value === "string" ? parse(value) : undefined;
  if (inner === undefined) return { value, problem };
  const encoded = check(inner, schema);
  if (encoded.refusal !== undefined) return encoded;
  if (encoded.problem !== undefined) return { value, problem };
  return { value: inner.value, note: "The JSON was taken out of the text that it was encoded in once more" };
}

/** A language, then how a text, a number or the like begins. */
const SCALAR_BLOCK = /^\w*\s*(?:"|-?\d|true|false|null)/;

/** Texts, numbers and the like are values only where a fence says so. */
function fencedScalars(text: string): ReadJson[] {
  const blocks = text.split("```").filter((block, index) => index % 2 === 1 && SCALAR_BLOCK.test(block));
  return blocks.flatMap((block) => {
    const read = parseBlock(block);
    return read === undefined || (typeof read.value === "object" && read.value !== null) ? [] : [read];
  });
}

/** What stands between two fences, with or without a language before it. */
function parseBlock(block: string): ReadJson | undefined {
  return parse(block) ?? parse(block.replace(/^[A-Za-z0-9]+/, ""));
}

/** A byte order mark is no part of the value. */
function parse(text: string): ReadJson | undefined {
  try {
    return readJson(text.replace(/^\s*\uFEFF/, ""));
  } catch (error) {
    if (error instanceof SyntaxError || isOvenError(error)) return undefined;
    throw error;
  }
}

function show(value: Json): string {
  const text = JSON.stringify(value);
  return text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN)}…`;
}
