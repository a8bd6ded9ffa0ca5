import type { Clock } from "../ports.ts";

/** A clock that stands still until it is moved. */
export class SimulatedClock implements Clock {
  #now: number;
  #timers: { at: number; callback: () => void }[] = [];

  constructor(now = Date.parse("2026-01-01T00:00:00Z")) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  setTimer(at: number, callback: () => void): () => void {
    const timer = { at, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Moves on, firing what is due in order; between timers everything that can settle settles. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    await settle();
    for (;;) {
      const next = this.#timers.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)[0];
      if (!next) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.#now = Math.max(this.#now, next.at);
      next.callback();
      await settle();
    }
    this.#now = end;
    await settle();
  }
}

/** Lets all work that waits for nothing outside finish. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 5; i += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}
