import type { Json, JsonObject } from "@oven/contract";
import { isPathText } from "@oven/contract/workflow";
import { isObject } from "@oven/engine";
import { OWN_SESSION, type Reference, splitReferences } from "./reference.ts";
import { contextPath } from "./session-context.ts";

export interface CompiledInput {
  value: Json;
  /** Every reference in it. */
  references: Reference[];
}

/** A value with references as a value of a definition: what has none is taken as it stands, whatever it looks like. */
export function compileInput(value: Json): CompiledInput {
  const references = findReferences(value);
  return { value: references.length === 0 ? literal(value) : toValue(value), references };
}

export function findReferences(value: Json): Reference[] {
  if (typeof value === "string") {
    return splitReferences(value).parts.filter((part) => typeof part !== "string");
  }
  if (Array.isArray(value)) return value.flatMap(findReferences);
  return isObject(value) ? Object.values(value).flatMap(findReferences) : [];
}

/** Where the value of a reference stands in the run's context. */
export function toContextPath({ step, index, field, fallback }: Reference): string {
  const segments = [index, ...field].map((part) => `[${JSON.stringify(part)}]`).join("");
  const tail = fallback === undefined ? "" : ` | default(${JSON.stringify(fallback.value)})`;
  return `${contextPath("outputs", step)}${segments}${tail}`;
}

export const isForeign = ({ session }: Reference): boolean => session !== OWN_SESSION;

/** The same as text, also where the value is none. */
export function toText(text: string): string {
  return splitReferences(text)
    .parts.map((part) => (typeof part === "string" ? escapeText(part) : `{{ ${toContextPath(part)} }}`))
    .join("");
}

function toValue(value: Json): Json {
  if (typeof value === "string") {
    const { parts, whole } = splitReferences(value);
    if (whole !== undefined) return toContextPath(whole);
    return parts.every((part) => typeof part === "string") ? literal(value) : toText(value);
  }
  if (Array.isArray(value)) return value.map(toValue);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, toValue(child)]));
}

/** A brace right before a placeholder would be taken for a part of it. */
function escapeText(text: string): string {
  const escaped = text.replaceAll("{{", "\\{{");
  const [braces = ""] = /\{*$/.exec(text) ?? [];
  return braces.length % 2 === 1 ? `${escaped.slice(0, -1)}{{ ${contextPath("steps")}["{"] | default("{") }}` : escaped;
}

function literal(value: Json): Json {
  const plain = withoutEscapes(value);
  return isPlain(plain) ? plain : { $literal: plain };
}

function withoutEscapes(value: Json): Json {
  if (typeof value === "string") return value.replaceAll("\\@{", "@{");
  if (Array.isArray(value)) return value.map(withoutEscapes);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, withoutEscapes(child)]));
}

/** Nothing in it has a meaning in a definition. */
function isPlain(value: Json): boolean {
  if (typeof value === "string") return !isPathText(value) && !value.includes("{{");
  if (Array.isArray(value)) return value.every(isPlain);
  if (!isObject(value)) return true;
  return !hasOwnMeaning(value) && Object.values(value).every(isPlain);
}

/** Keys that a definition reads; beside references they cannot be told apart from it. */
export function hasOwnMeaning(value: JsonObject): boolean {
  return Object.hasOwn(value, "$cel") || Object.hasOwn(value, "$literal");
}
