import { getOwn, isObject, type Json, type JsonObject } from "@oven/contract";
import { t } from "@oven/i18n";
import { ORDER, propertyNames } from "@oven/ui/components/schema-form/property-order.ts";

/** What a part of a JSON Schema is to the person who builds it; `other`: something that only JSON can say. */
export type SchemaKind =
  | "text"
  | "long"
  | "date"
  | "moment"
  | "number"
  | "integer"
  | "boolean"
  | "choice"
  | "list"
  | "object"
  | "any"
  | "other";

/** The kinds of field that the schema builder offers, in its order. */
export const SCHEMA_KINDS: readonly { kind: SchemaKind; title: string }[] = [
  { kind: "text", title: t("Text") },
  { kind: "long", title: t("Long text") },
  { kind: "number", title: t("Number") },
  { kind: "integer", title: t("Whole number") },
  { kind: "boolean", title: t("Yes or no") },
  { kind: "choice", title: t("Choice") },
  { kind: "date", title: t("Date") },
  { kind: "moment", title: t("Date and time") },
  { kind: "list", title: t("List of …") },
  { kind: "object", title: t("Fields") },
  { kind: "any", title: t("Anything") },
];

/** The keywords that make it one kind, and nothing else. */
const MARKS: Record<Exclude<SchemaKind, "other">, JsonObject> = {
  text: { type: "string" },
  // Said by the standard, and every validator knows it: not a format of our own, which strict ones refuse.
  long: { type: "string", contentMediaType: "text/plain" },
  date: { type: "string", format: "date" },
  moment: { type: "string", format: "date-time" },
  number: { type: "number" },
  integer: { type: "integer" },
  boolean: { type: "boolean" },
  choice: { type: "string", enum: [] },
  list: { type: "array", items: { type: "string" } },
  object: { type: "object", properties: {} },
  any: {},
};

export type LimitKey = "minLength" | "maxLength" | "pattern" | "minimum" | "maximum" | "minItems" | "maxItems";

const LIMITS: Readonly<Partial<Record<SchemaKind, readonly LimitKey[]>>> = {
  text: ["minLength", "maxLength", "pattern"],
  long: ["minLength", "maxLength"],
  number: ["minimum", "maximum"],
  integer: ["minimum", "maximum"],
  list: ["minItems", "maxItems"],
};

/** Keywords with a shape of their own: with any of these it is more than its type. */
const STRUCTURE = [
  ..."$ref $dynamicRef anyOf oneOf allOf not if then else const prefixItems contains".split(" "),
  ..."dependentSchemas dependentRequired patternProperties unevaluatedProperties unevaluatedItems".split(" "),
];
const SAID = ["description", "default"];

/** The kind of a field by its JSON Schema; `other` when the builder cannot show the schema. */
export function kindOf(schema: Json | undefined): SchemaKind {
  if (!isObject(schema) || STRUCTURE.some((key) => Object.hasOwn(schema, key))) return "other";
  const { type } = schema;
  if (schema.enum !== undefined) {
    const isPlain = Array.isArray(schema.enum) && schema.enum.every((choice) => typeof choice === "string");
    return isPlain && (type === "string" || type === undefined) ? "choice" : "other";
  }
  switch (type) {
    case "string":
      if (schema.format === "date") return "date";
      if (schema.format === "date-time") return "moment";
      return schema.contentMediaType === "text/plain" ? "long" : "text";
    case "number":
    case "integer":
    case "boolean":
      return type;
    case "array":
      return schema.items === undefined || isObject(schema.items) ? "list" : "other";
    case "object":
      return hasFields(schema) ? "object" : "other";
    case undefined:
      return schema.properties === undefined ? "any" : hasFields(schema) ? "object" : "other";
    default:
      return "other";
  }
}

function hasFields({ properties, required }: JsonObject): boolean {
  const isList =
    required === undefined || (Array.isArray(required) && required.every((name) => typeof name === "string"));
  return isList && (properties === undefined || isObject(properties));
}

