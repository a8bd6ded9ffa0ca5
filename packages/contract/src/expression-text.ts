/** Whether a whole string is meant as a path: `$`, `$.…`, `$[…` (`$5` is text). */
export function isPathText(text: string): boolean {
  return text === "$" || text.startsWith("$.") || text.startsWith("$[") || text.startsWith("$config.");
}

/** A stretch of a template: text as it is shown, or what stands in `{{ }}`, trimmed, and where that begins. */
export type TemplatePart = { literal: string } | { placeholder: string; start: number };

/** A template in its parts; `unclosedAt` is where the first placeholder without its `}}` opens, and nothing after it is read. */
export function splitTemplate(text: string): { parts: TemplatePart[]; unclosedAt: number | null } {
  const parts: TemplatePart[] = [];
  let literal = "";
  let position = 0;
  while (position < text.length) {
    if (text.startsWith("\\{{", position)) {
      literal += "{{";
      position += 3;
    } else if (text.startsWith("{{", position)) {
      const end = findEnd(text, position + 2);
      if (end === -1) return { parts, unclosedAt: position };
      const inner = text.slice(position + 2, end);
      const start = position + 2 + (inner.length - inner.trimStart().length);
      parts.push({ literal }, { placeholder: inner.trim(), start });
      literal = "";
      position = end + 2;
    } else {
      literal += text[position];
      position += 1;
    }
  }
  parts.push({ literal });
  return { parts, unclosedAt: null };
}

/** The position of the closing `}}`, quotes respected (a default may hold braces); -1 when there is none. */
function findEnd(text: string, start: number): number {
  let quoted = false;
  for (let i = start; i < text.length; i += 1) {
    const character = text[i];
    if (quoted && character === "\\") i += 1;
    else if (character === '"') quoted = !quoted;
    else if (!quoted && text.startsWith("}}", i)) return i;
  }
  return -1;
}

/**
 * What stands in the parentheses that a text has at a position, after spaces; quotes are respected.
 * @returns `inner` and the position after the `)`; null: there is no `(`, or it is not closed
 */
export function readParenthesised(text: string, start: number): { inner: string; end: number } | null {
  let position = start;
  while (text[position] === " ") position += 1;
  if (text[position] !== "(") return null;
  let depth = 0;
  let quoted = false;
  for (let i = position; i < text.length; i += 1) {
    const character = text[i];
    if (quoted) {
      if (character === "\\") i += 1;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === "(") depth += 1;
    else if (character === ")") {
      depth -= 1;
      if (depth === 0) return { inner: text.slice(position + 1, i), end: i + 1 };
    }
  }
  return null;
}
