/**
 * Text that a client sees while it is written, and that cannot be taken back. What is written again after an attempt was discarded is sent
 * from where it differs on; what is none of the answer in the end, such as words before a call of a tool, stays before it, as a paragraph.
 */
export class StreamedText {
  readonly #send: (text: string) => void;
  #hasSent = false;
  /** Of the piece that is written now: what was sent, and what it is. */
  #shown = "";
  #piece = "";

  constructor(send: (text: string) => void) {
    this.#send = send;
  }

  /** Another answer of the model begins. */
  begin(): void {
    this.#shown = "";
    this.#piece = "";
  }

  write(text: string): void {
    this.#piece += text;
    this.#show(this.#piece);
  }

  /** It is written once more from its beginning. */
  discard(): void {
    this.#piece = "";
  }

  end(whole: string): void {
    this.#show(whole);
  }

  #show(piece: string): void {
    if (this.#shown.startsWith(piece)) return;
    const isOn = this.#shown !== "" && piece.startsWith(this.#shown);
    const text = isOn ? piece.slice(this.#shown.length) : `${this.#hasSent ? "\n\n" : ""}${piece}`;
    this.#shown = piece;
    this.#hasSent = true;
    this.#send(text);
  }
}
