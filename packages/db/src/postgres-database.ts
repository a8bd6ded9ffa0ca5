import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import type { Database, Orm, Row, Transaction } from "./database.ts";
import { BatchConnection } from "./postgres-batch.ts";

const INT8 = 20;

/** bigint as a JS number: our ids stay far below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === INT8 ? (value: string | Buffer) => Number(value) : pg.types.getTypeParser(oid, format),
};

export interface PostgresOptions {
  connectionString: string;
  /** Connections in the pool. Default 10. */
  poolSize?: number;
}

/** A PostgreSQL server (15 or newer). */
export async function openPostgres({ connectionString, poolSize = 10 }: PostgresOptions): Promise<Database> {
  // Writers run named statements: one plan, no re-planning per call, no JIT start-up cost.
  const session = { connectionString, types, options: "-c plan_cache_mode=force_generic_plan -c jit=off" };
  const pool = new pg.Pool({ ...session, max: poolSize });
  const batches = new BatchConnection(() => new pg.Client(session));
  // A broken idle connection is replaced by the pool; the next query reports what is wrong.
  pool.on("error", (error) => console.warn(`database connection lost: ${error.message}`));
  const client = await pool.connect();
  client.release();
  const listeners = new Set<() => Promise<void>>();
  let closed = false;
  return {
    dialect: "postgres",
    orm: toOrm(pool),
    native: { connectionString },
    query: (sql, params, name) => run(pool, sql, params, name),
    batch: (calls) => batches.run(calls),
    transaction: (work) => inTransaction(pool, work),
    listen: async (channel, onNotify) => {
      const stop = await listen(connectionString, channel, onNotify);
      listeners.add(stop);
      return async () => {
        listeners.delete(stop);
        await stop();
      };
    },
    close: async () => {
      if (closed) return;
      closed = true;
      await Promise.all([...listeners].map((stop) => stop()));
      await batches.close();
      await pool.end();
    },
  };
}

async function run<R extends Row>(
  client: pg.Pool | pg.PoolClient,
  sql: string,
  params: readonly unknown[] = [],
  name?: string,
): Promise<R[]> {
  const values = [...params];
  const result = await client.query<R>(name === undefined ? { text: sql, values } : { name, text: sql, values });
  return result.rows;
}

async function inTransaction<T>(pool: pg.Pool, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query("BEGIN");
    const result = await work({ query: (sql, params, name) => run(client, sql, params, name), orm: toOrm(client) });
    await client.query("COMMIT");
    return result;
  } catch (error) {
    try {
      await client.query("ROLLBACK");
    } catch (rollbackError) {
      broken = rollbackError instanceof Error ? rollbackError : new Error(String(rollbackError));
    }
    throw error;
  } finally {
    client.release(broken);
  }
}

/** LISTEN needs its own, unpooled connection; it is opened again when it breaks. */
async function listen(
  connectionString: string,
  channel: string,
  onNotify: (payload: string) => void,
): Promise<() => Promise<void>> {
  let stopped = false;
  let current: pg.Client | undefined;
  const open = async (): Promise<void> => {
    const client = new pg.Client({ connectionString });
    client.on("notification", (message) => onNotify(message.payload ?? ""));
    client.on("error", () => {
      if (!stopped) setTimeout(() => void open().catch(reopenLater), 1_000).unref();
    });
    await client.connect();
    await client.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
    current = client;
  };
  const reopenLater = (error: unknown): void => {
    console.warn(`listening on ${channel} failed, trying again: ${String(error)}`);
    if (!stopped) setTimeout(() => void open().catch(reopenLater), 1_000).unref();
  };
  await open();
  return async () => {
    stopped = true;
    await current?.end();
  };
}

function toOrm(client: pg.Pool | pg.PoolClient): Orm {
  return drizzle({ client }) as unknown as Orm; // cast: the row kind differs by driver only
}
