/** Where in an answer's text its end is: at the start of a line, in code, between quotes. Follows the text piece by piece. */
export class SaidText {
  /** Nothing but white space so far. */
  isBlank = true;
  #line = "";
  #backticks = 0;
  #isFenced = false;

  add(text: string): void {
    if (text.trim() !== "") this.isBlank = false;
    for (const [index, piece] of text.split("\n").entries()) {
      if (index > 0) this.#endLine();
      this.#backticks += piece.split("`").length - 1;
      this.#line = shorten(this.#line + piece);
    }
  }

  /** Whether what comes next is only named there: in a block of code, in a span of code, or right behind a quote. */
  get isQuoting(): boolean {
    return this.#isFenced || this.#backticks % 2 === 1 || /["'`]$/.test(this.#line);
  }

  get startsLine(): boolean {
    return this.#line.trim() === "";
  }

  #endLine(): void {
    if (this.#line.trimStart().startsWith("```")) this.#isFenced = !this.#isFenced;
    this.#line = "";
    this.#backticks = 0;
  }
}

/** How a line begins and ends is all that is asked about it. */
function shorten(line: string): string {
  const text = line.trimStart();
  return text.length <= 20 ? text : text.slice(0, 4) + text.slice(-4);
}
