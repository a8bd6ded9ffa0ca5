import pg from "pg";

export interface ListenerOptions {
  /** Opens nothing yet: a client on a direct connection, for LISTEN does not pass a transaction pooler. */
  createClient(): pg.Client;
  /** The first wait after a lost connection. It doubles with each attempt, up to `maxDelayMs`. */
  minDelayMs?: number;
  maxDelayMs?: number;
}

type OnNotify = (payload: string) => void;

/**
 * LISTEN on one connection of its own, for every channel. A lost connection is opened again with growing waits; what was sent
 * meanwhile is lost, so listeners must not depend on it.
 */
export class PostgresListener {
  readonly #options: ListenerOptions;
  readonly #channels = new Map<string, Set<OnNotify>>();
  #client: Promise<pg.Client> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #failures = 0;
  #closed = false;

  constructor(options: ListenerOptions) {
    this.#options = options;
  }

  /** @throws what connecting threw, at first use only: a wrong URL should stop the start */
  async listen(channel: string, onNotify: OnNotify): Promise<() => Promise<void>> {
    const listeners = this.#channels.get(channel) ?? new Set();
    const isNew = listeners.size === 0;
    this.#channels.set(channel, listeners.add(onNotify));
    try {
      this.#client ??= this.#connect();
      const client = await this.#client;
      if (isNew) await client.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
    } catch (error) {
      listeners.delete(onNotify);
      throw error;
    }
    return async () => {
      listeners.delete(onNotify);
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    const current = this.#client;
    this.#client = undefined;
    const [opened] = await Promise.allSettled([current]);
    if (opened.status === "fulfilled") await opened.value?.end();
  }

  async #connect(): Promise<pg.Client> {
    const client = this.#options.createClient();
    client.on("notification", ({ channel, payload }) => {
      for (const onNotify of this.#channels.get(channel) ?? []) onNotify(payload ?? "");
    });
    let isLost = false;
    const onLost = () => {
      if (isLost) return;
      isLost = true;
      this.#client = undefined;
      this.#connectLater();
    };
    client.on("error", onLost);
    client.on("end", onLost);
    try {
      await client.connect();
      for (const channel of this.#channels.keys()) await client.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
    } catch (error) {
      onLost();
      throw error;
    }
    this.#failures = 0;
    return client;
  }

  #connectLater(): void {
    if (this.#closed || this.#retry !== undefined) return;
    const { minDelayMs = 100, maxDelayMs = 10_000 } = this.#options;
    const delay = Math.min(maxDelayMs, minDelayMs * 2 ** this.#failures++);
    // Many processes lose the same server at once: they do not come back at once.
    this.#retry = setTimeout(() => void this.#reconnect(), delay * (0.5 + Math.random() / 2));
    this.#retry.unref();
  }

  async #reconnect(): Promise<void> {
    this.#retry = undefined;
    if (this.#closed || this.#client !== undefined) return;
    const attempt = this.#connect();
    this.#client = attempt;
    try {
      await attempt;
    } catch (error) {
      console.warn(`listening on the database failed, trying again: ${String(error)}`);
    }
  }
}
