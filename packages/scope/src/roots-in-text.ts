import { isPathText, splitTemplate } from "@oven/contract/workflow";
import { readFallback } from "./paths.ts";

/** A root key that an expression reads: `review_output` of `$.review_output.action`, and where it stands in the text. */
export interface RootUse {
  key: string;
  start: number;
  end: number;
  /** In the form `["…"]`; then `start` and `end` are those of the JSON string. */
  quoted: boolean;
}

const PATH_ROOT = /^\$(?:\.([A-Za-z_][A-Za-z0-9_-]{0,63})|\[("(?:[^"\\]|\\.)*")\])/;

/** The roots that a text of a definition reads: it is a path, or holds placeholders. */
export function rootsInText(text: string): RootUse[] {
  if (isPathText(text)) return rootsOfPath(text, 0);
  return splitTemplate(text).parts.flatMap((part) =>
    "placeholder" in part ? rootsOfPath(part.placeholder, part.start) : [],
  );
}

/** The root of a path, and those of the paths that its defaults name. */
function rootsOfPath(path: string, offset: number): RootUse[] {
  const fallback = readFallback(path);
  const inner =
    typeof fallback === "object" && fallback !== null ? rootsOfPath(fallback.path, offset + fallback.start) : [];
  if (path.startsWith("$config")) return inner;
  const match = PATH_ROOT.exec(path);
  if (match === null) return inner;
  const [whole, bare, quoted] = match;
  if (bare !== undefined)
    return [{ key: bare, start: offset + 2, end: offset + 2 + bare.length, quoted: false }, ...inner];
  const key = readString(quoted ?? "");
  return key === null ? inner : [{ key, start: offset + 2, end: offset + whole.length - 1, quoted: true }, ...inner];
}

/** CEL: text in quotes (raw and triple ones too) is skipped; `ctx.key`, `ctx["key"]`, `ctx.?key` and `ctx[?"key"]` are found. */
const CEL_TOKEN =
  /[rR]?[bB]?(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|\/\/[^\n]*|[A-Za-z_][A-Za-z0-9_]*|\d[\w.]*|\s+|[\s\S]/g;

/** The keys of the run's context that a CEL text reads. */
export function rootsInCel(expression: string): RootUse[] {
  const tokens: { text: string; start: number }[] = [];
  for (const match of expression.matchAll(CEL_TOKEN))
    if (!/^(\s+|\/\/.*)$/.test(match[0])) tokens.push({ text: match[0], start: match.index });
  const uses: RootUse[] = [];
  tokens.forEach(({ text }, index) => {
    const before = tokens[index - 1]?.text;
    if (text !== "ctx" || before === ".") return;
    const dot = tokens[index + 1]?.text;
    const at = tokens[index + 2]?.text === "?" ? index + 3 : index + 2;
    const key = tokens[at];
    if (key === undefined) return;
    if (dot === "." && /^[A-Za-z_]\w*$/.test(key.text)) {
      uses.push({ key: key.text, start: key.start, end: key.start + key.text.length, quoted: false });
    } else if (dot === "[" && tokens[at + 1]?.text === "]" && /^["']/.test(key.text)) {
      const name = readString(
        key.text.startsWith("'") ? `"${key.text.slice(1, -1).replaceAll('"', '\\"')}"` : key.text,
      );
      if (name !== null) uses.push({ key: name, start: key.start, end: key.start + key.text.length, quoted: true });
    }
  });
  return uses;
}

function readString(literal: string): string | null {
  try {
    const value: unknown = JSON.parse(literal);
    return typeof value === "string" ? value : null;
  } catch (cause) {
    if (cause instanceof SyntaxError) return null;
    throw cause;
  }
}

/** The text with each root replaced for which `rename` names another. */
export function replaceRoots(text: string, isCel: boolean, rename: (key: string) => string | undefined): string {
  return replaceRootPaths(text, isCel, (key) => {
    const name = rename(key);
    return name === undefined ? undefined : [name];
  });
}

/**
 * The text with roots replaced by what is read through other ones: `$.text` by `$.trigger.text`. In CEL a path that begins with
 * `trigger` stands beside `ctx`, not in it.
 */
export function replaceRootPaths(
  text: string,
  isCel: boolean,
  map: (key: string) => readonly string[] | undefined,
): string {
  const uses = isCel ? rootsInCel(text) : rootsInText(text);
  let result = text;
  for (const { key, start, end, quoted } of uses.sort((one, other) => other.start - one.start)) {
    const parts = map(key);
    if (parts === undefined) continue;
    const before = result.slice(0, start);
    const after = result.slice(end);
    const mark = isCel && /\?\s*$/.test(before) ? "?" : "";
    const inBrackets = (names: readonly string[]) =>
      names.map((name, index) => `[${index === 0 ? mark : ""}${JSON.stringify(name)}]`).join("");
    if (isCel && parts.length > 1 && parts[0] === "trigger") {
      // `ctx.key` or `ctx["key"]` goes as a whole.
      const holder = before.replace(/ctx\s*(?:\.|\[)\s*\??\s*$/, "");
      result = `${holder}trigger${inBrackets(parts.slice(1))}${quoted ? after.replace(/^\s*\]/, "") : after}`;
    } else if (quoted) result = before + parts.map((part) => JSON.stringify(part)).join("][") + after;
    // `.my-key` is a path, but a subtraction in CEL.
    else if (isCel && parts.some((part) => part.includes("-")))
      result = `${before.replace(/\.\s*\??\s*$/, "")}${inBrackets(parts)}${after}`;
    else result = before + parts.join(".") + after;
  }
  return result;
}
