/** The part of a JSON Schema that a reference page shows. */
export interface SchemaNode {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: SchemaNode[];
  oneOf?: SchemaNode[];
  items?: SchemaNode;
  properties?: Record<string, SchemaNode>;
  required?: string[];
  additionalProperties?: boolean | SchemaNode;
  description?: string;
  default?: unknown;
  $ref?: string;
  minimum?: number;
  maximum?: number;
}

/** A type in a few words: `"a" or "b"`, `list of text`, `{key, value}`. */
export function describeSchema(schema: SchemaNode): string {
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" or ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const branches = schema.anyOf ?? schema.oneOf;
  // Any JSON value is the one schema here that refers to itself.
  if (schema.$ref !== undefined || branches?.some(refersBack)) return "any JSON";
  if (branches !== undefined) return [...new Set(branches.map(describeSchema))].join(" or ");
  if (Array.isArray(schema.type)) return schema.type.map(nameOf).join(" or ");
  if (schema.type === "array") return `list of ${describeSchema(schema.items ?? {})}`;
  if (schema.type === "object") return describeObject(schema);
  return schema.type === undefined ? "any JSON" : `${nameOf(schema.type)}${describeBounds(schema)}`;
}

function refersBack(branch: SchemaNode): boolean {
  const { items, additionalProperties } = branch;
  return (
    items?.$ref !== undefined || (typeof additionalProperties === "object" && additionalProperties.$ref !== undefined)
  );
}

function describeObject({ properties, additionalProperties, required = [] }: SchemaNode): string {
  const keys = Object.keys(properties ?? {});
  if (keys.length > 0) return `{${keys.map((key) => (required.includes(key) ? key : `${key}?`)).join(", ")}}`;
  return typeof additionalProperties === "object" && additionalProperties.$ref === undefined
    ? `object of ${describeSchema(additionalProperties)}`
    : "object";
}

function describeBounds({ type, minimum, maximum }: SchemaNode): string {
  if (type !== "integer" && type !== "number") return "";
  // The bounds every integer has say nothing.
  const low = minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER ? undefined : minimum;
  const high = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? undefined : maximum;
  if (low !== undefined && high !== undefined) return ` ${low}–${high}`;
  if (low !== undefined) return ` ≥ ${low}`;
  return high === undefined ? "" : ` ≤ ${high}`;
}

function nameOf(type: string): string {
  return type === "string" ? "text" : type;
}
