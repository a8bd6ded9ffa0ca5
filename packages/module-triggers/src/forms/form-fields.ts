import { type Json, type JsonObject, takesText, toLabel } from "@oven/contract";
import type { FormField } from "@oven/contract/trigger";
import { isObject } from "@oven/engine";

const LONG = /^(message|text|comment|comments|description|notes?|question|body|details)$/i;

/**
 * The questions that a payload schema asks; none when it describes no object. A stored schema's keys have no order of their own:
 * those of `order` come first, then the required ones as the schema names them, then the others.
 */
export function toFormFields(schema: Json | undefined, order: readonly string[] = []): FormField[] {
  if (!isObject(schema) || !isObject(schema.properties)) return [];
  const required = Array.isArray(schema.required) ? schema.required : [];
  const first = [...order, ...required];
  const place = (name: string) => (first.includes(name) ? first.indexOf(name) : first.length);
  const properties = Object.entries(schema.properties).sort(([one], [other]) => place(one) - place(other));
  return properties.map(([name, value]) => {
    const property = withoutNull(isObject(value) ? value : {});
    const choices =
      choicesOf(property) ?? (isObject(property.items) ? choicesOf(withoutNull(property.items)) : undefined);
    return {
      name,
      label: typeof property.title === "string" ? property.title : toLabel(name),
      description: typeof property.description === "string" ? property.description : null,
      required: required.includes(name),
      control: toControl(name, property),
      choices: choices?.map(({ value }) => value) ?? [],
      choiceLabels: choices?.map(({ label }) => label) ?? [],
      longAsText: takesText(value, []),
      initial: property.default ?? null,
    };
  });
}

function toControl(name: string, property: JsonObject): FormField["control"] {
  if (choicesOf(property) !== undefined) return "choice";
  switch (typeOf(property)) {
    case "boolean":
      return "boolean";
    case "integer":
      return "integer";
    case "number":
      return "number";
    case "array":
      return ofItems(property.items);
    case "string":
      return ofText(name, property);
    default:
      return "json";
  }
}

function ofText(name: string, { format, maxLength }: JsonObject): FormField["control"] {
  if (format === "email" || format === "date" || format === "date-time" || format === "time") return format;
  const isLong = typeof maxLength === "number" ? maxLength > 200 : LONG.test(name);
  return isLong && format === undefined ? "long-text" : "text";
}

function ofItems(items: Json | undefined): FormField["control"] {
  if (!isObject(items)) return "json";
  if (choicesOf(withoutNull(items)) !== undefined) return "choices";
  return typeOf(items) === "string" ? "text-list" : "json";
}

interface Choice {
  value: Json;
  label: string;
}

/** The values of an `enum`, or of alternatives that each allow one value, with their titles; undefined when others are allowed. */
function choicesOf({ enum: own, anyOf, oneOf }: JsonObject): Choice[] | undefined {
  if (Array.isArray(own))
    return own.filter((value) => value !== null).map((value) => ({ value, label: toText(value) }));
  const alternatives = anyOf ?? oneOf;
  if (!Array.isArray(alternatives) || alternatives.length === 0) return undefined;
  const choices = alternatives.map(constantOf);
  return choices.includes(undefined) ? undefined : choices.filter((choice) => choice !== undefined);
}

function constantOf(alternative: Json): Choice | undefined {
  if (!isObject(alternative)) return undefined;
  const { const: constant, enum: values, title } = alternative;
  const [only] = Array.isArray(values) && values.length === 1 ? values : [constant];
  return only === undefined ? undefined : { value: only, label: typeof title === "string" ? title : toText(only) };
}

function toText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A property that may also be null asks what it asks without: leaving the answer out stands for it. */
function withoutNull(property: JsonObject): JsonObject {
  const { anyOf, oneOf, ...rest } = property;
  const alternatives = anyOf ?? oneOf;
  if (!Array.isArray(alternatives)) return property;
  const others = alternatives.filter((one) => !(isObject(one) && (one.type === "null" || one.const === null)));
  if (others.length === alternatives.length) return property;
  const [only] = others;
  return others.length === 1 && isObject(only) && constantOf(only) === undefined
    ? { ...only, ...rest }
    : { ...rest, anyOf: others };
}

/** The one type beside null. */
function typeOf({ type }: JsonObject): Json | undefined {
  const types = (Array.isArray(type) ? type : [type]).filter((one) => one !== "null");
  return types.length === 1 ? types[0] : undefined;
}
