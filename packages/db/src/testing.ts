import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { Database } from "./database.ts";
import { openPostgres } from "./postgres-database.ts";
import { openSnapshot, placeSnapshot } from "./test-snapshot.ts";

export { freePort } from "./free-port.ts";
export { openTcpGate, type TcpGate } from "./tcp-gate.ts";
export { writeSnapshot } from "./test-snapshot.ts";

/**
 * An embedded database in memory, started from a snapshot: initdb takes seconds, this one does not. In a test run it has the
 * tables of all modules; `migrated: false` leaves them out. `extensions: false` leaves out the vector extension, as on a server
 * that does not have it.
 */
export function createTestPglite({ extensions = true, migrated = true } = {}): Promise<Database> {
  return openSnapshot({ file: migrated && extensions ? process.env.OVEN_TEST_SNAPSHOT : undefined, extensions });
}

/**
 * A data directory for a process with the embedded database. In a test run it has the tables of all modules already; otherwise it is
 * empty, and the process creates its database.
 */
export function createTestDataDir(prefix: string): string {
  const dataDir = mkdtempSync(join(tmpdir(), prefix));
  fillTestDataDir(dataDir);
  return dataDir;
}

/** The same for a directory that has its name already. */
export function fillTestDataDir(dataDir: string): void {
  if (process.env.OVEN_TEST_SNAPSHOT !== undefined) placeSnapshot(process.env.OVEN_TEST_SNAPSHOT, dataDir);
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
