import { getOwn, isObject, type Json, type JsonObject, toLabel } from "@oven/contract";
import { t } from "@oven/i18n";
import { isLongText } from "@oven/ui/components/labels.ts";
import { propertyNames } from "@oven/ui/components/schema-form/property-order.ts";

export type ScalarType = "string" | "number" | "integer" | "boolean" | "null";

/** What a form offers for a value that a JSON Schema describes. */
export type Shape =
  | { kind: "text"; long: boolean; limits: JsonObject }
  /** A text that is code: nothing in it is a path or a template. */
  | { kind: "code"; limits: JsonObject }
  | { kind: "number"; limits: JsonObject; integer: boolean }
  | { kind: "boolean" }
  | { kind: "choice"; choices: Json[] }
  /** One of several simple types, such as milliseconds or a duration; `options` holds the limits of each. */
  | { kind: "scalar"; options: { type: ScalarType; limits: JsonObject }[] }
  | { kind: "list"; item: Shape; limits: JsonObject }
  | { kind: "object"; fields: Field[]; open: boolean }
  | { kind: "record"; value: Shape; limits: JsonObject }
  | { kind: "variants"; variants: { title: string; shape: Shape }[] }
  /** A JSON Schema itself. */
  | { kind: "schema" }
  /** Any JSON: nothing is said about it. */
  | { kind: "free"; object: boolean };

/** One property of an object. */
export interface Field {
  name: string;
  label: string;
  description: string | null;
  required: boolean;
  default: Json | undefined;
  shape: Shape;
  /** Where in the definition the value stands that holds while none is given here: `agentConfig.model`. */
  defaultAt?: string;
  /** Which values of another field give it a meaning; absent: it always has one. */
  when?: { field: string; values: readonly Json[] };
  /** A name within the definition: no run computes it. */
  plain?: boolean;
}

const SCALARS: ReadonlySet<string> = new Set(["string", "number", "integer", "boolean", "null"]);
/** Objects that say no more than that they are one: the description tells that a schema is asked for. */
const IS_SCHEMA = /^JSON Schema\b/;
/** `x-code: "language"`: a text that is code, and the input that says in which language; `condition`: CEL over what is proposed. */
const IS_CODE = "x-code";
const MAX_DEPTH = 12;
/** How often a schema may hold itself: beyond that any JSON is taken. */
const MAX_RECURSION = 2;

/** The schema that references point into, and those that are being followed. */
interface Root {
  schema: JsonObject;
  turns: readonly string[];
}

const shapes = new WeakMap<JsonObject, Shape>();

/** The form of a schema. Schemas are never changed in place, so each is read once. */
export function toShape(schema: JsonObject, name = ""): Shape {
  const known = shapes.get(schema);
  if (known !== undefined) return known;
  const shape = read(schema, name, { schema, turns: [] }, 0);
  shapes.set(schema, shape);
  return shape;
}

/** The properties of an object schema, in its order. */
export function toFields(schema: JsonObject): Field[] {
  const shape = toShape(schema);
  return shape.kind === "object" ? shape.fields : [];
}

function read(schema: Json | undefined, name: string, root: Root, depth: number): Shape {
  if (!isObject(schema) || depth > MAX_DEPTH) return { kind: "free", object: false };
  if (typeof schema.$ref === "string") {
    const { $ref } = schema;
    const turns = root.turns.filter((turn) => turn === $ref).length;
    if (turns >= MAX_RECURSION) return { kind: "free", object: false };
    return read(resolve($ref, root.schema), name, { ...root, turns: [...root.turns, $ref] }, depth + 1);
  }
  if (schema.const !== undefined) return { kind: "choice", choices: [schema.const] };
  if (Array.isArray(schema.enum)) return { kind: "choice", choices: schema.enum };
  const options = flatten(schema, root.schema);
  if (options.length > 1) return readUnion(options, name, root, depth);
  const only = options[0] ?? schema;
  return only === schema ? readTyped(schema, name, root, depth) : read(only, name, root, depth + 1);
}

function readTyped(schema: JsonObject, name: string, root: Root, depth: number): Shape {
  switch (schema.type) {
    case "string":
      if (schema[IS_CODE] !== undefined) return { kind: "code", limits: schema };
      return { kind: "text", long: isLongText(name, schema), limits: schema };
    case "number":
    case "integer":
      return { kind: "number", integer: schema.type === "integer", limits: schema };
    case "boolean":
      return { kind: "boolean" };
    case "null":
      return { kind: "choice", choices: [null] };
    case "array":
      return { kind: "list", item: read(schema.items, name, root, depth + 1), limits: schema };
    default:
      return schema.type === "object" || isObject(schema.properties)
        ? readObject(schema, root, depth)
        : { kind: "free", object: false };
  }
}

