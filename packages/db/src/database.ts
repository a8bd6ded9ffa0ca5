import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import type { OwnWrites } from "./own-writes.ts";
import type { PreparedCall } from "./prepared-batch.ts";

export type Dialect = "pglite" | "postgres";
export type Row = Record<string, unknown>;

/** Something SQL can be sent to: the database, or one open transaction. */
export interface Queryable {
  /** `$1` placeholders; `name` prepares the statement once per connection. Numbers of bigint columns come as JS numbers. */
  query<R extends Row = Row>(sql: string, params?: readonly unknown[], name?: string): Promise<R[]>;
}

/** What `query` takes, as one thing. */
export interface NamedQuery {
  sql: string;
  params: readonly unknown[];
  /** The name of the prepared statement. */
  name: string;
  /** Asked without row-level security, by what serves all tenants. */
  isSystem?: boolean;
}

/** What a column is given, and its SQL type. */
export interface ColumnValue {
  name: string;
  type: string;
  value: unknown;
}

/** A row that goes in with another statement. */
export interface NewRow {
  table: string;
  columns: readonly ColumnValue[];
}

/** Drizzle over whichever database is behind. */
export type Orm = PgDatabase<PgQueryResultHKT, Record<string, never>>;

export interface Transaction extends Queryable {
  orm: Orm;
}

/** Plain SQL, several statements in one text too, for a library that has its own. */
export interface SqlPort {
  executeSql(sql: string, values?: unknown[]): Promise<{ rows: Row[] }>;
  listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>>;
}

/** Where the server is, for a library that connects by itself, and the client it does so with. */
export interface PostgresAddress {
  connectionString: string;
  /** Prepares what is asked again and again. */
  Client: typeof import("pg").Client;
}

export interface Database extends Queryable {
  readonly dialect: Dialect;
  /** Present when no other process can write to it. */
  readonly writes?: OwnWrites;
  /** The same database without row-level security: for the engine and what else serves all tenants. */
  readonly system: Database;
  /**
   * Keeps what runs in `withinTenant` to the rows of that tenant and shared ones, from now on (PostgreSQL). To be called after
   * each migration; it warns and changes nothing where the database's user may not make roles.
   */
  enableRowLevelSecurity(): Promise<void>;
  readonly orm: Orm;
  /**
   * Runs prepared statements in one round trip and one transaction, and answers for each whether it gave a row. For the
   * engine's commits, which are many and alike.
   * @throws BatchError naming the statement that failed; then none of them took effect
   */
  batch(calls: readonly PreparedCall[]): Promise<boolean[]>;
  /**
   * Statements one behind the other over one connection, each a transaction of its own; where the driver can, in one round trip.
   * @throws what the first that failed throws; the others are sent all the same
   */
  queries(statements: readonly NamedQuery[]): Promise<Row[][]>;
  /** Commits when `work` resolves, rolls back when it throws. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Reads everything as it was at one instant, in a transaction that lets nothing be written; others go on writing. The embedded
   * database is copied for it, beside itself. For long reads that go through all tables, on `system`.
   */
  readSnapshot<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  /**
   * Everything that `work` does through this database, in whatever service, is one transaction; transactions within are
   * savepoints. Only for short work that waits for nothing else: no runs, no calls to the outside.
   */
  jointly<T>(work: () => Promise<T>): Promise<T>;
  /** Whether what is written now belongs to such a transaction: no other connection sees it yet. */
  readonly isJoint: boolean;
  /**
   * Calls `onNotify` for each NOTIFY on `channel` until the returned function is called. What comes while the connection is
   * lost is missed.
   */
  listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>>;
  /** What is behind, for the queue: it takes the embedded database, a URL, or a way to run SQL. */
  readonly native: { pglite: import("@electric-sql/pglite").PGlite } | PostgresAddress | SqlPort;
  /** Writes something and takes it away again. @throws OvenError STORAGE_FULL when there is no room on the database's disk */
  probeStorage(): Promise<void>;
  /** Whether it answers, within seconds. */
  isReachable(): Promise<boolean>;
  close(): Promise<void>;
}
