import pg from "pg";
import { BatchReply, type PreparedCall, toParameter } from "./prepared-batch.ts";

/** The extended protocol's messages; node-postgres has them, its types do not. */
interface WireConnection {
  stream: { cork(): void; uncork(): void };
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
    connection.stream.cork();
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
    connection.stream.uncork();
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

/** An answer of the server, as opposed to a broken connection. */
function isServerError(error: unknown): boolean {
  return error instanceof pg.DatabaseError;
}

/** One connection for the engine's commits, with its prepared statements. Opened at first use, replaced when it breaks. */
export class BatchConnection {
  readonly #open: () => pg.Client;
  #client: Promise<{ client: pg.Client; prepared: Prepared }> | undefined;

  constructor(open: () => pg.Client) {
    this.#open = open;
  }

  async run(calls: readonly PreparedCall[]): Promise<boolean[]> {
    this.#client ??= this.#connect();
    const { client, prepared } = await this.#client;
    return new Promise((resolve, reject) => {
      // cast: an object with `submit` is taken as it is
      client.query(new PreparedBatch(calls, prepared, { resolve, reject }) as unknown as pg.Submittable);
    });
  }

  async close(): Promise<void> {
    const current = await this.#client;
    this.#client = undefined;
    await current?.client.end();
  }

  async #connect(): Promise<{ client: pg.Client; prepared: Prepared }> {
    const client = this.#open();
    const forget = () => {
      this.#client = undefined;
    };
    client.on("error", forget);
    client.on("end", forget);
    try {
      await client.connect();
    } catch (error) {
      forget();
      throw error;
    }
    return { client, prepared: { known: new Set(), uncertain: new Set() } };
  }
}
