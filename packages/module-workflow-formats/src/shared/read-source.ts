import { isExactNumber, type Json, OvenError } from "@oven/contract";
import { setOwn } from "@oven/engine";
import { placesIn, type ReadSource } from "./source-place.ts";

const MAX_DEPTH = 100;
const WORDS: Record<string, Json> = { true: true, True: true, false: false, False: false, null: null, None: null };
const ESCAPES: Record<string, string> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", "\n": "" };

/**
 * A document as people paste it: JSON, or a literal of Python, with comments (`#`, `//`), triple quotes, `True`, `None`, commas
 * at the end, and a name and `=` before it.
 * @throws OvenError SOURCE_UNREADABLE with line and column
 */
export function readSource(text: string): ReadSource {
  const reader = new SourceReader(text);
  const value = reader.document();
  return { value, placeOf: placesIn(text, reader.offsets) };
}

class SourceReader {
  readonly offsets = new Map<string, number>();
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): Json {
    this.#skip();
    const name = /[A-Za-z_]\w*\s*=\s*/y;
    name.lastIndex = this.#at;
    this.#at += name.exec(this.#text)?.[0].length ?? 0;
    const value = this.#value("$", 0);
    this.#skip();
    if (this.#at < this.#text.length) throw this.#error("Something follows the end of the document", "Leave it out.");
    return value;
  }

  #value(path: string, depth: number): Json {
    this.#skip();
    this.offsets.set(path, this.#at);
    if (depth > MAX_DEPTH) throw this.#error(`It is nested over ${MAX_DEPTH} deep`, "Make it flatter.");
    const next = this.#text[this.#at];
    if (next === undefined) throw this.#error("The document ends where a value should stand", "Write the value.");
    if (next === "{") return this.#object(path, depth);
    if (next === "[") return this.#list(path, depth);
    if (next === '"' || next === "'") return this.#string();
    const [word] = this.#match(/[A-Za-z_]\w*/y) ?? [];
    if (word !== undefined) {
      if (Object.hasOwn(WORDS, word)) return WORDS[word] ?? null;
      this.#at -= word.length;
      throw this.#error(`${word} is no value`, "Write text in quotes; else true, false, null or a number.");
    }
    const [number] = this.#match(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y) ?? [];
    if (number !== undefined && isExactNumber(number)) return Number(number);
    if (number !== undefined) {
      this.#at -= number.length;
      throw this.#error(
        `The number ${number.slice(0, 60)} has more digits than a number can have`,
        "Put it in quotes.",
      );
    }
    throw this.#error(
      `${JSON.stringify(next)} begins no value`,
      "Write an object, a list, text, a number, true, false or null.",
    );
  }

  #object(path: string, depth: number): Json {
    const open = this.#at;
    const object: { [key: string]: Json } = {};
    this.#at += 1;
    for (;;) {
      this.#skip();
      if (this.#take("}")) return object;
      const start = this.#at;
      const quote = this.#text[this.#at];
      if (quote === undefined) throw this.#error("This object has no end", "Close it with }.", open);
      if (quote !== '"' && quote !== "'")
        throw this.#error(`${JSON.stringify(quote)} begins no key`, "Write keys in quotes.");
      const key = this.#string();
      if (Object.hasOwn(object, key))
        throw this.#error(`The key ${JSON.stringify(key)} stands here twice`, "Leave one out.", start);
      this.#skip();
      if (!this.#take(":")) throw this.#error(`A colon should follow the key ${JSON.stringify(key)}`, "Write it.");
      setOwn(object, key, this.#value(`${path}.${key}`, depth + 1));
      this.#skip();
      if (!this.#take(",") && this.#text[this.#at] !== "}")
        throw this.#at >= this.#text.length
          ? this.#error("This object has no end", "Close it with }.", open)
          : this.#error("A comma should stand before the next key", "Write it.");
    }
  }

  #list(path: string, depth: number): Json {
    const open = this.#at;
    const list: Json[] = [];
    this.#at += 1;
    for (;;) {
      this.#skip();
      if (this.#take("]")) return list;
      if (this.#at >= this.#text.length) throw this.#error("This list has no end", "Close it with ].", open);
      list.push(this.#value(`${path}[${list.length}]`, depth + 1));
      this.#skip();
      if (!this.#take(",") && this.#text[this.#at] !== "]")
        throw this.#at >= this.#text.length
          ? this.#error("This list has no end", "Close it with ].", open)
          : this.#error("A comma should stand before the next entry", "Write it.");
    }
  }

  #string(): string {
    const open = this.#at;
    const [quote = '"'] = this.#match(/"""|'''|"|'/y) ?? [];
    let text = "";
    for (;;) {
      if (this.#at >= this.#text.length) throw this.#error("This text has no end", `Close it with ${quote}.`, open);
      if (this.#text.startsWith(quote, this.#at)) {
        this.#at += quote.length;
        return text;
      }
      const next = this.#text[this.#at] ?? "";
      if (next === "\n" && quote.length === 1)
        throw this.#error(
          "This text has no end on its line",
          `Close it with ${quote}, or write three quotes around several lines.`,
          open,
        );
      this.#at += 1;
      text += next === "\\" ? this.#escape() : next;
    }
  }

  #escape(): string {
    const [, code] = this.#match(/u([0-9a-fA-F]{4})/y) ?? [];
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    const next = this.#text[this.#at] ?? "";
    if (next === "u") throw this.#error("Four hexadecimal digits should follow \\u", "Write them.");
    this.#at += next.length;
    return ESCAPES[next] ?? next;
  }

  #skip(): void {
    this.#match(/(?:\s|#[^\n]*|\/\/[^\n]*)*/y);
  }

  #take(text: string): boolean {
    if (this.#text[this.#at] !== text) return false;
    this.#at += 1;
    return true;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found !== null) this.#at = pattern.lastIndex;
    return found;
  }

  #error(message: string, fix: string, at = this.#at): OvenError {
    const { line, column } = placesIn(this.#text, new Map([["$", at]]))("$");
    return new OvenError("SOURCE_UNREADABLE", `Line ${line}, column ${column}: ${message}`, {
      status: 422,
      fix,
      details: { line, column },
    });
  }
}
