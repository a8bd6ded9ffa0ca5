import { t } from "@oven/i18n";

/*
 * JSON.parse that remembers where each value stands, so that a problem at `$.states.review` can be shown at its
 * line. Only positions are our own work; the value itself comes from JSON.parse.
 */
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

class JsonSyntaxError extends Error {
  readonly offset: number;
  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids exactly these inside a text
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const SPACE = /[ \t\n\r]*/y;
const DEEPEST = 500;

class Reader {
  readonly spans = new Map<string, Span>();
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readAll(): void {
    this.#skip();
    if (this.#at === this.#text.length) throw new JsonSyntaxError(t("There is nothing here yet"), 0);
    this.#value([], null);
    this.#skip();
    if (this.#at < this.#text.length) this.#fail(t("Something follows after the end of the JSON"));
  }

  #fail(message: string): never {
    throw new JsonSyntaxError(message, Math.min(this.#at, this.#text.length));
  }

  #skip(): void {
    SPACE.lastIndex = this.#at;
    this.#at += SPACE.exec(this.#text)?.[0].length ?? 0;
  }

  #take(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? null;
    if (found !== null) this.#at += found.length;
    return found;
  }

  #next(): string {
    return this.#text[this.#at] ?? "";
  }

  #value(path: PathSegment[], keyStart: number | null): void {
    if (path.length > DEEPEST) this.#fail(t("Nested deeper than {{DEEPEST}} levels", { DEEPEST }));
    const start = keyStart ?? this.#at;
    const next = this.#next();
    if (next === "{") this.#object(path);
    else if (next === "[") this.#array(path);
    else if (next === '"') this.#string();
    else if (this.#take(SCALAR) === null)
      this.#fail(
        next === ""
          ? t("The JSON ends too early")
          : t("Unexpected {{stringify}}; a value belongs here", { stringify: JSON.stringify(next) }),
      );
    this.spans.set(toPathKey(path), { start, end: this.#at });
  }

  #string(): string {
    const text = this.#take(STRING);
    if (text === null) this.#fail(t("This text is not closed, or holds a character that must be escaped"));
    return text;
  }

  #object(path: PathSegment[]): void {
    this.#at += 1;
    this.#skip();
    if (this.#next() === "}") {
      this.#at += 1;
      return;
    }
    for (;;) {
      const keyStart = this.#at;
      if (this.#next() !== '"')
        this.#fail(
          this.#next() === "}"
            ? t("A comma stands before the closing brace")
            : t("A key in double quotes belongs here"),
        );
      const key: string = JSON.parse(this.#string());
      this.#skip();
      if (this.#next() !== ":") this.#fail(t("A colon is missing after the key"));
      this.#at += 1;
      this.#skip();
      this.#value([...path, key], keyStart);
      if (this.#ends("}")) return;
    }
  }

  #array(path: PathSegment[]): void {
    this.#at += 1;
    this.#skip();
    if (this.#next() === "]") {
      this.#at += 1;
      return;
    }
    for (let index = 0; ; index += 1) {
      this.#value([...path, index], null);
      if (this.#ends("]")) return;
    }
  }

  #ends(close: "}" | "]"): boolean {
    this.#skip();
    const next = this.#next();
    if (next !== close && next !== ",") this.#fail(t("A comma or {{close}} is missing", { close }));
    this.#at += 1;
    if (next === close) return true;
    this.#skip();
    return false;
  }
}

/** Where each value of a JSON text stands, or where the text stops being JSON. */
export function readPositions(text: string): Positions {
  const reader = new Reader(text);
  try {
    reader.readAll();
    return { ok: true, spans: reader.spans };
  } catch (error) {
    if (error instanceof JsonSyntaxError) return { ok: false, message: error.message, offset: error.offset };
    throw error;
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
