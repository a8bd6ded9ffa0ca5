import type { CodeFailure, JobBounds, ProcessAnswer } from "../job.ts";

/** What the code of one job prints, and the answers that go with it. */
export class JobLogs {
  readonly #lines: string[] = [];
  readonly #job: JobBounds;
  #bytes = 0;
  #isFull = false;
  #rest = "";

  constructor(job: JobBounds) {
    this.#job = job;
  }

  /** Whether more was printed than may be: the code is stopped. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** The lines so far. */
  get lines(): readonly string[] {
    return this.#lines;
  }

  /** Bytes that were printed so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** A piece of what is printed, with as many line breaks as it has. */
  addText(text: string): void {
    // Code that prints nothing, endlessly, prints too much as well.
    this.#bytes += 1;
    const [first = "", ...others] = text.split("\n");
    this.#rest += first;
    for (const next of others) {
      this.addLine(this.#rest);
      this.#rest = next;
    }
    this.#isFull ||= this.#bytes + this.#rest.length > this.#job.maxLogBytes;
  }

  /** What was printed without a line break at its end becomes the last line. */
  endLine(): void {
    if (this.#rest !== "") this.addLine(this.#rest);
    this.#rest = "";
  }

  /** @param json the line, as a JSON text: so it arrives exactly */
  add(json: string): void {
    if (this.#isFull) return;
    this.addLine(String(JSON.parse(json)));
  }

  addLine(line: string): void {
    this.#bytes += Buffer.byteLength(line) + 1;
    this.#isFull ||= this.#bytes > this.#job.maxLogBytes || this.#lines.length >= this.#job.maxLogLines;
    if (!this.#isFull) this.#lines.push(line);
  }

  done(resultJson: string): ProcessAnswer {
    if (Buffer.byteLength(resultJson) > this.#job.maxResultBytes) return this.resultTooLarge();
    return { type: "result", resultJson, logs: this.#lines };
  }

  failed(failure: CodeFailure): ProcessAnswer {
    return { type: "failure", failure, logs: this.#lines };
  }

  tooLarge(): ProcessAnswer {
    const { maxLogBytes, maxLogLines } = this.#job;
    return this.failed({
      code: "CODE_OUTPUT_TOO_LARGE",
      message: `The code prints more than ${maxLogLines} lines or ${maxLogBytes} bytes`,
      fix: "Print less, or return what is wanted as the result.",
    });
  }

  resultTooLarge(): ProcessAnswer {
    return this.failed({
      code: "CODE_OUTPUT_TOO_LARGE",
      message: `The result is larger than ${this.#job.maxResultBytes} bytes`,
      fix: "Return less, such as the fields that later steps read.",
    });
  }

  late(): ProcessAnswer {
    return this.failed({ code: "CODE_TIMEOUT", message: `The code ran longer than ${this.#job.limits.timeMs} ms` });
  }
}
