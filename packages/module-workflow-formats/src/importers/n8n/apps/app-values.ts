import type { Json } from "@oven/contract";
import { isObject } from "@oven/engine";
import { joined } from "../n8n-expression.ts";

/** Whether a parameter of n8n is computed when it runs. */
export function isExpression(value: Json | undefined): value is `=${string}` {
  return typeof value === "string" && value.startsWith("=");
}

/** A parameter as an expression in JavaScript. */
export function js(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(js).join(", ")}]`;
  if (isObject(value))
    return `({ ${Object.entries(value)
      .map(([key, child]) => `[${JSON.stringify(key)}]: ${js(child)}`)
      .join(", ")} })`;
  if (typeof value !== "string") return JSON.stringify(value);
  if (!isExpression(value)) return quoted(value);
  const text = value.slice(1);
  const whole = /^\s*\{\{((?:(?!\}\}).)*)\}\}\s*$/s.exec(text)?.[1];
  return whole === undefined ? joined(text, quoted) : `(${whole}\n)`;
}

/** A text in JavaScript without braces, which would end the expression that it stands in. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll("{", "\\u007b").replaceAll("}", "\\u007d");
}

/** A parameter that JavaScript computes. n8n ends an expression at `}}`. */
export const computed = (source: string): string => `={{ ${source.replaceAll("}}", "} }")} }}`;

/** A text for one part of an address: what has a meaning there is encoded, also when it is computed. */
export function encoded(value: Json): string {
  return isExpression(value) ? computed(`encodeURIComponent(${js(value)})`) : encodeURIComponent(String(value));
}

/** An address with ids in it. What is written out is encoded; ids that are computed stand as they are, as in n8n. */
export function url(parts: TemplateStringsArray, ...values: readonly Json[]): string {
  let text = parts[0] ?? "";
  let isComputed = false;
  for (const [index, value] of values.entries()) {
    isComputed ||= isExpression(value);
    text += isExpression(value)
      ? value.slice(1)
      : /^[\w.%-]*$/.test(String(value))
        ? value
        : encodeURIComponent(String(value));
    text += parts[index + 1] ?? "";
  }
  return isComputed ? `=${text}` : text;
}
