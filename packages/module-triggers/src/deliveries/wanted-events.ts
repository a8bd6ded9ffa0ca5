import { matchesEvent } from "@oven/module-registry";

/** How long what another process wrote may stay unknown. */
const REFRESH_MS = 2_000;

/** Which events are wanted at all: what nobody wants is not even written where there is much of it. */
export class WantedEvents {
  readonly #read: () => Promise<string[]>;
  #patterns: readonly string[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** @param read the patterns of all that listen */
  constructor(read: () => Promise<string[]>) {
    this.#read = read;
  }

  async start(): Promise<void> {
    await this.refresh();
    this.#timer = setInterval(() => void this.refreshQuietly(), REFRESH_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  includes(name: string): boolean {
    return this.#patterns.some((pattern) => matchesEvent(pattern, name));
  }

  async refresh(): Promise<void> {
    this.#patterns = [...new Set(await this.#read())];
  }

  async refreshQuietly(): Promise<void> {
    try {
      await this.refresh();
    } catch (error) {
      console.warn(`reading which events are wanted failed, trying again: ${String(error)}`);
    }
  }
}
