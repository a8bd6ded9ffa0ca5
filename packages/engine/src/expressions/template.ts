import { ExpressionSyntaxError } from "./expression-error.ts";
import type { Late } from "./late.ts";
import { type Path, parsePath } from "./path.ts";
import { isContentReference } from "./reference.ts";
import { requirePath, type Scope } from "./scope.ts";
import { toText } from "./text.ts";

/** Whether text holds a placeholder or an escaped one. */
export function isTemplate(text: string): boolean {
  return text.includes("{{");
}

/**
 * Text with `{{ $.path | pipes }}` placeholders; `\{{` is a literal `{{`. What a placeholder renders is never looked
 * at again, so data that looks like a template stays data.
 */
export function compileTemplate(text: string): (scope: Scope) => string {
  const parts = parseTemplate(text);
  return (scope) => parts.map((part) => (typeof part === "string" ? part : toText(requirePath(scope, part)))).join("");
}

/** The same with what is known before the node is called; undefined when no placeholder has `| full`. */
export function compileLateTemplate(text: string): ((scope: Scope) => Late) | undefined {
  const parts = parseTemplate(text);
  if (!parts.some((part) => typeof part !== "string" && followsContent(part))) return undefined;
  return (scope) => ({
    t: parts.map((part) => {
      if (typeof part === "string") return part;
      const value = requirePath(scope, part);
      return followsContent(part) && isContentReference(value) ? { r: value } : toText(value);
    }),
  });
}

export function followsContent({ pipes }: Path): boolean {
  return pipes.at(-1)?.name === "full";
}

/** The paths in the placeholders of a text, as written. @throws ExpressionSyntaxError for a placeholder that is not closed */
export function placeholdersIn(text: string): string[] {
  return splitTemplate(text).flatMap((part) => ("placeholder" in part ? [part.placeholder] : []));
}

function parseTemplate(text: string): (string | Path)[] {
  return splitTemplate(text).map((part) => ("placeholder" in part ? parsePath(part.placeholder) : part.literal));
}

function splitTemplate(text: string): ({ literal: string } | { placeholder: string })[] {
  const parts: ({ literal: string } | { placeholder: string })[] = [];
  let literal = "";
  let position = 0;
  while (position < text.length) {
    if (text.startsWith("\\{{", position)) {
      literal += "{{";
      position += 3;
    } else if (text.startsWith("{{", position)) {
      const end = findEnd(text, position + 2);
      parts.push({ literal }, { placeholder: text.slice(position + 2, end).trim() });
      literal = "";
      position = end + 2;
    } else {
      literal += text[position];
      position += 1;
    }
  }
  parts.push({ literal });
  return parts;
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
