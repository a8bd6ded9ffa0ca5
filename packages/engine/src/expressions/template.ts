import { splitTemplate, type TemplatePart } from "@oven/contract/workflow";
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
  return partsOf(text).flatMap((part) => ("placeholder" in part ? [part.placeholder] : []));
}

function parseTemplate(text: string): (string | Path)[] {
  return partsOf(text).map((part) => ("placeholder" in part ? parsePath(part.placeholder) : part.literal));
}

function partsOf(text: string): TemplatePart[] {
  const { parts, unclosedAt } = splitTemplate(text);
  if (unclosedAt === null) return parts;
  throw new ExpressionSyntaxError(
    "template",
    `The placeholder that opens at column ${unclosedAt + 1} is not closed`,
    "Close it with }}, or write \\{{ for two literal braces.",
  );
}
