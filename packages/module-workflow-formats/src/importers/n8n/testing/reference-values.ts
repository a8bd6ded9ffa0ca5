import type { Json, JsonObject } from "@oven/contract";
import { Ambiguous } from "../../../importing/testing/compare-runs.ts";

export type Item = { [key: string]: Json };
/** What a node handed on; undefined name: what comes in. */
export type Read = (node: string | undefined) => Item | undefined;

const EXPRESSION = /^(?:\$json|\$\('([^']*)'\)\.item\.json)\.(\w+)$/;

function readOne(source: string, read: Read): Json {
  const [, node, field = ""] = EXPRESSION.exec(source.trim()) ?? [];
  const value = read(node)?.[field];
  // n8n fills in nothing, and here it is an error: the guide says so.
  if (value === undefined) throw new Ambiguous(`${source} is missing`);
  return value;
}

/** A parameter with its expressions filled in. */
export function filledIn(value: Json, read: Read): Json {
  if (typeof value !== "string" || !value.startsWith("=")) return value;
  const text = value.slice(1);
  const whole = /^\{\{([^{}]*)\}\}$/.exec(text)?.[1];
  if (whole !== undefined) return readOne(whole, read);
  return text.replaceAll(/\{\{([^{}]*)\}\}/g, (_, source: string) => String(readOne(source, read)));
}

/** Conditions of IF, Switch and Filter in their present form. */
export function holds(value: Json | undefined, read: Read): boolean {
  const { options, combinator, conditions } = value as JsonObject; // cast: generated
  const { caseSensitive } = options as JsonObject; // cast: generated
  const results = (conditions as JsonObject[]).map((condition) => compare(condition, caseSensitive === true, read)); // cast: generated
  return combinator === "or" ? results.includes(true) : !results.includes(false);
}

function compare({ leftValue, rightValue, operator }: JsonObject, caseSensitive: boolean, read: Read): boolean {
  const { type, operation } = operator as { type: string; operation: string }; // cast: generated
  const [left, right] = [filledIn(leftValue ?? null, read), filledIn(rightValue ?? null, read)];
  switch (type) {
    case "string": {
      const fold = (text: Json) => (caseSensitive ? String(text) : String(text).toLowerCase());
      return compareTexts(operation, fold(left), fold(right));
    }
    case "number":
      return compareNumbers(operation, Number(left), Number(right));
    default:
      return operation === "true" ? left === true : left === false;
  }
}

function compareTexts(operation: string, left: string, right: string): boolean {
  switch (operation) {
    case "equals":
      return left === right;
    case "notEquals":
      return left !== right;
    case "contains":
      return left.includes(right);
    case "notContains":
      return !left.includes(right);
    case "startsWith":
      return left.startsWith(right);
    case "endsWith":
      return left.endsWith(right);
    case "empty":
      return left === "";
    case "notEmpty":
      return left !== "";
    default:
      throw new Error(`the reference has no ${operation}`);
  }
}

function compareNumbers(operation: string, left: number, right: number): boolean {
  switch (operation) {
    case "equals":
      return left === right;
    case "notEquals":
      return left !== right;
    case "gt":
      return left > right;
    case "gte":
      return left >= right;
    case "lt":
      return left < right;
    case "lte":
      return left <= right;
    default:
      throw new Error(`the reference has no ${operation}`);
  }
}
