import { t } from "@oven/i18n";
import { createScanner, getLocation, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";

/** From the first character to the one after the last. */
export interface Span {
  start: number;
  end: number;
}

export type Positions = { ok: true; spans: Map<string, Span> } | { ok: false; message: string; offset: number };

export type PathSegment = string | number;

/** One text for a list of segments; also tells `["0"]` from `[0]`. */
function toPathKey(segments: readonly PathSegment[]): string {
  return JSON.stringify(segments);
}

const DEEPEST = 500;
const AFTER_END = "EndOfFileExpected";

/** Where the first list or object begins that is nested too deep: the parser calls itself for each. */
function findTooDeep(text: string): number | null {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (scanner.scan(); scanner.getTokenOffset() < text.length; scanner.scan()) {
    const at = scanner.getTokenOffset();
    if (text[at] === "{" || text[at] === "[") depth += 1;
    if (text[at] === "}" || text[at] === "]") depth -= 1;
    if (depth > DEEPEST) return at;
  }
  return null;
}

/** What the first error means. A word that is none comes with what was expected in its place, or with nothing after the end. */
function toMessage(text: string, [first, second]: readonly ParseError[]): string {
  const nameOf = (error: ParseError | undefined) =>
    error === undefined ? AFTER_END : printParseErrorCode(error.error);
  const error = nameOf(first) === "InvalidSymbol" ? nameOf(second) : nameOf(first);
  const offset = first?.offset ?? 0;
  const next = text[offset];
  switch (error) {
    case "ValueExpected":
      return next === undefined
        ? t("The JSON ends too early")
        : t("Unexpected {{stringify}}; a value belongs here", { stringify: JSON.stringify(next) });
    case "PropertyNameExpected":
      return next === "}" ? t("A comma stands before the closing brace") : t("A key in double quotes belongs here");
    case "ColonExpected":
      return t("A colon is missing after the key");
    case "CommaExpected":
    case "CloseBraceExpected":
    case "CloseBracketExpected": {
      const close = typeof getLocation(text, offset).path.at(-1) === "number" ? "]" : "}";
      return t("A comma or {{close}} is missing", { close });
    }
    case AFTER_END:
      return t("Something follows after the end of the JSON");
    default:
      return t("This text is not closed, or holds a character that must be escaped");
  }
}

/** Where each value of a JSON text stands, or where the text stops being JSON. */
export function readPositions(text: string): Positions {
  if (text.trim() === "") return { ok: false, message: t("There is nothing here yet"), offset: 0 };
  const tooDeep = findTooDeep(text);
  if (tooDeep !== null)
    return { ok: false, message: t("Nested deeper than {{DEEPEST}} levels", { DEEPEST }), offset: tooDeep };
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true });
  const [first] = errors;
  if (first !== undefined) return { ok: false, message: toMessage(text, errors), offset: first.offset };
  const spans = new Map<string, Span>();
  if (root !== undefined) addSpans(spans, root, [], root.offset);
  return { ok: true, spans };
}

/** The span of a value, from its key on, and those of what is in it. Of two equal keys the last wins, as in `JSON.parse`. */
function addSpans(spans: Map<string, Span>, node: Node, path: PathSegment[], start: number): void {
  spans.set(toPathKey(path), { start, end: node.offset + node.length });
  for (const [index, child] of (node.children ?? []).entries()) {
    const [key, value] = child.type === "property" ? (child.children ?? []) : [];
    if (key !== undefined && value !== undefined) addSpans(spans, value, [...path, String(key.value)], key.offset);
    else if (child.type !== "property") addSpans(spans, child, [...path, index], child.offset);
  }
}

/** The segments of `$.states["a b"].after[0]`. */
export function toSegments(path: string): PathSegment[] {
  const segments: PathSegment[] = [];
  const part = /\.([^.[\]]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/y;
  let at = path.startsWith("$") ? 1 : 0;
  for (;;) {
    part.lastIndex = at;
    const found = part.exec(path);
    if (found === null) return segments;
    at += found[0].length;
    const [, key, index, quoted] = found;
    if (key !== undefined) segments.push(key);
    else if (index !== undefined) segments.push(Number(index));
    else if (quoted !== undefined) segments.push(JSON.parse(quoted));
  }
}

/** Where a path stands, or the nearest thing around it that exists. */
export function findSpan(spans: ReadonlyMap<string, Span>, path: string): Span | null {
  const segments = toSegments(path);
  for (let length = segments.length; length >= 0; length -= 1) {
    const span = spans.get(toPathKey(segments.slice(0, length)));
    if (span !== undefined) return span;
  }
  return null;
}

/** The line of an offset, counted from 1. */
export function toLine(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}
