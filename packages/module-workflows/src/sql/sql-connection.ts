import { drizzle } from "drizzle-orm/node-postgres";

/** One session on the server, for one statement. */
export interface SqlConnection {
  /** One statement, by the extended protocol: a second one in the text is refused by the server. Rows as lists of text. */
  run(
    text: string,
    params?: readonly unknown[],
  ): Promise<{ names: string[]; types: number[]; rows: (string | null)[][] }>;
  /** Ends the session. */
  close(): Promise<void>;
}

export interface ConnectOptions {
  url: string;
  /** Bytes that may come back in all. */
  maxBytes: number;
  /** Milliseconds until the session is cut off, whatever the server does. */
  deadlineMs: number;
  signal: AbortSignal;
}

/** Why a session was cut off. */
export class CutOff extends Error {
  readonly reason: "bytes" | "time" | "aborted";

  constructor(reason: CutOff["reason"]) {
    super(`cut off: ${reason}`);
    this.reason = reason;
  }
}

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Opens a session of its own. What comes back is counted on the socket, because a single value may have 1 GB and the driver
 * keeps a message until it is whole.
 */
export async function openSqlConnection(options: ConnectOptions): Promise<SqlConnection> {
  const { url, maxBytes, deadlineMs, signal } = options;
  // The driver is reached through drizzle, which takes this package to it.
  const pool = drizzle({
    connection: {
      connectionString: url,
      max: 1,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      types: { getTypeParser: () => (value: string | Buffer) => value },
      application_name: "oven core.sql",
    },
  }).$client;
  let cut: CutOff | undefined;
  let lost: Error | undefined;
  // Passed to the statement that runs on it, or to the next.
  const onError = (error: Error): void => {
    lost ??= error;
  };
  pool.on("error", onError);
  const client = await pool.connect();
  client.on("error", onError);
  const { stream } = client.connection;
  const cutOff = (reason: CutOff["reason"]): void => {
    cut ??= new CutOff(reason);
    stream.destroy();
  };
  let bytes = 0;
  let statements = 0;
  stream.on("data", (chunk: Buffer) => {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) cutOff("bytes");
  });
  const timer = setTimeout(() => cutOff("time"), deadlineMs);
  const onAbort = () => cutOff("aborted");
  signal.addEventListener("abort", onAbort);
  if (signal.aborted) onAbort();
  return {
    run: async (text, params = []) => {
      try {
        if (lost !== undefined) throw lost;
        // A name makes the driver use the extended protocol also without parameters.
        const named = { name: `statement_${++statements}`, text, values: [...params], rowMode: "array" as const };
        const result = await client.query<(string | null)[]>(named);
        return {
          names: result.fields.map(({ name }) => name),
          types: result.fields.map(({ dataTypeID }) => dataTypeID),
          rows: result.rows,
        };
      } catch (error) {
        throw cut ?? error;
      }
    },
    close: async () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      client.release(true);
      await pool.end();
    },
  };
}
