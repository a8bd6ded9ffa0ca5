import { isOvenError, type Json, parseJson } from "@oven/contract";
import { readParenthesised } from "@oven/contract/workflow";
import { ExpressionSyntaxError } from "./expression-error.ts";

export type Pipe =
  | { name: "default"; value: Json }
  /** The value of another path stands in. */
  | { name: "default"; path: Path }
  | { name: "json" }
  /** Follows a reference to content that is kept elsewhere. */
  | { name: "full" }
  /** Hands on `{id, summary}` instead of a large value. */
  | { name: "compressed" };

/** First segment of `$config.KEY`; no variable is called so. */
export const CONFIG_ROOT = "$config";

export interface Path {
  /** As written, without pipes. */
  source: string;
  /** `$config.KEY`: its segments begin with `$config`. */
  config: boolean;
  segments: readonly (string | number)[];
  pipes: readonly Pipe[];
}

const KEY = /[A-Za-z_][A-Za-z0-9_-]{0,63}/y;
const INDEX = /\[(-?\d{1,9})\]/y;
const QUOTED = /\[("(?:[^"\\]|\\.)*")\]/y;
const PIPE = /\s*\|\s*(default|json|full|compressed)\b/y;

/**
 * `$` or `$config.KEY`, `.key`, `["key"]`, `[0]`, `[-1]`, then pipes `| default(v) | json | compressed | full`; `full` is
 * the last one, because what it follows is read only when the node is called. A default is a JSON value or another path, which
 * may have a default of its own.
 * @throws ExpressionSyntaxError with the column of the first character that does not fit
 */
export function parsePath(text: string): Path {
  if (!text.startsWith("$")) {
    throw new ExpressionSyntaxError(
      "path",
      `${JSON.stringify(text)} is not a path`,
      `Write it as $.${text.replace(/^\.+/, "")}.`,
    );
  }
  const config = /^\$config(?![\w-])/.test(text);
  let position = config ? CONFIG_ROOT.length : 1;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = position;
    const match = pattern.exec(text);
    if (match) position = pattern.lastIndex;
    return match;
  };
  const segments: (string | number)[] = config ? [CONFIG_ROOT] : [];
  for (;;) {
    if (text[position] === ".") {
      position += 1;
      const key = take(KEY);
      if (!key) throw unexpected(text, position, "a key (letters, digits, _ and -) after the dot");
      segments.push(key[0]);
      continue;
    }
    const index = take(INDEX);
    if (index) {
      segments.push(Number(index[1]));
      continue;
    }
    const quoted = take(QUOTED);
    if (quoted) {
      segments.push(parseLiteral(quoted[1] ?? "", text, position) as string); // cast: the pattern matches only a JSON string
      continue;
    }
    break;
  }
  if (config && typeof segments[1] !== "string") throw unexpected(text, position, "a configuration key: $config.KEY");
  const source = text.slice(0, position);
  const pipes: Pipe[] = [];
  for (;;) {
    const pipe = take(PIPE);
    if (!pipe) break;
    const name = pipe[1] as Pipe["name"]; // cast: the pattern matches only names of pipes
    if (pipes.at(-1)?.name === "full") throw unexpected(text, position - name.length, "nothing after | full");
    if (name !== "default") {
      pipes.push({ name });
      continue;
    }
    const [inner, end] = takeDefault(text, position);
    if (inner.trim().startsWith("$")) pipes.push({ name: "default", path: parseDefaultPath(inner.trim()) });
    else pipes.push({ name: "default", value: parseLiteral(inner, text, position) });
    position = end;
  }
  if (text.slice(position).trim() !== "") throw unexpected(text, position, 'a segment (.key, ["key"], [0]) or a pipe');
  return { source, config, segments, pipes };
}

/** A default stands for a value at once, so it follows no reference. */
function parseDefaultPath(text: string): Path {
  const path = parsePath(text);
  if (path.pipes.at(-1)?.name === "full") throw unexpected(text, text.length - "full".length, "no | full in a default");
  return path;
}

/** The text of a default and the position after it. */
function takeDefault(text: string, start: number): [string, number] {
  const found = readParenthesised(text, start);
  if (found !== null) return [found.inner, found.end];
  if (text.slice(start).trimStart().startsWith("(")) throw unexpected(text, text.length, "a closing parenthesis");
  throw unexpected(text, start, "default(a JSON value or a path)");
}

function parseLiteral(literal: string, text: string, position: number): Json {
  try {
    return parseJson(literal);
  } catch (cause) {
    if (isOvenError(cause))
      throw new ExpressionSyntaxError("path", `${text}: ${cause.message}`, "Quote it as text.", cause);
    throw new ExpressionSyntaxError(
      "path",
      `${text}: ${literal || "nothing"} at column ${position + 1} is neither JSON nor a path`,
      'Quote text: default("none"). Another value: default($.other.value).',
      cause,
    );
  }
}

function unexpected(text: string, position: number, expected: string): ExpressionSyntaxError {
  return new ExpressionSyntaxError(
    "path",
    `${text}: expected ${expected} at column ${position + 1}`,
    'A path is like $.order.items[0]["unit price"]. Text that starts with $. is written {"$literal": "…"}.',
  );
}
