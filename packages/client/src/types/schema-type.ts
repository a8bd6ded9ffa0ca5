import type { Json, JsonObject } from "@oven/contract";

export interface TypeNames {
  /** The TypeScript name of what a `$ref` leads to. */
  ofReference(reference: string): string;
}

const NO_NAMES: TypeNames = { ofReference: () => "unknown" };
const PLAIN: Readonly<Record<string, string>> = {
  string: "string",
  number: "number",
  integer: "number",
  boolean: "boolean",
  null: "null",
};
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/**
 * The TypeScript type of the values that a JSON Schema accepts, as text. What TypeScript cannot say, such as a pattern or a bound, is left
 * out: the type accepts at least what the schema accepts.
 * @param schema JSON Schema of draft 7 or 2020-12
 * @param indent spaces before the lines of an object
 */
export function toType(schema: Json, names: TypeNames = NO_NAMES, indent = 0): string {
  if (!isObject(schema)) return schema === false ? "never" : "unknown";
  if (typeof schema.$ref === "string") return names.ofReference(schema.$ref);
  if (schema.const !== undefined) return toLiteral(schema.const);
  if (Array.isArray(schema.enum)) return joined(schema.enum.map(toLiteral), " | ");
  const own = toOwnType(schema, names, indent);
  const branches = (key: "anyOf" | "oneOf" | "allOf") => {
    const listed = schema[key];
    return Array.isArray(listed) ? listed.map((branch) => toType(branch, names, indent)) : [];
  };
  const parts = [own, joined([...branches("anyOf"), ...branches("oneOf")], " | "), ...branches("allOf")];
  return joined(
    parts.filter((part) => part !== "unknown" && part !== ""),
    " & ",
  );
}

function toOwnType(schema: JsonObject, names: TypeNames, indent: number): string {
  const kinds = Array.isArray(schema.type) ? schema.type : [schema.type ?? impliedKind(schema)];
  return joined(
    kinds.map((kind) => {
      if (kind === "array") return toListType(schema, names, indent);
      if (kind === "object") return toObjectType(schema, names, indent);
      return typeof kind === "string" ? (PLAIN[kind] ?? "unknown") : "unknown";
    }),
    " | ",
  );
}

function impliedKind({ properties, items, prefixItems }: JsonObject): string | undefined {
  if (isObject(properties)) return "object";
  return items === undefined && prefixItems === undefined ? undefined : "array";
}

function toListType({ items, prefixItems }: JsonObject, names: TypeNames, indent: number): string {
  const rest = items === undefined ? "unknown" : toType(items, names, indent);
  if (!Array.isArray(prefixItems)) return `${grouped(rest)}[]`;
  const first = prefixItems.map((item) => toType(item, names, indent));
  return `[${[...first, ...(items === false ? [] : [`...${grouped(rest)}[]`])].join(", ")}]`;
}

function toObjectType(schema: JsonObject, names: TypeNames, indent: number): string {
  const { properties, required, additionalProperties, patternProperties } = schema;
  const needed = new Set(Array.isArray(required) ? required : []);
  const space = " ".repeat(indent + 2);
  const fields = Object.entries(isObject(properties) ? properties : {}).map(([name, field]) => {
    const key = IDENTIFIER.test(name) ? name : JSON.stringify(name);
    return `${toComment(field, space)}${space}${key}${needed.has(name) ? "" : "?"}: ${toType(field, names, indent + 2)};\n`;
  });
  const patterns = Object.values(isObject(patternProperties) ? patternProperties : {});
  const others = [...patterns, ...(isObject(additionalProperties) ? [additionalProperties] : [])];
  const values = joined(
    others.map((other) => toType(other, names, indent)),
    " | ",
  );
  if (fields.length === 0) {
    if (others.length > 0) return `Record<string, ${values}>`;
    return additionalProperties === false ? "Record<string, never>" : "Record<string, unknown>";
  }
  const known = `{\n${fields.join("")}${" ".repeat(indent)}}`;
  if (others.length > 0) return `${known} & Record<string, ${values === "unknown" ? values : "unknown"}>`;
  return additionalProperties === false || additionalProperties === undefined
    ? known
    : `${known} & Record<string, unknown>`;
}

/** The description of a schema above what it describes; empty where it has none. */
export function toComment(schema: Json, space: string): string {
  const text = isObject(schema) && typeof schema.description === "string" ? schema.description.trim() : "";
  if (text === "") return "";
  // What would end the comment early is taken apart.
  const lines = text.replaceAll("*/", "*\\/").split(/\r\n|[\n\r\u2028\u2029]/);
  if (lines.length === 1) return `${space}/** ${lines[0]} */\n`;
  return `${space}/**\n${lines.map((line) => `${space} * ${line}`.trimEnd()).join("\n")}\n${space} */\n`;
}

/** JSON as a TypeScript type of this one value. */
function toLiteral(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(toLiteral).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([key, held]) => `${JSON.stringify(key)}: ${toLiteral(held)}`)
    .join("; ")} }`;
}

function joined(types: readonly string[], by: " | " | " & "): string {
  const distinct = [...new Set(types)];
  if (distinct.length === 0) return "unknown";
  if (distinct.length === 1) return distinct[0] ?? "unknown";
  if (by === " | ") return distinct.includes("unknown") ? "unknown" : distinct.join(by);
  return distinct.map(grouped).join(by);
}

/** In brackets where an operator beside it would bind stronger. */
function grouped(type: string): string {
  return isCompound(type) ? `(${type})` : type;
}

/** Whether an operator stands outside all brackets and texts. */
function isCompound(type: string): boolean {
  let depth = 0;
  const bare = type.replace(/"(?:[^"\\]|\\.)*"/g, '""').replace(/\/\*[\s\S]*?\*\//g, "");
  for (const letter of bare) {
    if ("{[(<".includes(letter)) depth += 1;
    else if ("}])>".includes(letter)) depth -= 1;
    else if (depth === 0 && (letter === "|" || letter === "&")) return true;
  }
  return false;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
