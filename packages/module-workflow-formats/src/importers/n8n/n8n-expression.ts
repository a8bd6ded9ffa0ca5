import { isOvenError, type Json, type JsonObject, parseJson } from "@oven/contract";
import { isObject, setOwn } from "@oven/engine";
import type { Expression } from "acorn";
import { escapeTemplate, toLiteral } from "../../importing/literals.ts";
import { NoEquivalent, orReason } from "../../importing/no-equivalent.ts";
import { asRead, asVariable, parseExpression, type Read, type Segments } from "./n8n-script.ts";
import { pathOfVariable } from "./n8n-variables.ts";

export interface N8nReferences {
  /** Where the data of a node's item stands in a run of ours; undefined name: what comes in. */
  pathOf(node: string | undefined, segments: Segments, which?: Read["which"]): string | undefined;
  /**
   * Where the value of an expression stands that a step before computes, in JavaScript.
   * @throws NoEquivalent where it uses what only n8n has
   */
  compute(source: string): string;
}

/** One expression as a path of ours, or as a constant. @throws NoEquivalent */
function translateOne(source: string, references: N8nReferences): { path: string } | { constant: Json } {
  if (source.trim() === "") return { constant: "" };
  const expression = parseExpression(source);
  const constant = constantOf(expression);
  if (constant !== undefined) return { constant };
  const variable = asVariable(expression);
  if (variable !== undefined) return { path: pathOfVariable(variable) };
  const given = jsonOf(expression);
  const read = asRead(given ?? expression);
  const path = read && references.pathOf(read.from, read.segments, read.which);
  if (path !== undefined) return { path: given === undefined ? path : `${path} | json` };
  if (source.trim() === "$execution.id") return { path: "$.execution.id" };
  return { path: references.compute(source) };
}

function constantOf(expression: Expression): Json | undefined {
  if (expression.type === "UnaryExpression" && expression.operator === "-") {
    const positive = constantOf(expression.argument);
    return typeof positive === "number" ? -positive : undefined;
  }
  if (expression.type === "TemplateLiteral" && expression.expressions.length === 0)
    return expression.quasis[0]?.value.cooked ?? undefined;
  if (expression.type !== "Literal" || expression.regex !== undefined || expression.bigint !== undefined)
    return undefined;
  const { value } = expression;
  return value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? value
    : undefined;
}

/** What `JSON.stringify(x)` or `x.toJsonString()` is of. */
function jsonOf(expression: Expression): Expression | undefined {
  if (expression.type !== "CallExpression" || expression.callee.type !== "MemberExpression") return undefined;
  const { callee, arguments: given } = expression;
  const { object, property } = callee;
  if (property.type !== "Identifier" || object.type === "Super") return undefined;
  if (property.name === "toJsonString" && given.length === 0) return object;
  const isStringify = object.type === "Identifier" && object.name === "JSON" && property.name === "stringify";
  const [argument] = given;
  return isStringify && given.length === 1 && argument !== undefined && argument.type !== "SpreadElement"
    ? argument
    : undefined;
}

/** A parameter: text that begins with `=` is an expression, anything else stands for itself. @throws NoEquivalent */
export function translateValue(value: Json, references: N8nReferences): Json {
  if (Array.isArray(value)) return value.map((item) => translateValue(item, references));
  if (isObject(value)) {
    const result: JsonObject = {};
    for (const [key, child] of Object.entries(value)) setOwn(result, key, translateValue(child, references));
    return result;
  }
  if (typeof value !== "string" || !value.startsWith("=")) return toLiteral(value);
  return translateTemplate(value.slice(1), references);
}

/** Text with `{{ expressions }}`. @throws NoEquivalent */
function translateTemplate(text: string, references: N8nReferences): Json {
  const whole = /^\s*\{\{((?:(?!\}\}).)*)\}\}\s*$/s.exec(text)?.[1];
  if (whole !== undefined) {
    const one = translateOne(whole, references);
    return "path" in one ? one.path : toLiteral(one.constant);
  }
  let result = "";
  let at = 0;
  for (const match of text.matchAll(/\{\{((?:(?!\}\}).)*)\}\}/gs)) {
    result += escapeTemplate(text.slice(at, match.index));
    at = match.index + match[0].length;
    const one = translateOne(match[1] ?? "", references);
    result += "path" in one ? `{{ ${one.path} }}` : escapeTemplate(one.constant === null ? "" : String(one.constant));
  }
  const rest = text.slice(at);
  if (at === 0) return toLiteral(rest);
  return result + escapeTemplate(rest);
}

