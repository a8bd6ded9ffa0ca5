import type { Database } from "@oven/db";
import { matchesEvent, NextLook } from "@oven/module-registry";

/** How long what another process wrote may stay unknown. */
const REFRESH_MS = 2_000;

/** Which events are wanted at all: what nobody wants is not even written where there is much of it. */
export class WantedEvents {
  readonly #read: () => Promise<string[]>;
  #patterns: readonly string[] = [];
  readonly #next: NextLook;
  #isStopped = false;
  /** Counts readings, so that one that began earlier and ends later takes nothing back. */
  #begun = 0;
  #shown = 0;

  /** @param read the patterns of all that listen, from this database */
  constructor(db: Pick<Database, "writes">, read: () => Promise<string[]>) {
    this.#read = read;
    this.#next = new NextLook(() => void this.refreshQuietly(), { db, sweepMs: REFRESH_MS, unref: true });
  }

  async start(): Promise<void> {
    this.#next.begin();
    await this.refresh();
    this.#next.end();
  }

  stop(): void {
    this.#isStopped = true;
    this.#next.cancel();
  }

  includes(name: string): boolean {
    return this.#patterns.some((pattern) => matchesEvent(pattern, name));
  }

  async refresh(): Promise<void> {
    this.#begun += 1;
    const mine = this.#begun;
    const patterns = await this.#read();
    if (mine < this.#shown) return;
    this.#shown = mine;
    this.#patterns = [...new Set(patterns)];
  }

  async refreshQuietly(): Promise<void> {
    this.#next.begin();
    let untilNext: number | undefined;
    try {
      await this.refresh();
    } catch (error) {
      untilNext = REFRESH_MS;
      console.warn(`reading which events are wanted failed, trying again: ${String(error)}`);
    }
    if (!this.#isStopped) this.#next.end(untilNext);
  }
}
