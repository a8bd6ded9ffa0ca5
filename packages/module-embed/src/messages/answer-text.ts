import type { RunEvent } from "@oven/contract/run";

/**
 * The answer in the log of a run, as it is written. A model that calls tools writes several texts, of which the last is the answer: each
 * takes the place of the one before.
 */
export class AnswerText {
  readonly #run: number;
  readonly #step: string | undefined;
  #call = "";
  #sent = "";
  text = "";

  /** @param step whose words are the answer; undefined: no step's are */
  constructor(run: number, step: string | undefined) {
    this.#run = run;
    this.#step = step;
  }

  read(event: RunEvent): void {
    if (!this.#isAnswering(event)) return;
    if (event.event === "text.discarded") this.text = "";
    if (event.event !== "text.delta") return;
    const call = `${String(event.nodeId)} ${String(event.visit)}`;
    if (call !== this.#call) this.text = "";
    this.#call = call;
    this.text += String(event.text);
  }

  /** What a page replaces from a place on, to show the text as it is now; undefined: it shows it. */
  take(): { from: number; text: string } | undefined {
    const [before, now] = [this.#sent, this.text];
    if (before === now) return undefined;
    let from = 0;
    while (from < before.length && before[from] === now[from]) from += 1;
    this.#sent = now;
    return { from, text: now.slice(from) };
  }

  #isAnswering({ executionId, nodeId, item }: RunEvent): boolean {
    const step = this.#step;
    if (executionId !== this.#run || step === undefined || typeof nodeId !== "string" || item !== undefined)
      return false;
    return nodeId === step || nodeId.startsWith(`${step}.`);
  }
}
