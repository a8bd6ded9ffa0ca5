import { OvenError } from "@oven/contract";

export interface AttemptLimit {
  /** What is counted together, such as an account or an address. */
  key: string;
  /** Failures within the window after which the next attempt need not wait. */
  free: number;
}

/** Counts attempts that may be guesses. */
export interface AttemptCounter {
  /**
   * Counts an attempt before it is made, so that a thousand at once do not all slip through. Call what it answers when the
   * attempt turns out right: then it does not count.
   * @throws OvenError TOO_MANY_ATTEMPTS 429 with Retry-After
   */
  begin(limits: readonly AttemptLimit[]): Succeeded | Promise<Succeeded>;
}

export type Succeeded = () => void | Promise<void>;

export const WINDOW_MS = 15 * 60_000;
const FIRST_WAIT_MS = 1_000;
/**
 * Long enough that a key has some 60 guesses in 15 minutes beyond the free ones, short enough that the right password of a
 * person whose address or account is under attack is soon taken.
 */
const LONGEST_WAIT_MS = 15_000;
/** Beyond it the oldest keys are forgotten: memory is bounded, whoever tries. */
const MOST_KEYS = 50_000;

/**
 * Attempts that may be guesses, counted in a window of 15 minutes that slides. Beyond the free ones each failure doubles the
 * wait before the next attempt, from one second to 15: nothing is locked for longer. In memory, for the one process that has the
 * embedded database; a restart forgets.
 */
export class Attempts implements AttemptCounter {
  readonly #times = new Map<string, number[]>();
  readonly #now: () => number;

  constructor(now: () => number = () => Date.now()) {
    this.#now = now;
  }

  /**
   * Counts an attempt before it is made, so that a thousand at once do not all slip through. Call what it answers when the
   * attempt turns out right: then it does not count.
   * @throws OvenError TOO_MANY_ATTEMPTS 429 with Retry-After
   */
  begin(limits: readonly AttemptLimit[]): () => void {
    const waitMs = Math.max(0, ...limits.map((limit) => this.#waitMs(limit)));
    if (waitMs > 0) throw tooManyAttempts(waitMs);
    const at = this.#now();
    for (const { key } of limits) this.#add(key, at);
    return () => {
      for (const { key } of limits) this.#drop(key, at);
    };
  }

  #waitMs({ key, free }: AttemptLimit): number {
    const times = this.#recent(key);
    const last = times.at(-1);
    return last === undefined ? 0 : waitAfter(times.length, free, this.#now() - last);
  }

  #recent(key: string): number[] {
    const since = this.#now() - WINDOW_MS;
    const times = (this.#times.get(key) ?? []).filter((at) => at > since);
    if (times.length === 0) this.#times.delete(key);
    else this.#times.set(key, times);
    return times;
  }

  #add(key: string, at: number): void {
    const times = this.#times.get(key) ?? [];
    this.#times.delete(key);
    if (this.#times.size >= MOST_KEYS) this.#times.delete(this.#times.keys().next().value ?? "");
    // A thousand are more than any limit here.
    this.#times.set(key, [...times.slice(-1_000), at]);
  }

  #drop(key: string, at: number): void {
    const times = this.#times.get(key) ?? [];
    const index = times.indexOf(at);
    if (index >= 0) times.splice(index, 1);
  }
}

/**
 * How long the next attempt waits, in milliseconds; not above zero: it need not.
 * @param failures within the window
 * @param sinceMs since the last of them
 */
export function waitAfter(failures: number, free: number, sinceMs: number): number {
  if (failures < free) return 0;
  const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failures - free, 10));
  return Math.min(LONGEST_WAIT_MS, waitMs - sinceMs);
}

export function tooManyAttempts(waitMs: number): OvenError {
  const seconds = Math.ceil(waitMs / 1_000);
  return new OvenError("TOO_MANY_ATTEMPTS", `There were too many attempts that failed; wait ${seconds} s`, {
    status: 429,
    retryAfterMs: waitMs,
    fix: "Wait that long, then try again with the right credentials.",
  });
}
