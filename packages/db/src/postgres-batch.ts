import type pg from "pg";
import { isConnectionLost } from "./connection-lost.ts";
import { BatchReply, type PreparedCall, toParameter } from "./prepared-batch.ts";

/** The extended protocol's messages; node-postgres has them, its types do not. */
interface WireConnection {
  /** A WebSocket has no cork; it gathers what is written in one turn by itself. */
  stream: { cork?(): void; uncork?(): void };
  parse(statement: { name: string; text: string; types: number[] }): void;
  bind(portal: { portal: string; statement: string; values: (string | null)[]; binary: boolean }): void;
  execute(portal: { portal: string; rows: number }): void;
  close(statement: { type: "S"; name: string }): void;
  sync(): void;
}

/** The statements one connection has prepared. */
interface Prepared {
  known: Set<string>;
  /** Whether their preparation went through was not said: closed before they are prepared again. */
  uncertain: Set<string>;
}

/**
 * Sends N × (Bind + Execute) and one Sync: one round trip and one transaction for all of them. It speaks to node-postgres by
 * its query interface (`submit` and the handlers below).
 */
class PreparedBatch {
  readonly #calls: readonly PreparedCall[];
  readonly #prepared: Prepared;
  readonly #reply = new BatchReply();
  readonly #toParse: string[] = [];
  readonly #settle: { resolve(answered: boolean[]): void; reject(error: unknown): void };

  constructor(
    calls: readonly PreparedCall[],
    prepared: Prepared,
    settle: { resolve(answered: boolean[]): void; reject(error: unknown): void },
  ) {
    this.#calls = calls;
    this.#prepared = prepared;
    this.#settle = settle;
  }

  submit(connection: WireConnection): null {
    connection.stream.cork?.();
    for (const { name, sql, params } of this.#calls) {
      if (!this.#prepared.known.has(name) && !this.#toParse.includes(name)) {
        if (this.#prepared.uncertain.delete(name)) connection.close({ type: "S", name });
        connection.parse({ name, text: sql, types: [] });
        this.#toParse.push(name);
      }
      connection.bind({ portal: "", statement: name, values: params.map(toParameter), binary: false });
      connection.execute({ portal: "", rows: 0 });
    }
    connection.sync();
    connection.stream.uncork?.();
    return null;
  }

  handleRowDescription(): void {}

  handleDataRow(): void {
    this.#reply.onRow();
  }

  handleCommandComplete(): void {
    this.#reply.onComplete();
  }

  handleReadyForQuery(): void {
    this.#noteParsed(this.#calls.length);
    this.#settle.resolve(this.#reply.answered);
  }

  /** Not asked for again when the connection is gone: the answer is unknown, and whoever asked must look. */
  handleError(error: unknown): void {
    if (!isServerError(error)) {
      this.#settle.reject(error);
      return;
    }
    const failure = this.#reply.failure(error);
    this.#noteParsed(failure.index);
    this.#settle.reject(failure);
  }

  /** The first `completed` statements ran, so they are prepared; of the next one nobody knows; the rest was skipped. */
  #noteParsed(completed: number): void {
    const ran = new Set(this.#calls.slice(0, completed).map(({ name }) => name));
    for (const name of this.#toParse) if (ran.has(name)) this.#prepared.known.add(name);
    const next = this.#calls[completed]?.name;
    if (next !== undefined && !this.#prepared.known.has(next)) this.#prepared.uncertain.add(next);
  }

  handlePortalSuspended(): void {}

  handleEmptyQuery(): void {}
}

/** An answer of the server about a statement, as opposed to a broken connection. By its fields: each driver has its own class. */
function isServerError(error: unknown): boolean {
  return error instanceof Error && "severity" in error && "code" in error && !isConnectionLost(error);
}

interface OpenConnection {
  client: pg.Client;
  prepared: Prepared;
}

/** One connection for the engine's commits, with its prepared statements. Opened at first use, replaced when it breaks. */
export class BatchConnection {
  readonly #open: () => pg.Client;
  readonly #session: Record<string, string>;
  #current: Promise<OpenConnection> | undefined;

  /** @param session settings of each connection, by name; plain words only */
  constructor(open: () => pg.Client, session: Record<string, string>) {
    this.#open = open;
    this.#session = session;
  }

  async run(calls: readonly PreparedCall[]): Promise<boolean[]> {
    this.#current ??= this.#connect();
    const current = this.#current;
    const { client, prepared } = await current;
    return new Promise((resolve, rejectBatch) => {
      // The server says that it ends the connection before the connection ends.
      const reject = (error: unknown) => {
        if (isConnectionLost(error) && this.#current === current) {
          this.#current = undefined;
          client.end((endError) => endError && console.warn(`closing a lost connection: ${endError.message}`));
        }
        rejectBatch(error);
      };
      // cast: an object with `submit` is taken as it is
      client.query(new PreparedBatch(calls, prepared, { resolve, reject }) as unknown as pg.Submittable);
    });
  }

  async close(): Promise<void> {
    const [current] = await Promise.allSettled([this.#current]);
    this.#current = undefined;
    if (current.status === "fulfilled") await current.value?.client.end();
  }

  #connect(): Promise<OpenConnection> {
    const connection = this.#openClient(() => {
      // An old connection may say so late, when the next one is in use.
      if (this.#current === connection) this.#current = undefined;
    });
    return connection;
  }

  async #openClient(onLost: () => void): Promise<OpenConnection> {
    const client = this.#open();
    client.on("error", onLost);
    client.on("end", onLost);
    try {
      await client.connect();
      const settings = Object.entries(this.#session).map(([name, value]) => `set ${name} = ${value}`);
      await client.query(settings.join("; "));
    } catch (error) {
      onLost();
      throw error;
    }
    return { client, prepared: { known: new Set(), uncertain: new Set() } };
  }
}
