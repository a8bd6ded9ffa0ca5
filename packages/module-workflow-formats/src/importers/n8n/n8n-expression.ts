import { isOvenError, type Json, type JsonObject, parseJson } from "@oven/contract";
import { isObject, setOwn } from "@oven/engine";
import { escapeTemplate, toLiteral } from "../../importing/literals.ts";
import { NoEquivalent } from "../../importing/no-equivalent.ts";

type Segments = (string | number)[];

export interface N8nReferences {
  /** Where the data of a node's item stands in a run of ours; undefined name: what comes in. */
  pathOf(node: string | undefined, segments: Segments): string | undefined;
}

const ROOTS: [RegExp, (match: RegExpExecArray) => string | undefined][] = [
  [/^\$json(?![\w$])/, () => undefined],
  [/^\$input\.(?:item|first\(\)|last\(\))\.json(?![\w$])/, () => undefined],
  [/^\$\(\s*(["'])((?:(?!\1)[^\\\n])*)\1\s*\)\.(?:item|first\(\)|last\(\))\.json(?![\w$])/, (match) => match[2]],
  [/^\$node\[\s*(["'])((?:(?!\1)[^\\\n])*)\1\s*\]\.json(?![\w$])/, (match) => match[2]],
  [/^\$node\.([A-Za-z_]\w*)\.json(?![\w$])/, (match) => match[1]],
];
const ACCESS = /\??\.([A-Za-z_$][\w$]*)(?!\s*\()|\[\s*(?:(["'])((?:(?!\2)[^\\\n])*)\2|(\d{1,9}))\s*\]/y;
const LITERAL = /^(?:"([^"\\\n]*)"|'([^'\\\n]*)'|(-?\d+(?:\.\d+)?)|(true|false|null))$/;

/** One expression as a path of ours, or as a constant. @throws NoEquivalent */
function translateOne(source: string, references: N8nReferences): { path: string } | { constant: Json } {
  const text = source.trim();
  const literal = LITERAL.exec(text);
  if (literal !== null) {
    const [, double, single, number, word] = literal;
    if (number !== undefined) return { constant: Number(number) };
    if (word !== undefined) return { constant: word === "null" ? null : word === "true" };
    return { constant: double ?? single ?? "" };
  }
  if (text === "$execution.id") return { path: "$.execution.id" };
  const asJson =
    /^JSON\.stringify\(([^()]*(?:\([^()]*\)[^()]*)*)\)$/.exec(text) ?? /^(.*)\.toJsonString\(\)$/s.exec(text);
  if (asJson?.[1] !== undefined) {
    const inner = translateOne(asJson[1], references);
    if ("path" in inner) return { path: `${inner.path} | json` };
  }
  for (const [pattern, nodeOf] of ROOTS) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const segments = segmentsIn(text, match[0].length);
    const path = segments && references.pathOf(nodeOf(match), segments);
    if (path !== undefined) return { path };
  }
  throw new NoEquivalent(`the expression {{ ${text.slice(0, 200)} }} has no exact equivalent`);
}

function segmentsIn(text: string, start: number): Segments | undefined {
  const segments: Segments = [];
  ACCESS.lastIndex = start;
  while (ACCESS.lastIndex < text.length) {
    const match = ACCESS.exec(text);
    if (match === null) return undefined;
    segments.push(match[4] === undefined ? (match[1] ?? match[3] ?? "") : Number(match[4]));
  }
  return segments;
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
  if (WHOLE.test(source)) return withoutJsonPipe(translateTemplate(source.slice(1), references));
  const { value: marked, bare } = parseWithMarks(source.slice(1));
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
