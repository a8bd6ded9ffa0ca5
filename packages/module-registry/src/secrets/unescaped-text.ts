/** An escape in a text, and what it stands for. */
interface Piece {
  /** Where it stands in the unescaped text, and how long what it stands for is. */
  at: number;
  length: number;
  /** Where it stands in the text as it is. */
  start: number;
  end: number;
}

/**
 * Escapes of JSON and JavaScript (`\\/`, `\\u002f`, `\\x2f`), of URLs (`%2F`) and of HTML (`&amp;`, `&#47;`, `&#x2f;`), also within one
 * another: `\\\\/`, `%252F`, `&amp;quot;`.
 */
const ESCAPE =
  /\\+(?:u([0-9a-f]{4})|x([0-9a-f]{2})|(.)?)|((?:%(?:25){0,2}[0-9a-f]{2})+)|&(?:amp;){0,2}(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos|sol));/gis;
const NAMED: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", sol: "/" };

/** A text without its escapes, which knows where in the text as it is each of its parts stands. */
export class UnescapedText {
  readonly text: string;
  readonly #pieces: Piece[] = [];

  constructor(escaped: string) {
    let text = "";
    let from = 0;
    const add = (meaning: string, start: number, end: number) => {
      text += escaped.slice(from, start);
      this.#pieces.push({ at: text.length, length: meaning.length, start, end });
      text += meaning;
      from = end;
    };
    for (const found of escaped.matchAll(ESCAPE)) {
      const { index: start, 0: whole, 4: percent } = found;
      if (percent === undefined) add(meaningOf(found), start, start + whole.length);
      else addBytes(percent, start, add);
    }
    this.text = text + escaped.slice(from);
  }

  /** Whether anything was escaped. */
  get differs(): boolean {
    return this.#pieces.length > 0;
  }

  /** Where in the text as it is a part of the unescaped text stands, whole escapes included. */
  rangeOf(from: number, to: number): { start: number; end: number } {
    return { start: this.#place(from).start, end: this.#place(to - 1).end };
  }

  #place(index: number): { start: number; end: number } {
    let [low, high] = [0, this.#pieces.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#pieces[middle]?.at ?? 0) <= index) low = middle + 1;
      else high = middle;
    }
    // Escapes that stand for nothing are at the place of the next character.
    const piece = this.#pieces[low - 1];
    if (piece === undefined) return { start: index, end: index + 1 };
    if (index < piece.at + piece.length) return piece;
    const start = piece.end + index - piece.at - piece.length;
    return { start, end: start + 1 };
  }
}

function meaningOf([, unit, byte, character, , decimal, hex, name]: RegExpExecArray): string {
  if (unit !== undefined || byte !== undefined) return String.fromCharCode(Number.parseInt(unit ?? byte ?? "", 16));
  if (decimal !== undefined) return toCharacter(Number(decimal));
  if (hex !== undefined) return toCharacter(Number.parseInt(hex, 16));
  return name === undefined ? (character ?? "") : (NAMED[name.toLowerCase()] ?? "");
}

function toCharacter(code: number): string {
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : "";
}

/** A run of `%2F` is UTF-8, character by character. */
function addBytes(run: string, start: number, add: (meaning: string, start: number, end: number) => void): void {
  const escapes = run.match(/%(?:25){0,2}[0-9a-f]{2}/gi) ?? [];
  const characters = Buffer.from(escapes.map((one) => Number.parseInt(one.slice(-2), 16))).toString("utf8");
  let at = start;
  let used = 0;
  for (const character of characters) {
    // What is no UTF-8 takes one byte: nothing is found in it anyway.
    const count = character === "\uFFFD" ? 1 : Buffer.byteLength(character);
    const length = escapes.slice(used, used + count).join("").length;
    add(character, at, at + length);
    at += length;
    used += count;
  }
}
