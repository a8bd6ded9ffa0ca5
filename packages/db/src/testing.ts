import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { Database } from "./database.ts";
import { createPglite, PGLITE_EXTENSIONS, wrapPglite } from "./pglite-database.ts";
import { openPostgres } from "./postgres-database.ts";

export { openTcpGate, type TcpGate } from "./tcp-gate.ts";

/** Read once for each process, not for each of its databases. */
const snapshots = new Map<string, Blob>();
const SNAPSHOT = join(tmpdir(), "oven-test-cache", "pglite-0.5.14.tar");

/**
 * An embedded database in memory, started from a snapshot: initdb takes seconds, this one does not. In a test run it has the
 * tables of all modules; `migrated: false` leaves them out. `extensions: false` leaves out the vector extension, as on a server
 * that does not have it.
 */
export async function createTestPglite({ extensions = true, migrated = true } = {}): Promise<Database> {
  const prepared = migrated && extensions ? process.env.OVEN_TEST_SNAPSHOT : undefined;
  if (prepared === undefined && !existsSync(SNAPSHOT)) await writeSnapshot();
  const file = prepared ?? SNAPSHOT;
  const loadDataDir = snapshots.get(file) ?? new Blob([readFileSync(file)]);
  snapshots.set(file, loadDataDir);
  return wrapPglite(await createPglite({ loadDataDir, ...(extensions ? { extensions: PGLITE_EXTENSIONS } : {}) }));
}

async function writeSnapshot(): Promise<void> {
  mkdirSync(join(tmpdir(), "oven-test-cache"), { recursive: true });
  const fresh = await createPglite({});
  const dump = await fresh.dumpDataDir("none");
  await fresh.close();
  // Written beside and renamed: another test process may be reading.
  const draft = join(mkdtempSync(join(tmpdir(), "oven-snapshot-")), "pglite.tar");
  writeFileSync(draft, Buffer.from(await dump.arrayBuffer()));
  renameSync(draft, SNAPSHOT);
}

/**
 * A fresh database on the PostgreSQL server at `serverUrl`, and its removal. In a test run it has the tables of all modules;
 * `migrated: false` leaves them out.
 */
export async function createTestPostgres(
  serverUrl: string,
  { migrated = true } = {},
): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `test_${process.pid}_${Math.random().toString(36).slice(2, 10)}`;
  const template = migrated ? process.env.OVEN_TEST_TEMPLATE : undefined;
  await onServer(serverUrl, `create database ${name}${template === undefined ? "" : ` template ${template}`}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.toString(), drop: () => onServer(serverUrl, `drop database if exists ${name} with (force)`) };
}

export interface TestDatabase {
  db: Database;
  close: () => Promise<void>;
}

/** The two databases every store suite runs on. The server's URL comes from the test run's set-up. */
export function testDatabases(
  postgresUrl: string | undefined,
): { name: string; open: (options?: { migrated?: boolean }) => Promise<TestDatabase> }[] {
  const pglite = {
    name: "PGlite",
    open: async ({ migrated = true } = {}): Promise<TestDatabase> => {
      const db = await createTestPglite({ migrated });
      return { db, close: () => db.close() };
    },
  };
  if (postgresUrl === undefined) return [pglite];
  const postgres = {
    name: "PostgreSQL",
    open: async ({ migrated = true } = {}): Promise<TestDatabase> => {
      const { url, drop } = await createTestPostgres(postgresUrl, { migrated });
      const db = await openPostgres({ connectionString: url, poolSize: 5 });
      return {
        db,
        close: async () => {
          await db.close();
          await drop();
        },
      };
    },
  };
  return [pglite, postgres];
}

async function onServer(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
