import type { Json, JsonObject } from "@oven/contract";
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
    const property = isObject(value) ? value : {};
    return {
      name,
      label: typeof property.title === "string" ? property.title : toLabel(name),
      description: typeof property.description === "string" ? property.description : null,
      required: required.includes(name),
      control: toControl(name, property),
      choices: choicesOf(property),
      initial: property.default ?? null,
    };
  });
}

function toControl(name: string, property: JsonObject): FormField["control"] {
  if (Array.isArray(property.enum)) return "choice";
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
  if (format === "email" || format === "date" || format === "date-time") return format;
  const isLong = typeof maxLength === "number" ? maxLength > 200 : LONG.test(name);
  return isLong && format === undefined ? "long-text" : "text";
}

function ofItems(items: Json | undefined): FormField["control"] {
  if (!isObject(items)) return "json";
  if (Array.isArray(items.enum)) return "choices";
  return typeOf(items) === "string" ? "text-list" : "json";
}

function choicesOf({ enum: own, items }: JsonObject): Json[] {
  if (Array.isArray(own)) return own;
  return isObject(items) && Array.isArray(items.enum) ? items.enum : [];
}

/** The one type beside null. */
function typeOf({ type }: JsonObject): Json | undefined {
  const types = (Array.isArray(type) ? type : [type]).filter((one) => one !== "null");
  return types.length === 1 ? types[0] : undefined;
}

/** `orderId` → `Order id`. */
function toLabel(name: string): string {
  const words = name
    .replace(/[_-]+/g, " ")
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