function readObject(schema: JsonObject, root: Root, depth: number): Shape {
  const { properties, additionalProperties } = schema;
  if (isObject(properties) && Object.keys(properties).length > 0) {
    const required = Array.isArray(schema.required) ? schema.required : [];
    const fields = propertyNames(schema).map((name): Field => {
      const value = getOwn(properties, name);
      const property = isObject(value) ? value : {};
      const isSchema = typeof property.description === "string" && IS_SCHEMA.test(property.description);
      const shape = read(property, name, root, depth + 1);
      return {
        name,
        label: typeof property.title === "string" ? property.title : labelOf(name, shape),
        description: typeof property.description === "string" ? property.description : null,
        required: required.includes(name),
        default: property.default ?? property["x-default"],
        ...(typeof property["x-default-at"] === "string" ? { defaultAt: property["x-default-at"] } : {}),
        ...whenOf(schema, name),
        shape: isSchema && shape.kind === "free" ? { kind: "schema" } : shape,
      };
    });
    return { kind: "object", fields, open: additionalProperties !== false };
  }
  if (additionalProperties === undefined || additionalProperties === false || additionalProperties === true)
    return { kind: "free", object: true };
  return { kind: "record", value: read(additionalProperties, "", root, depth + 1), limits: schema };
}

/** The unit is in the control: `timeoutMs` reads "Timeout", `maxCostMicros` "Max cost". */
function labelOf(name: string, shape: Shape): string {
  return toLabel(shape.kind === "number" ? name.replace(/(?<=.)(Ms|Micros)$/, "") : name);
}

/** `x-shown-when: {"body": {"method": ["POST"]}}`: what a node says about its own inputs. Validators pass it over. */
const SHOWN_WHEN = "x-shown-when";

function whenOf(schema: JsonObject, name: string): Pick<Field, "when"> {
  const all = schema[SHOWN_WHEN];
  const rule = isObject(all) ? getOwn(all, name) : undefined;
  const [only] = isObject(rule) ? Object.entries(rule) : [];
  return only === undefined || !Array.isArray(only[1]) ? {} : { when: { field: only[0], values: only[1] } };
}

/** Whether a field has a meaning beside the others. One that is set is always shown, so that it can be taken away. */
export function isMeant({ name, when }: Field, value: JsonObject, fields: readonly Field[]): boolean {
  if (when === undefined || Object.hasOwn(value, name)) return true;
  const other = getOwn(value, when.field) ?? fields.find((field) => field.name === when.field)?.default;
  // What a run computes is not known yet.
  const isComputed = isObject(other) || (typeof other === "string" && /^\$|\{\{/.test(other));
  return other === undefined || isComputed || when.values.includes(other);
}

/** The alternatives of a schema, those of nested unions too; a list of types is one of them. */
function flatten(schema: JsonObject, root: JsonObject): JsonObject[] {
  const options = Array.isArray(schema.anyOf) ? schema.anyOf : Array.isArray(schema.oneOf) ? schema.oneOf : null;
  if (options !== null)
    return options.flatMap((option) => {
      const target = isObject(option) && typeof option.$ref === "string" ? resolve(option.$ref, root) : option;
      if (!isObject(target) || isObject(target.not)) return [];
      // A union with a title is one alternative: what is typed decides between its kinds.
      return typeof target.title === "string" && Array.isArray(target.anyOf) ? [target] : flatten(target, root);
    });
  if (Array.isArray(schema.type)) return schema.type.map((type) => ({ ...schema, type }));
  return [schema];
}

function readUnion(options: JsonObject[], name: string, root: Root, depth: number): Shape {
  const fixed = options.map((option) =>
    option.const !== undefined
      ? [option.const]
      : Array.isArray(option.enum)
        ? option.enum
        : option.type === "null"
          ? [null]
          : null,
  );
  if (fixed.every((choices) => choices !== null)) return { kind: "choice", choices: fixed.flatMap((one) => one ?? []) };
  const simple = options.map(({ type, const: fixedTo, enum: choices, ...limits }) =>
    typeof type === "string" && SCALARS.has(type) && fixedTo === undefined && choices === undefined
      ? { type: type as ScalarType, limits } // cast: asked just now
      : null,
  );
  if (simple.every((option) => option !== null))
    return { kind: "scalar", options: simple.flatMap((option) => (option === null ? [] : [option])) };
  const variants = options.map((option) => {
    const shape = read(option, name, root, depth + 1);
    return { title: titleOf(option, shape), shape };
  });
  return { kind: "variants", variants };
}

/** What an alternative is called: by what tells it from the others, else by its shape. */
function titleOf(schema: JsonObject, shape: Shape): string {
  if (typeof schema.title === "string") return schema.title;
  switch (shape.kind) {
    case "object": {
      const sign = shape.fields.find(
        ({ name, shape: own }) => own.kind === "choice" && (own.choices.length === 1 || name === "type"),
      );
      if (sign?.shape.kind === "choice") return toLabel(sign.shape.choices.map(String).join(" or "));
      return shape.fields.map(({ label }, index) => (index === 0 ? label : label.toLowerCase())).join(", ");
    }
    case "choice":
      return shape.choices.length === 1 ? toLabel(String(shape.choices[0])) : t("One of a list");
    case "list":
      return "List";
    case "text":
      return "Text";
    case "number":
      return "Number";
    case "boolean":
      return t("Yes or no");
    case "record":
      return t("Keys and values");
    default:
      return "Value";
  }
}

function resolve(reference: string, root: JsonObject): Json | undefined {
  if (!reference.startsWith("#/")) return undefined;
  return reference
    .slice(2)
    .split("/")
    .reduce<Json | undefined>(
      (at, part) => (isObject(at) ? getOwn(at, part.replaceAll("~1", "/").replaceAll("~0", "~")) : undefined),
      root,
    );
}
