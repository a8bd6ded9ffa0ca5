import { getOwn, isObject, type Json, type JsonObject, takesText, toLabel } from "@oven/contract";
import { t } from "@oven/i18n";
import { isLongText } from "../labels.ts";
import { readTypedJson, readTypedNumber, type Typed } from "../typed-value.ts";
import { propertyNames } from "./property-order.ts";

/** One control of a form that a JSON Schema describes. */
export interface SchemaField {
  name: string;
  label: string;
  description: string | null;
  required: boolean;
  control: "text" | "long-text" | "number" | "integer" | "boolean" | "choice" | "json";
  choices: Json[];
  /** What the value is checked by. */
  schema: JsonObject;
}

function toControl(name: string, schema: JsonObject): SchemaField["control"] {
  if (Array.isArray(schema.enum)) return "choice";
  const types = Array.isArray(schema.type) ? schema.type.filter((type) => type !== "null") : [schema.type];
  if (types.length !== 1) return "json";
  switch (types[0]) {
    case "string":
      return isLongText(name, schema) ? "long-text" : "text";
    case "number":
    case "integer":
    case "boolean":
      return types[0];
    default:
      return "json";
  }
}

/** The fields of an object schema; null when the schema is none, and its value must be edited as a whole. */
export function toFields(schema: JsonObject | null | undefined): SchemaField[] | null {
  if (!isObject(schema) || !isObject(schema.properties)) return null;
  const required = Array.isArray(schema.required) ? schema.required : [];
  const { properties } = schema;
  return propertyNames(schema).map((name) => {
    const value = getOwn(properties, name);
    return toField(name, isObject(value) ? value : {}, required.includes(name));
  });
}

/** The field of one property. */
export function toField(name: string, property: JsonObject, required: boolean): SchemaField {
  return {
    name,
    label: typeof property.title === "string" ? property.title : toLabel(name),
    description: typeof property.description === "string" ? property.description : null,
    required,
    control: toControl(name, property),
    choices: Array.isArray(property.enum) ? property.enum : [],
    schema: property,
  };
}

/** The labels of fields that must be filled in and are not. */
export function toMissing(schema: JsonObject | null, value: Json): string[] {
  const object = isObject(value) ? value : {};
  return (toFields(schema) ?? [])
    .filter(({ name, required }) => required && (getOwn(object, name) ?? "") === "")
    .map(({ label }) => label);
}

/** A schema that fits a value nobody described: enough to offer typed controls for it. */
export function inferSchema(value: Json): JsonObject {
  if (value === null) return {};
  if (Array.isArray(value)) return inferList(value);
  if (typeof value === "object") {
    return {
      type: "object",
      properties: Object.fromEntries(Object.entries(value).map(([key, child]) => [key, inferSchema(child)])),
    };
  }
  return { type: typeof value };
}

/** Entries of one kind are edited one by one; objects have the fields that any of them has. */
function inferList(values: readonly Json[]): JsonObject {
  const schemas = values.map(inferSchema);
  const types = new Set(schemas.map(({ type }) => type));
  const [first] = schemas;
  if (types.size !== 1 || first?.type === undefined || first.type === "array") return { type: "array" };
  if (first.type !== "object") return { type: "array", items: first };
  const properties = Object.assign({}, ...schemas.map((schema) => schema.properties));
  return { type: "array", items: { type: "object", properties } };
}

const needed = (): Typed<never> => ({ ok: false, message: t("Needed") });

/** What was typed into a control as a value; undefined when it was left empty. */
export function parseField(
  field: Pick<SchemaField, "control" | "required" | "schema">,
  text: string,
): Typed<Json | undefined> {
  if (text === "" && field.control !== "text" && field.control !== "long-text") {
    return field.required ? needed() : { ok: true, value: undefined };
  }
  switch (field.control) {
    case "number":
    case "integer":
      return readTypedNumber(text, { whole: field.control === "integer", longAsText: takesText(field.schema, []) });
    case "json":
      return readTypedJson(text, field.schema);
    default:
      if (text === "") return field.required ? needed() : { ok: true, value: undefined };
      return { ok: true, value: text };
  }
}

/** A value as the text of its control. */
export function toFieldText(field: Pick<SchemaField, "control">, value: Json | undefined): string {
  if (value === undefined) return "";
  if (field.control === "json") return JSON.stringify(value, null, 2);
  if (value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

export interface FieldChange {
  name: string;
  before: Json | undefined;
  after: Json | undefined;
}

/** What an edit changed, field by field; a value that is no object is one field without a name. */
export function toChanges(before: Json, after: Json): FieldChange[] {
  const same = (one: Json | undefined, other: Json | undefined): boolean =>
    JSON.stringify(one) === JSON.stringify(other);
  if (!isObject(before) || !isObject(after)) return same(before, after) ? [] : [{ name: "", before, after }];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => !same(getOwn(before, name), getOwn(after, name)))
    .map((name) => ({ name, before: getOwn(before, name), after: getOwn(after, name) }));
}
