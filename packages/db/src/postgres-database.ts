import pg from "pg";
import { asReader } from "./as-reader.ts";
import { overConnection } from "./connection-lost.ts";
import type { Database, NamedQuery, Row, Transaction } from "./database.ts";
import { joinable, type PlainDatabase } from "./joint-transaction.ts";
import { BatchConnection } from "./postgres-batch.ts";
import { NODE_POSTGRES, type PostgresDriver } from "./postgres-driver.ts";
import { PostgresListener } from "./postgres-listener.ts";
import { preparingClient } from "./preparing-client.ts";
import { RlsQuery } from "./rls-query.ts";
import { beginWithin, buildRowLevelSecurity, type RlsContext } from "./row-level-security.ts";
import { createStorageProbe, PROBE_STATEMENT } from "./storage-full.ts";
import { currentTenant } from "./tenant-scope.ts";

const INT8 = 20;
const NOT_ALLOWED = "42501";

/** bigint as a JS number: our ids stay far below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === INT8 ? (value: string | Buffer) => Number(value) : pg.types.getTypeParser(oid, format),
};

/** Writers run named statements: one plan, no re-planning per call, no JIT start-up cost. */
const SESSION = { plan_cache_mode: "force_generic_plan", jit: "off" };
/** Longer than a busy pool makes callers wait, shorter than the time-outs of load balancers. */
const CONNECT_TIMEOUT_MS = 10_000;
const REACHABLE_TIMEOUT_MS = 3_000;
/** Each probe leaves a few dead rows in the catalogue for the server's vacuum. */
const PROBE_QUIET_MS = 5_000;

export interface PostgresOptions {
  connectionString: string;
  /** The same database without a pooler between: for LISTEN, prepared statements and the queue. Default: `connectionString`. */
  directUrl?: string | undefined;
  /** Connections in the pool. Default 10. */
  poolSize?: number;
  driver?: PostgresDriver;
}

/** A PostgreSQL server (15 or newer). */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const { connectionString, directUrl = connectionString, poolSize = 10, driver = NODE_POSTGRES } = options;
  const isPooled = directUrl !== connectionString;
  const socket = { types, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, keepAlive: true };
  const pooledSocket = { ...socket, connectionString, max: poolSize, ...startOptions(driver, isPooled) };
  const pool = driver.createPool(pooledSocket, !isPooled);
  const createClient = () => driver.createClient({ ...socket, connectionString: directUrl });
  const batches = new BatchConnection(createClient, SESSION);
  const listener = new PostgresListener({ createClient });
  // A broken idle connection is replaced by the pool; the next query reports what is wrong.
  pool.on("error", (error) => console.warn(`database connection lost: ${error.message}`));
  const client = await pool.connect();
  client.release();
  let closed = false;
  let tenantRole: string | undefined;
  const context = (): RlsContext | undefined => {
    const tenantId = tenantRole === undefined ? undefined : currentTenant();
    return tenantId === undefined || tenantRole === undefined ? undefined : { role: tenantRole, tenantId };
  };
  const plain: PlainDatabase = {
    dialect: "postgres",
    enableRowLevelSecurity: async () => {
      try {
        tenantRole = await inTransaction({ pool, driver, isPooled }, buildRowLevelSecurity);
      } catch (error) {
        console.warn(`row-level security is off, tenants are kept apart by queries alone: ${String(error)}`);
      }
    },
    orm: driver.toOrm(pool),
    native: driver.isTcp
      ? { connectionString: directUrl, Client: preparingClient() }
      : {
          executeSql: (sql, values) => executeSql(pool, sql, values),
          listen: (channel, onNotify) => listener.listen(channel, onNotify),
        },
    // A pooler gives each statement another session, so none is prepared under a name.
    query: (sql, params, name) => overConnection(() => run(pool, sql, params, isPooled ? undefined : name)),
    queries: (statements) => overConnection(() => runAll({ pool, driver, isPooled }, statements)),
    batch: (calls) => overConnection(() => batches.run(calls)),
    transaction: (work) => overConnection(() => inTransaction({ pool, driver, isPooled }, work)),
    readSnapshot: (work) => overConnection(() => inTransaction({ pool, driver, isPooled }, asReader(work))),
    listen: (channel, onNotify) => overConnection(() => listener.listen(channel, onNotify)),
    probeStorage: createStorageProbe(
      () => overConnection(() => writeProbe({ pool, driver, isPooled })),
      PROBE_QUIET_MS,
    ),
    isReachable: () => isReachable(pool),
    close: async () => {
      if (closed) return;
      closed = true;
      await listener.close();
      await batches.close();
      await pool.end();
    },
  };
  const system = joinable(plain, pool);
  const scoped = { pool, driver, isPooled, context };
  const withinTenantOnly: PlainDatabase = {
    ...plain,
    orm: driver.toOrm(tenantPool(scoped)),
    query: <R extends Row>(sql: string, params: readonly unknown[] = [], name?: string) => {
      const within = context();
      if (within === undefined) return plain.query<R>(sql, params, name);
      return overConnection(async () => {
        const { rows } = await alone(scoped, within, { text: sql, values: [...params] });
        return rows as R[]; // cast: whoever asks says what comes back, as without a wall
      });
    },
    queries: (statements) => overConnection(() => runAll(scoped, statements)),
    transaction: (work) => overConnection(() => inTransaction(scoped, work)),
  };
  return joinable(withinTenantOnly, pool, system);
}

