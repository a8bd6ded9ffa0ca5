import type { Json } from "@oven/contract";
import { ExpressionSyntaxError } from "./expression-error.ts";
import { parsePath } from "./path.ts";
import { requirePath, type Scope } from "./scope.ts";

/** Whether text holds a placeholder or an escaped one. */
export function isTemplate(text: string): boolean {
  return text.includes("{{");
}

/**
 * Text with `{{ $.path | pipes }}` placeholders; `\{{` is a literal `{{`. What a placeholder renders is never looked
 * at again, so data that looks like a template stays data.
 */
export function compileTemplate(text: string): (scope: Scope) => string {
  const parts: (string | ((scope: Scope) => string))[] = [];
  let literal = "";
  let position = 0;
  while (position < text.length) {
    if (text.startsWith("\\{{", position)) {
      literal += "{{";
      position += 3;
    } else if (text.startsWith("{{", position)) {
      const end = findEnd(text, position + 2);
      const path = parsePath(text.slice(position + 2, end).trim());
      parts.push(literal, (scope) => toText(requirePath(scope, path)));
      literal = "";
      position = end + 2;
    } else {
      literal += text[position];
      position += 1;
    }
  }
  parts.push(literal);
  return (scope) => parts.map((part) => (typeof part === "string" ? part : part(scope))).join("");
}

/** The position of the closing `}}`, quotes respected (a default may hold braces). */
function findEnd(text: string, start: number): number {
  let quoted = false;
  for (let i = start; i < text.length; i += 1) {
    const character = text[i];
    if (quoted && character === "\\") i += 1;
    else if (character === '"') quoted = !quoted;
    else if (!quoted && text.startsWith("}}", i)) return i;
  }
  throw new ExpressionSyntaxError(
    "template",
    `The placeholder that opens at column ${start - 1} is not closed`,
    "Close it with }}, or write \\{{ for two literal braces.",
  );
}

/** Text as is, null empty, everything else as JSON. */
function toText(value: Json): string {
  if (typeof value === "string") return value;
  return value === null ? "" : JSON.stringify(value);
}
