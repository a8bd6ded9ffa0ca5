import type { Json } from "@oven/contract";
import { js } from "./apps/app-values.ts";

/** A condition as n8n asks it. */
export interface Asked {
  operation: string;
  type: string;
  isLoose: boolean;
  ignoreCase: boolean;
  /** Before version 2 texts are taken from any value. */
  isOld?: boolean;
}

const TEXT_TESTS: Readonly<Record<string, string>> = {
  equals: "left === right",
  contains: "left.includes(right)",
  startsWith: "left.startsWith(right)",
  endsWith: "left.endsWith(right)",
  empty: "left.length === 0",
};
const NUMBER_TESTS: Readonly<Record<string, string>> = {
  equals: "left === right",
  gt: "left > right",
  gte: "left >= right",
  lt: "left < right",
  lte: "left <= right",
};
const DATE_TESTS: Readonly<Record<string, string>> = {
  equals: "left === right",
  after: "left > right",
  afterOrEquals: "left >= right",
  before: "left < right",
  beforeOrEquals: "left <= right",
};
const LENGTHS: Readonly<Record<string, string>> = {
  lengthEquals: "===",
  lengthNotEquals: "!==",
  lengthGt: ">",
  lengthGte: ">=",
  lengthLt: "<",
  lengthLte: "<=",
};

const WRONG = (type: string) =>
  `throw new Error("A condition compares ${type}, and this is none: " + JSON.stringify(value));`;

/** JavaScript that makes a text of a value. */
function textIn({ isLoose, isOld }: Asked): string {
  if (isOld === true) return 'String(value || "")';
  if (isLoose)
    return 'value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value)';
  return `(() => { if (value === null || value === undefined) return ""; if (typeof value !== "string") ${WRONG("texts")} return value; })()`;
}

function numberIn({ isLoose }: Asked): string {
  if (!isLoose)
    return `(() => { if (value !== null && value !== undefined && typeof value !== "number") ${WRONG("numbers")} return value; })()`;
  return `(() => { if (value === null || value === undefined) return value; const number = Number(value); if (Number.isNaN(number)) ${WRONG("numbers")} return number; })()`;
}

/** A date as n8n or JavaScript has it, or a text as ISO 8601 writes it; any other text fails, for n8n guesses there. */
const DATE_IN =
  '(() => { if (value === null || value === undefined) return undefined; if (typeof value.toMillis === "function") return value.toMillis(); if (typeof value.getTime === "function") return value.getTime(); return DateTime.fromISO(String(value).trim()).toMillis(); })()';

function calling(convert: string, test: string, left: Json, right: Json): string {
  return `((of) => ((left, right) => ${test})(of(${js(left)}), of(${js(right)})))((value) => ${convert})`;
}

/** A condition that is none of ours, as JavaScript that gives true or false; undefined: there is none for it. */
export function conditionInCode(sides: { left: Json; right: Json }, asked: Asked): string | undefined {
  const { left, right } = sides;
  const { operation, type, ignoreCase } = asked;
  if (type === "string" || type === "") {
    const text = textIn(asked);
    if (operation === "regex") {
      const lower = ignoreCase ? ".toLowerCase()" : "";
      const test = `((parts) => (parts === null ? new RegExp(right) : new RegExp(parts[1], parts[2])))(/^\\/(.*?)\\/([gimusy]*)$/.exec(right)).test(left${lower})`;
      return calling(text, test, left, right);
    }
    const test = Object.hasOwn(TEXT_TESTS, operation) ? TEXT_TESTS[operation] : undefined;
    if (test === undefined) return undefined;
    return calling(ignoreCase ? `(${text}).toLowerCase()` : text, test, left, right);
  }
  if (type === "number") {
    const test = Object.hasOwn(NUMBER_TESTS, operation) ? NUMBER_TESTS[operation] : undefined;
    // A number that is written out comes as a text.
    const given = typeof right === "string" && right.trim() !== "" && !right.startsWith("=") ? Number(right) : right;
    return test === undefined || Number.isNaN(given) ? undefined : calling(numberIn(asked), test, left, given);
  }
  if (type === "dateTime") {
    const test = Object.hasOwn(DATE_TESTS, operation) ? DATE_TESTS[operation] : undefined;
    const both = `left === undefined || right === undefined ? false : ${test}`;
    return test === undefined ? undefined : calling(DATE_IN, both, left, right);
  }
  const sign = type === "array" && Object.hasOwn(LENGTHS, operation) ? LENGTHS[operation] : undefined;
  if (sign === undefined) return undefined;
  const length = `(() => { if (!Array.isArray(value)) ${WRONG("lists")} return value.length; })()`;
  return `((value) => ${length})(${js(left)} ?? []) ${sign} Number(${js(right)})`;
}
