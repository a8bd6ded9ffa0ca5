import { SaidText } from "./said-text.ts";

/** What a piece of an answer is. `void`: what was handed over as text so far was reasoning. */
export type Piece = { type: "text" | "reasoning"; text: string } | { type: "void" };

/** As the chat templates of models write it: DeepSeek, Qwen and others; Magistral. */
const TAGS = [
  { opening: "<think>", closing: "</think>" },
  { opening: "[THINK]", closing: "[/THINK]" },
] as const;
type Tag = (typeof TAGS)[number];

const ANY_MARK = /<\/?think>|\[\/?THINK\]/;
const ALL_MARKS = TAGS.flatMap(({ opening, closing }) => [opening, closing]);

/**
 * Tells the reasoning of an answer from its text as the answer arrives, for servers that send both as one text.
 *
 * A `<think>` at the start of a line opens reasoning, also where the answer is cut before it closes; within a line only one that is
 * closed does. A `</think>` at the start or end of a line that was never opened makes all before it reasoning: some templates put
 * the opening mark into the prompt. Marks in code or behind a quote, and all in an answer that begins as JSON, are text.
 */
export class ReasoningSplitter {
  #pending = "";
  #open: { tag: Tag; startsLine: boolean } | undefined;
  #said = new SaidText();
  #hasReasoning = false;
  #isJson = false;

  /**
   * What is certain by now; the rest is held back until more has arrived.
   * @param isOver nothing more arrives
   */
  push(text: string, isOver = false): Piece[] {
    this.#pending += text;
    const pieces: Piece[] = [];
    while (this.#pending !== "" && this.#step(pieces, isOver));
    return pieces;
  }

  /** @returns whether there is more to tell by now */
  #step(pieces: Piece[], isOver: boolean): boolean {
    if (this.#open !== undefined) return this.#readReasoning(pieces, this.#open, isOver);
    this.#isJson ||= this.#said.isBlank && beginsAsJson(this.#pending);
    const found = this.#isJson ? undefined : findMark(this.#pending);
    if (found === undefined) {
      const certain = isOver || this.#isJson ? this.#pending.length : startOfMark(this.#pending, ALL_MARKS);
      // White space before the answer is held back until it is known what follows.
      const isBlank = this.#said.isBlank && this.#pending.slice(0, certain).trim() === "";
      if (isOver || !isBlank) this.#say(pieces, certain);
      return false;
    }
    const { at, mark, tag, opens } = found;
    const before = this.#pending.slice(0, at);
    if (at > 0 && !(this.#said.isBlank && before.trim() === "")) {
      this.#say(pieces, at);
      return true;
    }
    const after = this.#pending.slice(mark.length + at);
    const { startsLine, isQuoting } = this.#said;
    if (!opens && !isQuoting && !startsLine && !isOver && /^[^\S\n]*$/.test(after)) return false;
    const isMark = !isQuoting && (opens || startsLine || /^[^\S\n]*(\n|$)/.test(after));
    if (!isMark) {
      this.#say(pieces, at + mark.length);
      return true;
    }
    if (opens) this.#open = { tag, startsLine };
    else {
      if (!this.#said.isBlank) pieces.push({ type: "void" });
      this.#said = new SaidText();
      this.#hasReasoning = true;
    }
    this.#pending = after;
    return true;
  }

  #readReasoning(pieces: Piece[], { tag, startsLine }: { tag: Tag; startsLine: boolean }, isOver: boolean): boolean {
    const at = this.#pending.indexOf(tag.closing);
    if (at >= 0 || startsLine) {
      const certain = isOver ? this.#pending.length : startOfMark(this.#pending, [tag.closing]);
      const end = at >= 0 ? at : certain;
      if (end > 0) pieces.push({ type: "reasoning", text: this.#pending.slice(0, end) });
      this.#hasReasoning = true;
      this.#pending = this.#pending.slice(at >= 0 ? at + tag.closing.length : end);
      if (at >= 0) this.#open = undefined;
      return at >= 0;
    }
    if (!isOver) return false;
    // Never closed, so it was only named.
    this.#open = undefined;
    this.#pending = tag.opening + this.#pending;
    this.#say(pieces, tag.opening.length);
    return true;
  }

  /** Hands over the first characters of what is pending as text. */
  #say(pieces: Piece[], length: number): void {
    const pending = this.#pending.slice(0, length);
    const text = this.#said.isBlank && this.#hasReasoning ? pending.trimStart() : pending;
    this.#pending = this.#pending.slice(length);
    this.#said.add(text);
    if (text !== "") pieces.push({ type: "text", text });
  }
}

/** An answer that is complete. */
export function splitReasoning(answer: string): { text: string; reasoning: string } {
  let text = "";
  const thoughts: string[] = [];
  for (const piece of new ReasoningSplitter().push(answer, true)) {
    if (piece.type === "reasoning") thoughts.push(piece.text.trim());
    else if (piece.type === "text") text += piece.text;
    else {
      thoughts.push(text.trim());
      text = "";
    }
  }
  const reasoning = thoughts.filter((thought) => thought !== "").join("\n");
  return { text, reasoning };
}

function beginsAsJson(text: string): boolean {
  const begin = text.trimStart();
  return begin.startsWith("{") || (begin.startsWith("[") && !"[THINK]".startsWith(begin.slice(0, 7)));
}

function findMark(text: string): { at: number; mark: string; tag: Tag; opens: boolean } | undefined {
  const found = ANY_MARK.exec(text);
  if (found === null) return undefined;
  const [mark] = found;
  const tag = TAGS.find(({ opening, closing }) => mark === opening || mark === closing) ?? TAGS[0];
  return { at: found.index, mark, tag, opens: mark === tag.opening };
}

/** Where at the end of a text one of the marks may be beginning; its length where none is. */
function startOfMark(text: string, marks: readonly string[]): number {
  const longest = Math.max(...marks.map((mark) => mark.length));
  for (let at = Math.max(0, text.length - longest + 1); at < text.length; at++)
    if (marks.some((mark) => mark.startsWith(text.slice(at)))) return at;
  return text.length;
}
