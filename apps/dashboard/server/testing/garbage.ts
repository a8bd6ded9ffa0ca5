/** mulberry32: the same numbers for the same seed, so that a red run can be run again. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const TEXTS = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "'; drop table users; --",
  '"',
  "%",
  "%00",
  "../../etc/passwd",
  "__proto__",
  "constructor",
  "{{ $.x }}",
  "$.trigger.x",
  "9".repeat(30),
  "-1",
  "0",
  "1e9",
  "NaN",
  "null",
  "true",
  "[]",
  "{}",
  "🦊".repeat(50),
  "x".repeat(5_000),
  "2026-13-45",
];
const NUMBERS = [0, -1, 1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308, 1e-320];

/** Something that no route asked for. */
export class Garbage {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = seeded(seed);
  }

  pick<T>(list: readonly T[]): T {
    const value = list[Math.floor(this.#random() * list.length)];
    if (value === undefined) throw new Error("nothing to pick from");
    return value;
  }

  text(): string {
    return this.pick(TEXTS);
  }

  json(depth = 0): unknown {
    const kind = this.pick(depth > 3 ? ["text", "number"] : ["text", "number", "null", "boolean", "list", "object"]);
    if (kind === "text") return this.text();
    if (kind === "number") return this.pick(NUMBERS);
    if (kind === "null") return null;
    if (kind === "boolean") return this.#random() < 0.5;
    const items = Array.from({ length: Math.floor(this.#random() * 4) }, () => this.json(depth + 1));
    return kind === "list" ? items : Object.fromEntries(items.map((item, index) => [`${this.text()}${index}`, item]));
  }

  /** An object with the keys a route knows, and garbage in them. */
  object(keys: readonly string[]): Record<string, unknown> {
    const chosen = keys.filter(() => this.#random() < 0.6);
    return Object.fromEntries(chosen.map((key) => [key, this.json()]));
  }

  /** A body: sometimes not even JSON. */
  body(keys: readonly string[]): string {
    const kind = this.pick(["keys", "keys", "keys", "json", "broken", "deep"]);
    if (kind === "keys") return JSON.stringify(this.object(keys));
    if (kind === "json") return JSON.stringify(this.json());
    return kind === "broken" ? this.text() : deepBody(keys);
  }
}

/** Everything in order but the depth. */
function deepBody(keys: readonly string[]): string {
  const deep = `${"[".repeat(9_000)}${"]".repeat(9_000)}`;
  const parts: Record<string, string> = {
    name: '"deep"',
    definition: `{"initial":"a","context":{"x":${deep}},"states":{"a":{"type":"final"}}}`,
    input: `{"message":${deep}}`,
    data: deep,
  };
  const known = Object.entries(parts).filter(([key]) => keys.includes(key));
  return `{${known.map(([key, value]) => `"${key}":${value}`).join(",")}}`;
}
