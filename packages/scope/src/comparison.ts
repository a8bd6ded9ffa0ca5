import { getOwn, isObject, type Json, type JsonObject } from "@oven/contract";
import type { Operator } from "@oven/contract/workflow";
import { valuesOf } from "./choices.ts";

/** Why a comparison always has the same result: the types differ, or it is none of the values that there are. */
export type PointlessComparison =
  | { kind: "type"; is: string; given: string }
  | { kind: "choice"; choices: readonly Json[] };

type Kind = "text" | "number" | "yes or no" | "list" | "object" | "nothing";

const KINDS: Readonly<Record<string, Kind>> = {
  string: "text",
  number: "number",
  integer: "number",
  boolean: "yes or no",
  array: "list",
  object: "object",
  null: "nothing",
};
const ORDERED: ReadonlySet<Kind> = new Set(["text", "number"]);

/**
 * Whether comparing a value of a type with a fixed one makes no sense.
 * @param schema JSON Schema of the value that is compared
 * @returns null: it does, or nothing is known of the type
 */
export function pointlessComparison(schema: JsonObject, operator: Operator, value: Json): PointlessComparison | null {
  const kinds = kindsOf(schema);
  // Nothing is compared with whatever may be missing.
  if (kinds.length === 0 || value === null) return null;
  const differ = (given: string): PointlessComparison => ({ kind: "type", is: kinds.join(" or "), given });
  const given = kindOf(value);
  switch (operator) {
    case "==":
    case "!=":
      return kinds.includes(given) ? notAmong(schema, [value]) : differ(given);
    case "<":
    case "<=":
    case ">":
    case ">=":
      return kinds.includes(given) && ORDERED.has(given) ? null : differ(given);
    case "in":
      if (!Array.isArray(value)) return null;
      if (value.length > 0 && !value.some((item) => kinds.includes(kindOf(item))))
        return differ(`list of ${kindOf(value[0] ?? null)}`);
      return notAmong(schema, value);
    case "contains":
      return kinds.some((kind) => kind === "list" || ((kind === "text" || kind === "object") && given === "text"))
        ? null
        : differ(given);
    case "matches":
      return kinds.includes("text") ? null : differ("pattern");
    case "exists":
    case "empty":
      return null;
  }
}

/** The first of several values that is none of those that there are. */
function notAmong(schema: JsonObject, values: readonly Json[]): PointlessComparison | null {
  const choices = valuesOf(schema);
  const known = new Set(choices.map((choice) => JSON.stringify(choice)));
  return choices.length > 0 && values.some((value) => !known.has(JSON.stringify(value)))
    ? { kind: "choice", choices }
    : null;
}

function kindsOf(schema: JsonObject): Kind[] {
  const { type, anyOf, oneOf } = schema;
  // Several ways: what is said beside them is not the whole.
  if (isWays(anyOf) || isWays(oneOf)) return [];
  if (type === undefined) return [...new Set(valuesOf(schema).map(kindOf))];
  const types = Array.isArray(type) ? type : [type];
  const kinds = types.map((one) => (typeof one === "string" ? getOwn(KINDS, one) : undefined));
  return kinds.every((kind) => kind !== undefined) ? [...new Set(kinds)] : [];
}

function isWays(value: Json | undefined): boolean {
  return Array.isArray(value) && value.some(isObject);
}

function kindOf(value: Json): Kind {
  if (value === null) return "nothing";
  if (Array.isArray(value)) return "list";
  return KINDS[typeof value] ?? "object";
}