/** The limits that a kind can have. */
export function limitsOf(kind: SchemaKind): readonly LimitKey[] {
  return LIMITS[kind] ?? [];
}

/** Keywords of a part that no control of its kind shows. */
export function restOf(schema: JsonObject): JsonObject {
  const kind = kindOf(schema);
  if (kind === "other") return schema;
  const shown = new Set<string>([...Object.keys(MARKS[kind]), ...limitsOf(kind), ...SAID]);
  if (kind === "object") for (const key of ["required", ORDER]) shown.add(key);
  if (kind === "choice") shown.add("type");
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !shown.has(key)));
}

/** A part with other keywords of those that no control shows. */
export function withRest(schema: JsonObject, rest: JsonObject): JsonObject {
  const old = restOf(schema);
  const kept = Object.entries(schema).filter(([key]) => !Object.hasOwn(old, key) || Object.hasOwn(rest, key));
  return { ...Object.fromEntries(kept), ...rest };
}

/** Another kind of value: what is said about it and what nobody knows stays, what only the old kind means goes. */
export function withKind(schema: Json, kind: Exclude<SchemaKind, "other">): JsonObject {
  const before = kindOf(schema);
  const marks = structuredClone(MARKS[kind]);
  if (before === "other" || !isObject(schema)) return { ...marks, ...(isObject(schema) ? said(schema) : {}) };
  if (before === kind) return schema;
  const staying = new Set<string>(limitsOf(kind));
  const gone = new Set<string>([
    ...Object.keys(MARKS[before]),
    ...limitsOf(before).filter((key) => !staying.has(key)),
    ...(before === "object" ? ["required", ORDER] : []),
    // Of another type than what it is now.
    "default",
  ]);
  return { ...marks, ...Object.fromEntries(Object.entries(schema).filter(([key]) => !gone.has(key))) };
}

function said({ title, description }: JsonObject): JsonObject {
  return { ...(title === undefined ? {} : { title }), ...(description === undefined ? {} : { description }) };
}

/** A part with a keyword set, or taken away. */
export function withKeyword(schema: JsonObject, key: string, value: Json | undefined): JsonObject {
  if (value !== undefined) return { ...schema, [key]: value };
  const { [key]: _, ...others } = schema;
  return others;
}

/** One field of an object schema. */
export interface SchemaProperty {
  name: string;
  required: boolean;
  schema: Json;
}

/** The properties of an object's schema, in the order in which they are written. */
export function propertiesOf(schema: JsonObject): SchemaProperty[] {
  const { properties, required } = schema;
  const needed = new Set(Array.isArray(required) ? required : []);
  return propertyNames(schema).map((name) => ({
    name,
    required: needed.has(name),
    schema: (isObject(properties) ? getOwn(properties, name) : undefined) ?? {},
  }));
}

/**
 * An object schema with these fields; what is required but no field stays required.
 * @param ordered whether their order is written down: without it the server may give them back in another one
 */
export function withProperties(
  schema: JsonObject,
  fields: readonly SchemaProperty[],
  ordered = Object.hasOwn(schema, ORDER),
): JsonObject {
  const before = new Set(propertiesOf(schema).map(({ name }) => name));
  const old = (Array.isArray(schema.required) ? schema.required : []).filter((name) => typeof name === "string");
  const needed = new Set(fields.filter(({ required }) => required).map(({ name }) => name));
  const kept = old.filter((name) => needed.has(name) || !before.has(name));
  const required = [...kept, ...[...needed].filter((name) => !kept.includes(name))];
  const { required: _required, [ORDER]: order, ...others } = schema;
  return {
    ...others,
    properties: Object.fromEntries(fields.map(({ name, schema: own }) => [name, own])),
    ...(required.length === 0 ? {} : { required }),
    ...(ordered && (order !== undefined || fields.length > 1) ? { [ORDER]: fields.map(({ name }) => name) } : {}),
  };
}

/** A name that no field has yet. */
export function freeName(fields: readonly SchemaProperty[]): string {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? "field" : `field${count}`;
    if (fields.every((field) => field.name !== name)) return name;
  }
}
