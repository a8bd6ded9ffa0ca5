import { isObject } from "./is-object.ts";
import type { Json, JsonObject } from "./json.ts";
import type { JsonPath } from "./json-path.ts";

/** Formats of numbers that are longer than a double, by which OpenAPI and Protocol Buffers name them. */
export const LONG_NUMBER_FORMATS: ReadonlySet<string> = new Set(["int64", "uint64", "decimal"]);
/** Keywords whose schemas hold for the same value. */
const SAME_PLACE = ["allOf", "anyOf", "oneOf"] as const;
const MOST_REFERENCES = 50;

/**
 * Whether a JSON Schema takes text at a place: `type` names `string`, or `format` is `int64`, `uint64` or `decimal`. Of alternatives one
 * that does is enough; a place of which the schema says nothing takes none.
 */
export function takesText(schema: Json, path: JsonPath): boolean {
  return schemasAt(schema, path).some(isText);
}

/** The schemas that a JSON Schema has for a place, with what they refer to and combine. */
export function schemasAt(schema: Json, path: JsonPath): JsonObject[] {
  let here = reachable([schema], schema);
  for (const part of path)
    here = reachable(
      here.flatMap((each) => inside(each, part)),
      schema,
    );
  return here;
}

function isText({ type, format }: JsonObject): boolean {
  if (typeof format === "string" && LONG_NUMBER_FORMATS.has(format)) return true;
  return type === "string" || (Array.isArray(type) && type.includes("string"));
}

/** The schemas that hold for the value of these, with what they refer to and combine. */
function reachable(schemas: readonly Json[], root: Json): JsonObject[] {
  const found = new Set<JsonObject>();
  const open = [...schemas];
  for (let next = open.pop(); next !== undefined && found.size < MOST_REFERENCES; next = open.pop()) {
    if (!isObject(next) || found.has(next)) continue;
    found.add(next);
    for (const key of SAME_PLACE) if (Array.isArray(next[key])) open.push(...next[key]);
    for (const key of ["then", "else"]) if (next[key] !== undefined) open.push(next[key]);
    if (typeof next.$ref === "string") open.push(resolve(next.$ref, root));
  }
  return [...found];
}

function resolve(reference: string, root: Json): Json {
  if (reference === "#") return root;
  let value: Json | undefined = reference.startsWith("#/") ? root : undefined;
  for (const part of reference.slice(2).split("/")) {
    const key = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value ?? true;
}

/** The schemas of what is under a key or index. */
function inside(schema: JsonObject, part: PropertyKey): Json[] {
  if (typeof part === "number") {
    const { prefixItems, items } = schema;
    const first = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
    const own = first[part];
    return own === undefined ? [Array.isArray(items) ? (schema.additionalItems ?? true) : (items ?? true)] : [own];
  }
  const key = String(part);
  const { properties, patternProperties, additionalProperties = true } = schema;
  if (isObject(properties) && Object.hasOwn(properties, key)) return [properties[key] ?? true];
  // Which pattern the key fits is decided where the value is checked.
  return isObject(patternProperties)
    ? [...Object.values(patternProperties), additionalProperties]
    : [additionalProperties];
}
