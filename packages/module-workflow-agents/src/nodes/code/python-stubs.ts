import type { Json, JsonObject } from "@oven/contract";
import { isObject } from "@oven/engine";
import type { ProgramTool } from "./program-tools.ts";

const MOST_DEPTH = 4;
const MOST_KEYS = 60;
const MOST_VALUES = 20;
const MOST_TEXT = 1_000;

const HEAD = "from typing import Any, Literal, NotRequired, TypedDict";

/**
 * The functions of a program as Python: signatures and descriptions from their JSON Schemas. The model reads it, and the type checker.
 * @param inputs names of the program's inputs
 */
export function toStubs(tools: readonly ProgramTool[], inputs: readonly string[]): string {
  const types = new Types();
  const functions = tools.map(
    ({ name, tool: { description, inputSchema, outputSchema, needsApproval }, parameters }) => {
      const { properties = {}, required = [] } = inputSchema;
      const needed = Array.isArray(required) ? required : [];
      const listed = parameters.map((parameter) => {
        const type = types.of(isObject(properties) ? properties[parameter] : undefined, `${name}_${parameter}`, 0);
        return `${parameter}: ${type}${needed.includes(parameter) ? "" : " = ..."}`;
      });
      const isOpen = isObject(properties) && Object.keys(properties).length > parameters.length;
      const all = [...listed, ...(isOpen ? ["**more: Any"] : [])].join(", ");
      const asks = needsApproval ? " A person is asked first, and may refuse: then it raises RuntimeError." : "";
      const about = `${description}${asks}`.slice(0, MOST_TEXT).replaceAll("\\", "\\\\").replaceAll('"""', "'''");
      return [
        `async def ${name}(${all}) -> ${types.of(outputSchema, `${name}_result`, 0)}:`,
        `    """${about}"""`,
        "    raise NotImplementedError",
      ].join("\n");
    },
  );
  const variables = inputs.map((name) => `${name}: Any = None`);
  return [HEAD, ...variables, ...types.declared, ...functions].join("\n");
}

/** Python's types for JSON Schemas; objects become classes of their own. */
class Types {
  readonly declared: string[] = [];
  readonly #names = new Set<string>();

  of(schema: Json | undefined, place: string, depth: number): string {
    if (!isObject(schema) || depth > MOST_DEPTH) return "Any";
    const { const: only, enum: values, anyOf, oneOf, type } = schema;
    if (only !== undefined) return toLiteral([only]);
    if (Array.isArray(values)) return toLiteral(values);
    const some = anyOf ?? oneOf;
    if (Array.isArray(some)) return union(some.map((one, index) => this.of(one, `${place}_${index + 1}`, depth + 1)));
    if (Array.isArray(type)) return union(type.map((one) => this.of({ ...schema, type: one }, place, depth)));
    switch (type) {
      case "string":
        return "str";
      case "integer":
        return "int";
      case "number":
        return "float";
      case "boolean":
        return "bool";
      case "null":
        return "None";
      case "array":
        return `list[${this.of(schema.items, `${place}_item`, depth + 1)}]`;
      case "object":
        return this.#object(schema, place, depth);
      default:
        return "Any";
    }
  }

  #object({ properties, required = [], additionalProperties }: JsonObject, place: string, depth: number): string {
    const keys = isObject(properties) ? Object.keys(properties) : [];
    if (!isObject(properties) || keys.length === 0)
      return `dict[str, ${this.of(isObject(additionalProperties) ? additionalProperties : undefined, `${place}_value`, depth + 1)}]`;
    // What has other keys, or names that are none in Python, is a plain dict.
    const isPlain = keys.length > MOST_KEYS || additionalProperties === true || !keys.every(isKey);
    if (isPlain) return "dict[str, Any]";
    const needed = Array.isArray(required) ? required : [];
    const fields = keys.map((key) => {
      const type = this.of(properties[key], `${place}_${key}`, depth + 1);
      return `    ${key}: ${needed.includes(key) ? type : `NotRequired[${type}]`}`;
    });
    const name = this.#unique(place);
    this.declared.push(`class ${name}(TypedDict):\n${fields.join("\n")}`);
    return name;
  }

  #unique(place: string): string {
    const base = place.replaceAll(/(?:^|_)([A-Za-z0-9])/g, (_all, letter: string) => letter.toUpperCase());
    let name = base;
    for (let copy = 2; this.#names.has(name); copy += 1) name = `${base}${copy}`;
    this.#names.add(name);
    return name;
  }
}

function union(types: readonly string[]): string {
  if (types.includes("Any") || types.length === 0) return "Any";
  return [...new Set(types)].join(" | ");
}

function toLiteral(values: readonly Json[]): string {
  const isSimple = values.every((value) => typeof value === "string" || Number.isSafeInteger(value));
  if (!isSimple || values.length > MOST_VALUES || values.length === 0) return "Any";
  return `Literal[${values.map((value) => JSON.stringify(value)).join(", ")}]`;
}

function isKey(key: string): boolean {
  return /^[A-Za-z_]\w*$/.test(key) && !KEYWORDS.has(key);
}

const KEYWORDS: ReadonlySet<string> = new Set(
  [
    "False None True and as assert async await break class continue def del elif else except finally for from global if",
    "import in is lambda nonlocal not or pass raise return try while with yield",
  ].flatMap((words) => words.split(" ")),
);