interface Pooled {
  pool: pg.Pool;
  driver: PostgresDriver;
  isPooled: boolean;
  /** The row-level security context of the calling code; absent or undefined when there is none. */
  context?: () => RlsContext | undefined;
}

/** The pool as the query builder sees it: within a tenant each query is a transaction of its own, under row-level security. */
function tenantPool(pooled: Pooled): pg.Pool {
  const { pool } = pooled;
  const query = (...args: unknown[]) => {
    const within = pooled.context?.();
    // cast: handed on as it came, or as the query builder gives it
    if (within === undefined) return pool.query(...(args as [string]));
    const [statement, values] = args as [string | pg.QueryConfig, unknown[] | undefined];
    const given = typeof statement === "string" ? { text: statement } : statement;
    return alone(pooled, within, { ...given, values: values ?? given.values ?? [] });
  };
  return new Proxy(pool, {
    get(target, key) {
      if (key === "query") return query;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

function startOptions({ takesOptions }: PostgresDriver, isPooled: boolean): { options?: string } {
  if (!takesOptions || isPooled) return {};
  const settings = Object.entries(SESSION).map(([name, value]) => `-c ${name}=${value}`);
  return { options: settings.join(" ") };
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

/** Where the driver can, all of them are one round trip. */
function runAll(pooled: Pooled, statements: readonly NamedQuery[]): Promise<Row[][]> {
  const { pool, driver, isPooled } = pooled;
  const within = pooled.context?.();
  return withClient(pool, async (client) => {
    const ask = async ({ sql, params, name, isSystem }: NamedQuery): Promise<Row[]> => {
      if (within === undefined || isSystem) return run(client, sql, params, isPooled ? undefined : name);
      if (driver.pipelines) return (await sendWithin(client, within, { text: sql, values: [...params] })).rows;
      return (await onClient(pooled, (own) => own.query({ text: sql, values: [...params] }))).rows;
    };
    const answered = await Promise.allSettled(statements.map(ask));
    return answered.map((answer) => {
      if (answer.status === "rejected") throw answer.reason;
      return answer.value;
    });
  });
}

/** Several statements in one text answer a list of results; the queue wants all rows. */
async function executeSql(pool: pg.Pool, sql: string, values?: unknown[]): Promise<{ rows: Row[] }> {
  const result: pg.QueryResult<Row> | pg.QueryResult<Row>[] = await pool.query(sql, values);
  return { rows: Array.isArray(result) ? result.flatMap(({ rows }) => rows) : result.rows };
}

async function isReachable(pool: pg.Pool): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(false), REACHABLE_TIMEOUT_MS);
  const asked = pool.query("select 1").then(
    () => true,
    (error: unknown) => {
      console.warn(`the database does not answer: ${String(error)}`);
      return false;
    },
  );
  const answer = await Promise.race([asked, late.promise]);
  clearTimeout(timer);
  return answer;
}

async function writeProbe(pooled: Pooled): Promise<void> {
  try {
    await inTransaction(pooled, (tx) => tx.query(PROBE_STATEMENT));
  } catch (error) {
    // A user who may make no temporary tables: then only the writes themselves find out.
    if (!(error instanceof Error && "code" in error && error.code === NOT_ALLOWED)) throw error;
  }
}

function inTransaction<T>(pooled: Pooled, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const { driver, isPooled, context } = pooled;
  // A plan made for one role is made anew for another one.
  const isNamed = !isPooled && context?.() === undefined;
  return onClient(pooled, (client) =>
    work({
      query: (sql, params, name) => run(client, sql, params, isNamed ? name : undefined),
      orm: driver.toOrm(client),
    }),
  );
}

function onClient<T>(pooled: Pooled, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const within = pooled.context?.();
  const opening = within === undefined ? "BEGIN" : beginWithin(within);
  return withClient(pooled.pool, async (client, spoil) => {
    const opened = client.query(opening);
    try {
      // Else the first statement goes out behind it, and fails with it.
      if (pooled.driver.pipelines) opened.catch(() => undefined);
      else await opened;
      const result = await work(client);
      await opened;
      await client.query("COMMIT");
      return result;
    } catch (error) {
      await client.query("ROLLBACK").catch(spoil);
      await opened;
      throw error;
    }
  });
}

/** One statement under row-level security, as a transaction of its own; one round trip where the driver pipelines. */
function alone(pooled: Pooled, within: RlsContext, statement: pg.QueryConfig): Promise<pg.QueryResult> {
  if (!pooled.driver.pipelines) return onClient(pooled, (client) => client.query(statement));
  return withClient(pooled.pool, (client) => sendWithin(client, within, statement));
}

async function sendWithin(
  client: pg.PoolClient,
  within: RlsContext,
  statement: pg.QueryConfig,
): Promise<pg.QueryResult> {
  const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>();
  const callback = (error: Error | null, result: pg.QueryResult) => (error === null ? resolve(result) : reject(error));
  client.query(new RlsQuery(within, statement, callback) as unknown as pg.Submittable); // cast: its types leave out the connection
  try {
    return await promise;
  } catch (error) {
    // The trace of the driver's error leads to the socket, not to the caller.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
}

/** What breaks while it is in use is not used again. */
async function withClient<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient, spoil: (error: Error) => void) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  const spoil = (error: Error) => {
    broken = error;
  };
  // Without a listener a connection that breaks between two statements would end the process.
  client.on("error", spoil);
  try {
    return await work(client, spoil);
  } finally {
    client.off("error", spoil);
    client.release(broken);
  }
}