/** JSON as text with expressions in it, inside of texts or in place of values. @throws NoEquivalent */
export function translateJsonText(source: string, references: N8nReferences): Json {
  if (!source.startsWith("=")) return toLiteral(toJson(source));
  const whole = WHOLE.exec(source)?.[1];
  if (whole !== undefined) {
    const asValue = `(({ parse }) => (value) => (typeof value === "string" ? parse(value) : value))(JSON)(${whole}\n)`;
    return withoutJsonPipe(
      translateTemplate(source.slice(1), { ...references, compute: () => references.compute(asValue) }),
    );
  }
  const written = orReason(() => fillMarks(source.slice(1), withoutComputing(references)));
  return "value" in written
    ? written.value
    : references.compute(`(({ parse }) => parse(${joined(source.slice(1))}))(JSON)`);
}

/** For what has to be known before anything runs: it can read, but not compute. */
export function withoutComputing({ pathOf }: N8nReferences): N8nReferences {
  return {
    pathOf,
    compute: (source): never => {
      throw new NoEquivalent(`{{ ${source.trim().slice(0, 200)} }} is only known when it runs`);
    },
  };
}

/** A text with expressions, without its `=`, as JavaScript puts it together. */
export function joined(text: string, quote: (text: string) => string = JSON.stringify): string {
  const parts = text.split(/(\{\{(?:(?!\}\}).)*\}\})/s).filter((part) => part !== "");
  const list = parts.map((part) => (part.startsWith("{{") ? `(${part.slice(2, -2)}\n)` : quote(part)));
  return `[${list.join(", ")}].join("")`;
}

/** @throws NoEquivalent */
function fillMarks(text: string, references: N8nReferences): Json {
  const { value: marked, bare } = parseWithMarks(text);
  const fill = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(fill);
    if (isObject(value)) {
      const result: JsonObject = {};
      for (const [key, child] of Object.entries(value)) setOwn(result, key, fill(child));
      return result;
    }
    if (typeof value !== "string") return value;
    if (!value.startsWith("\u0000")) return translateTemplate(value, references);
    return withoutJsonPipe(translateTemplate(`{{${bare[Number(value.slice(1))] ?? ""}}}`, references));
  };
  return fill(marked);
}

/** One expression that gives all of it. */
const WHOLE = /^=\s*\{\{((?:(?!\}\}).)*)\}\}\s*$/s;

/** The first keys that JSON as text surely has; undefined where that is known only when it runs. */
export function keysOfJsonText(source: string): string[] | undefined {
  if (WHOLE.test(source)) return undefined;
  try {
    const value = source.startsWith("=") ? parseWithMarks(source.slice(1)).value : toJson(source);
    return isObject(value) ? Object.keys(value) : undefined;
  } catch (cause) {
    if (cause instanceof NoEquivalent) return undefined;
    throw cause;
  }
}

/** JSON in which a text with a mark stands for each expression that is a value; those inside of texts stay as they are. @throws NoEquivalent */
function parseWithMarks(text: string): { value: Json; bare: string[] } {
  const bare: string[] = [];
  let marked = "";
  let inText = false;
  for (let at = 0; at < text.length; at += 1) {
    const end = text.startsWith("{{", at) ? text.indexOf("}}", at) : -1;
    if (end >= 0 && !inText) {
      marked += JSON.stringify(`\u0000${bare.length}`);
      bare.push(text.slice(at + 2, end));
      at = end + 1;
    } else if (end >= 0) {
      marked += JSON.stringify(text.slice(at, end + 2)).slice(1, -1);
      at = end + 1;
    } else {
      if (text[at] === '"' && text[at - 1] !== "\\") inText = !inText;
      marked += text[at];
    }
  }
  return { value: toJson(marked), bare };
}

/** Where a value is asked for, its JSON stands for itself. */
function withoutJsonPipe(value: Json): Json {
  return typeof value === "string" ? value.replace(/^(\$.*) \| json$/, "$1") : value;
}

function toJson(text: string): Json {
  try {
    return parseJson(text);
  } catch (cause) {
    if (isOvenError(cause)) throw new NoEquivalent(cause.message);
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new NoEquivalent("its JSON cannot be read without running its expressions");
  }
}
