import type { Principal } from "@oven/contract";
import type { ToolCall } from "@oven/contract/ai";
import type { RunEvent } from "@oven/contract/run";
import type { AskedRun, AsksFace, Outcome } from "@oven/module-chat";
import { StreamedText } from "./streamed-text.ts";

/** What a client learns of a run at the end of a request. */
export interface Answer {
  /** `running`: the request took too long, the run goes on. */
  status: "completed" | "paused" | "running" | "failed" | "cancelled";
  /** The answer, or what it waits for. */
  text: string;
  /** Calls of the caller's tools that it waits for. */
  calls: ToolCall[];
  error: Outcome["error"];
  usage: Outcome["tokenUsage"];
  metadata: Record<string, string>;
}

/** Clients give up after ten minutes, and then ask again: that would be another run. */
const WAIT_MS = 540_000;
const STREAM_MS = 3_600_000;

/**
 * One run as it is answered. A run that waits for a person is answered several times: once for each stretch of it, which ends where it pauses or
 * where it ends. So an id of an answer says what its client knows: run 7 up to its first pause is `7`, from there on `7_1`.
 */
export class RunAnswer {
  readonly run: AskedRun;
  readonly stretch: number;
  readonly #asks: AsksFace;
  readonly #principal: Principal;

  constructor(asks: AsksFace, principal: Principal, run: AskedRun, stretch = 0) {
    this.run = run;
    this.stretch = stretch;
    this.#asks = asks;
    this.#principal = principal;
  }

  /** The stretch that the run is in, or waits at the end of. */
  static async newest(asks: AsksFace, principal: Principal, run: AskedRun): Promise<RunAnswer> {
    const log = await readPauses(asks, principal, run);
    return new RunAnswer(asks, principal, run, log.isPaused ? log.pauses - 1 : log.pauses);
  }

  /** Whether the run has come to its end without another pause after this stretch: a client with this answer knows its result. */
  async isLast(): Promise<boolean> {
    const { pauses, hasEnded } = await readPauses(this.#asks, this.#principal, this.run);
    return hasEnded && pauses === this.stretch;
  }

  get name(): string {
    return this.stretch === 0 ? String(this.run.id) : `${this.run.id}_${this.stretch}`;
  }

  /** Waits for the end, or a pause. @throws OvenError as reading the run does */
  async wait(signal: AbortSignal): Promise<Answer> {
    await this.#asks.follow(this.#principal, this.run, { milliseconds: WAIT_MS, signal });
    return this.now();
  }

  /** Hands over the text as it is written. @throws OvenError as reading the run does */
  async follow(onText: (text: string) => void, signal: AbortSignal): Promise<Answer> {
    const step = await this.#asks.answeringStep(this.#principal, this.run);
    const streamed = new StreamedText(onText);
    const reader = new LogReader(step, this.stretch, streamed);
    await this.#asks.follow(this.#principal, this.run, {
      milliseconds: STREAM_MS,
      signal,
      onEvents: async (events) => {
        for (const event of events) reader.read(event);
      },
    });
    const answer = await this.now();
    if (answer.text !== "") {
      // What was said before a pause is no beginning of the words about it.
      if (answer.status !== "completed") streamed.begin();
      streamed.end(answer.text);
    }
    return answer;
  }

  /** As it is now. */
  async now(): Promise<Answer> {
    const { id } = this.run;
    const { status, text, error, pending, tokenUsage: usage } = await this.#asks.outcome(this.#principal, this.run);
    const state = status === "pending" ? "running" : status;
    const [review] = pending;
    const calls = state === "paused" && review === undefined ? await this.#asks.asked(this.#principal, this.run) : [];
    const metadata = {
      oven_run_id: String(id),
      status: state,
      ...(review === undefined ? {} : { oven_review_id: String(review.reviewId), oven_review_url: review.url }),
    };
    const words = text ?? (calls.length > 0 ? "" : toNotice(state, id, pending));
    return { status: state, text: words, calls, error, usage, metadata };
  }
}

/** The words of one stretch in the log of a run. */
class LogReader {
  readonly #step: string | undefined;
  readonly #stretch: number;
  readonly #streamed: StreamedText;
  #pauses = 0;
  #call = "";

  constructor(step: string | undefined, stretch: number, streamed: StreamedText) {
    this.#step = step;
    this.#stretch = stretch;
    this.#streamed = streamed;
  }

  read(event: RunEvent): void {
    if (event.event === "execution.paused") this.#pauses += 1;
    if (this.#pauses < this.#stretch || !this.#isAnswering(event)) return;
    if (event.event === "text.discarded") this.#streamed.discard();
    if (event.event !== "text.delta") return;
    // Another attempt writes the same answer once more.
    const call = `${String(event.nodeId)} ${String(event.visit)}`;
    if (call !== this.#call) this.#streamed.begin();
    this.#call = call;
    this.#streamed.write(String(event.text));
  }

  #isAnswering({ nodeId, item }: RunEvent): boolean {
    const step = this.#step;
    if (step === undefined || typeof nodeId !== "string" || item !== undefined) return false;
    return nodeId === step || nodeId.startsWith(`${step}.`);
  }
}

interface Pauses {
  pauses: number;
  /** Without a decision on its way to the run. */
  isPaused: boolean;
  hasEnded: boolean;
}

async function readPauses(asks: AsksFace, principal: Principal, run: AskedRun): Promise<Pauses> {
  const first = await lookForPauses(asks, principal, run);
  if (!first.isPaused || first.isAtRest) return first;
  // It has paused just now, or what was decided is on its way: the second look tells which.
  const { isAtRest, ...second } = await lookForPauses(asks, principal, run);
  return { ...second, isPaused: second.isPaused && isAtRest };
}

async function lookForPauses(
  asks: AsksFace,
  principal: Principal,
  run: AskedRun,
): Promise<Pauses & { isAtRest: boolean }> {
  const seen = { pauses: 0, isPaused: false, hasEnded: false };
  const { signal } = new AbortController();
  const onEvents = async (events: readonly RunEvent[]) => {
    for (const { event } of events) {
      if (event === "execution.paused") seen.pauses += 1;
      if (event.startsWith("execution.")) seen.isPaused = event === "execution.paused";
      if (event === "execution.completed" || event === "execution.failed" || event === "execution.cancelled")
        seen.hasEnded = true;
    }
  };
  const isAtRest = await asks.follow(principal, run, { milliseconds: 0, signal, onEvents });
  return { ...seen, isAtRest };
}

function toNotice(status: Answer["status"], id: number, pending: Outcome["pending"]): string {
  if (status === "running") return `Run ${id} is not finished yet. Ask for its result with metadata.oven_run_id.`;
  if (status !== "paused") return "";
  if (pending.length === 0) return `Run ${id} waits for an event from outside, and goes on by itself.`;
  const reviews = pending.map(
    ({ title, url, warning }) => `- ${title}: ${url}${warning === undefined ? "" : ` (${warning})`}`,
  );
  return ["A person must decide before this goes on:", ...reviews].join("\n");
}
