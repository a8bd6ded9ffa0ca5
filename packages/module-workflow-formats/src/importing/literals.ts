import type { Json, JsonObject } from "@oven/contract";
import { isPathText } from "@oven/contract/workflow";
import { isObject, setOwn } from "@oven/engine";
import { isSecretLabel, REMOVED, SECRET_NAMES, withoutAssigned } from "./credentials.ts";
import { NoEquivalent } from "./no-equivalent.ts";

const KEY = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

/** A value of another product that our expressions must leave as it stands. */
export function toLiteral(value: Json): Json {
  return readsAsExpression(value) ? { $literal: value } : value;
}

/** Text of another product inside a template of ours. */
export function escapeTemplate(text: string): string {
  return text.replaceAll("{{", "\\{{");
}

/** A translated value as a part of a longer text of ours. */
export function insideText(value: Json): string {
  if (isObject(value) && value.$literal !== undefined) return escapeTemplate(plainText(value.$literal));
  if (typeof value !== "string") return escapeTemplate(plainText(value));
  return isPathText(value) ? `{{ ${value} }}` : value;
}

/** Translated values as text: a path is filled in, and several are joined. @throws NoEquivalent */
export function joinTexts(values: readonly Json[], separator = "\n\n"): Json {
  const [only, ...others] = values;
  const isLiteral = isObject(only) && typeof only.$literal === "string";
  return only !== undefined && others.length === 0 && isLiteral
    ? only
    : toTemplate(values.map(insideText).join(separator));
}

/** Text with what is filled in. @throws NoEquivalent where it begins as a path does */
export function toTemplate(text: string): string {
  if (isPathText(text)) throw new NoEquivalent("a text with variables begins like a path of ours");
  return text;
}

function plainText(value: Json): string {
  return typeof value === "string" ? value : value === null ? "" : JSON.stringify(value);
}

function readsAsExpression(value: Json): boolean {
  if (typeof value === "string") return value.startsWith("$") || value.includes("{{");
  if (Array.isArray(value)) return value.some(readsAsExpression);
  if (!isObject(value)) return false;
  return Object.entries(value).some(([key, child]) => key.startsWith("$") || readsAsExpression(child));
}

/** `$.order.items[0]["unit price"]` */
export function toPath(root: string, segments: readonly (string | number)[]): string {
  return segments.reduce<string>((path, part) => {
    if (typeof part === "number") return `${path}[${part}]`;
    return KEY.test(part) ? `${path}.${part}` : `${path}[${JSON.stringify(part)}]`;
  }, root);
}

/** A JSON Schema that fits an example, as deep as it goes. */
export function schemaOfExample(value: Json): JsonObject {
  if (Array.isArray(value))
    return { type: "array", ...(value[0] === undefined ? {} : { items: schemaOfExample(value[0]) }) };
  if (isObject(value)) {
    const properties: JsonObject = {};
    for (const [key, child] of Object.entries(value)) setOwn(properties, key, schemaOfExample(child));
    return { type: "object", properties, required: Object.keys(properties) };
  }
  return value === null ? {} : { type: typeof value };
}

/** The same without values that are named like secrets. Expressions stay: they name, they do not hold. */
export function withoutSecrets(value: Json, isReference: (text: string) => boolean): { value: Json; removed: boolean } {
  let removed = false;
  const clean = (child: Json, name: string): Json => {
    if (Array.isArray(child)) return child.map((item) => clean(item, name));
    if (isObject(child)) {
      const kept: JsonObject = {};
      const label = [child.name, child.key, child.header].find((text) => typeof text === "string");
      const isPair = typeof label === "string" && isSecretLabel(label);
      for (const [key, inner] of Object.entries(child))
        setOwn(kept, key, clean(inner, isPair && key === "value" ? "secret" : key));
      return kept;
    }
    if (typeof child !== "string" || child === "") return child;
    if (!SECRET_NAMES.test(name) || isReference(child)) {
      const kept = withoutAssigned(child);
      removed ||= kept !== child;
      return kept;
    }
    removed = true;
    return REMOVED;
  };
  return { value: clean(value, ""), removed };
}
