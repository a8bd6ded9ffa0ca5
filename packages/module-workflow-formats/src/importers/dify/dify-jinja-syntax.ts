import { NoEquivalent } from "../../importing/no-equivalent.ts";

/** A part of a template: text, something that is filled in, or a tag. */
export interface JinjaPart {
  kind: "text" | "value" | "tag";
  text: string;
}

const MARKS: Record<string, readonly [kind: JinjaPart["kind"] | "comment", end: string]> = {
  "{{": ["value", "}}"],
  "{%": ["tag", "%}"],
  "{#": ["comment", "#}"],
};

/** Where a mark ends; what stands in quotes is no end. */
function endOf(source: string, from: number, end: string): number {
  let quote = "";
  for (let at = from; at < source.length; at += 1) {
    const character = source[at] ?? "";
    if (quote !== "") {
      if (character === "\\") at += 1;
      else if (character === quote) quote = "";
    } else if (source.startsWith(end, at)) return at;
    else if (end !== "#}" && (character === '"' || character === "'")) quote = character;
  }
  throw new NoEquivalent("its Jinja template has a mark without an end");
}

/** The parts of a template, with its signs for white space applied. @throws NoEquivalent */
export function partsOf(template: string): JinjaPart[] {
  // Jinja reads all line breaks as one kind, and leaves out the last one.
  const source = template.replaceAll(/\r\n?/g, "\n").replace(/\n$/, "");
  const parts: JinjaPart[] = [];
  let [at, isTrimmed] = [0, false];
  const addText = (text: string, trimEnd: boolean) => {
    const left = isTrimmed ? text.replace(/^\s+/, "") : text;
    parts.push({ kind: "text", text: trimEnd ? left.replace(/\s+$/, "") : left });
  };
  for (;;) {
    const start = source.slice(at).search(/\{[{%#]/);
    if (start < 0) {
      addText(source.slice(at), false);
      return parts;
    }
    const open = at + start;
    const [kind, end] = MARKS[source.slice(open, open + 2)] ?? ["comment", "#}"];
    const sign = source[open + 2] ?? "";
    if (sign === "+") throw new NoEquivalent("its Jinja template has the sign + for white space");
    const from = open + (sign === "-" ? 3 : 2);
    const close = endOf(source, from, end);
    const inner = source.slice(from, close);
    const trimsAfter = inner.endsWith("-");
    addText(source.slice(at, open), sign === "-");
    if (kind !== "comment") parts.push({ kind, text: (trimsAfter ? inner.slice(0, -1) : inner).trim() });
    isTrimmed = trimsAfter;
    at = close + end.length;
  }
}

export interface JinjaToken {
  kind: "name" | "number" | "text" | "sign";
  value: string;
}

const TOKEN =
  /\s*(?:([A-Za-z_]\w*)|(\d+(?:\.\d+)?)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(==|!=|<=|>=|\/\/|\*\*|[-+*/%~<>()[\]{}.,:|=]))/sy;

/** @throws NoEquivalent for signs that Jinja does not have */
export function tokensOf(source: string): JinjaToken[] {
  const tokens: JinjaToken[] = [];
  const pattern = new RegExp(TOKEN);
  while (pattern.lastIndex < source.trimEnd().length) {
    const [, name, number, text, sign] = pattern.exec(source) ?? [];
    if (name !== undefined) tokens.push({ kind: "name", value: name });
    else if (number !== undefined) tokens.push({ kind: "number", value: number });
    else if (text !== undefined) tokens.push({ kind: "text", value: toText(text) });
    else if (sign !== undefined) tokens.push({ kind: "sign", value: sign });
    else throw new NoEquivalent(`its Jinja template cannot be read at ${JSON.stringify(source)}`);
  }
  return tokens;
}

const ESCAPES: Record<string, string> = { n: "\n", t: "\t", r: "\r", "\\": "\\", "'": "'", '"': '"' };

function toText(quoted: string): string {
  return quoted.slice(1, -1).replaceAll(/\\(.)/gs, (all, character: string) => {
    const made = ESCAPES[character];
    if (made === undefined) throw new NoEquivalent(`its Jinja template has the escape ${all}`);
    return made;
  });
}
