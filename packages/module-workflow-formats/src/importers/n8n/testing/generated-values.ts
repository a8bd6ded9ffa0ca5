import type { Json, JsonObject } from "@oven/contract";
import type { Random } from "../../../importing/testing/random.ts";
import type { Item } from "./reference-values.ts";

export type FieldType = "string" | "digits" | "number" | "boolean" | "list" | "array";
/** Fields of an item, by name. */
export type Fields = Readonly<Record<string, FieldType>>;

export const START_FIELDS: Fields = { a: "string", digits: "digits", n: "number", yes: "boolean", list: "list" };
/** Texts that other places would take for more than texts. */
const TEXTS = ["Rome", "rome", "$.trigger.a", "{{ n }}", 'say "hi"', "a|b", "ünï", "(x)"];

export function inputFor(random: Random): Item {
  const entry = () => ({ k: random.pick(TEXTS), v: random.pick([0, 5, -2.5]) });
  return {
    ...{ a: random.pick([...TEXTS, ""]), digits: random.pick(["250", "-1.5", "0"]), n: random.pick([0, 5, -2.5, 250]) },
    ...{ yes: random.chance(50), list: Array.from({ length: random.below(4) }, entry) },
  };
}

/** An expression of n8n that reads a field of a type: of what comes in, or of the trigger's item. */
function readOf(random: Random, fields: Fields, types: readonly FieldType[]): string {
  const own = Object.keys(fields).filter((key) => types.includes(fields[key] ?? "list"));
  if (own.length > 0 && random.chance(70)) return `$json.${random.pick(own)}`;
  const given = Object.keys(START_FIELDS).filter((key) => types.includes(START_FIELDS[key] ?? "list"));
  return `$('Start').item.json.${random.pick(given)}`;
}

/** A field of a Set node, with its type for those who read it. */
export function assignment(random: Random, fields: Fields): JsonObject & { name: string; fieldType: FieldType } {
  const name = random.pick(["w", "x", "a", "n", "mark"]);
  const read = (...types: FieldType[]) => `={{ ${readOf(random, fields, types)} }}`;
  switch (random.below(4)) {
    case 0:
      return {
        name,
        type: "number",
        fieldType: "number",
        value: random.pick<Json>([7, "7", "-0.5", read("number"), read("digits")]),
      };
    case 1:
      return {
        name,
        type: "boolean",
        fieldType: "boolean",
        value: random.pick<Json>([true, "false", read("boolean")]),
      };
    case 2:
      return {
        name,
        type: "array",
        fieldType: "array",
        value: random.pick<Json>(['["x",1]', "[]", read("array", "list")]),
      };
    default: {
      const text = `=Of {{ ${readOf(random, fields, ["string"])} }}: {{${readOf(random, fields, ["number", "boolean"])}}}.`;
      const value = random.pick<Json>([random.pick(TEXTS), text, text, read("string"), read("number", "boolean")]);
      return { name, type: "string", fieldType: "string", value };
    }
  }
}

export function conditionsFor(random: Random, fields: Fields): JsonObject {
  const one = (): JsonObject => {
    const left = (...types: FieldType[]) => `={{ ${readOf(random, fields, types)} }}`;
    switch (random.below(3)) {
      case 0: {
        const operation = random.pick(["equals", "notEquals", "gt", "gte", "lt", "lte"]);
        const rightValue = random.pick<Json>([0, 5, "5", -2.5, left("number")]);
        return { leftValue: left("number"), rightValue, operator: { type: "number", operation } };
      }
      case 1:
        return {
          leftValue: left("boolean"),
          rightValue: "",
          operator: { type: "boolean", operation: random.pick(["true", "false"]), singleValue: true },
        };
      default: {
        const operation = random.pick([
          "equals",
          "notEquals",
          "contains",
          "notContains",
          "startsWith",
          "endsWith",
          "empty",
          "notEmpty",
        ]);
        const rightValue = random.chance(15) ? left("string") : random.pick([...TEXTS, "o", ")"]);
        return { leftValue: left("string"), rightValue, operator: { type: "string", operation } };
      }
    }
  };
  return {
    options: { caseSensitive: random.chance(60), typeValidation: random.pick(["strict", "loose"]), version: 2 },
    combinator: random.pick(["and", "or"]),
    conditions: Array.from({ length: random.between(1, 2) }, one),
  };
}
