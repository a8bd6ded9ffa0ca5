import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { PGlite, type PGliteOptions, type Transaction as PGliteTransaction } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { drizzle } from "drizzle-orm/pglite";
import { type DataDirLock, lockDataDir } from "./data-dir-lock.ts";
import type { Database, Orm, Row, Transaction } from "./database.ts";
import { joinable, type PlainDatabase } from "./joint-transaction.ts";
import { PgliteBatch } from "./pglite-batch.ts";
import { PreparingPglite } from "./preparing-pglite.ts";
import { PrivateNodeFS } from "./private-node-fs.ts";
import { createStorageProbe, writeProbeFile } from "./storage-full.ts";

/**
 * PostgreSQL's own 128 MB are written at each start and stay in the process's memory. What is not in these is read from the file system,
 * whose cache holds it.
 */
const SETTINGS = ["shared_buffers=32MB"];

const PROBE_FILE = "storage-probe";
const QUIET_MS = 1_000;

/** What `create extension` finds. A directory whose tables use one cannot be opened without it. */
const PGLITE_EXTENSIONS = { vector };

/**
 * The embedded database in `<dataDir>/pglite`, under the directory lock.
 * @throws OvenError DATA_DIR_LOCKED when another process holds the directory
 */
export async function openPglite(dataDir: string): Promise<Database> {
  const lock = await lockDataDir(dataDir);
  try {
    // PGlite does not create parents.
    const path = join(dataDir, "pglite");
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const probe = createStorageProbe(() => writeProbeFile(join(dataDir, PROBE_FILE)), QUIET_MS);
    const pglite = await createPglite({
      fs: new PrivateNodeFS(path),
      extensions: PGLITE_EXTENSIONS,
      startParams: [...PGlite.defaultStartParams, ...SETTINGS.flatMap((setting) => ["-c", setting])],
    });
    return wrapPglite(pglite, { lock, probe });
  } catch (error) {
    lock.release();
    throw error;
  }
}

/**
 * A PGlite. V8 ends the process now and then when it frees compiled code of WebAssembly (nodejs/node#64500: "Check failed:
 * jit_page_->allocations_.erase(addr) == 1"), so it keeps what it has compiled: some megabytes an instance.
 */
export async function createPglite(options: PGliteOptions): Promise<PGlite> {
  setFlagsFromString("--no-wasm-code-gc");
  const pglite = new PreparingPglite(options);
  await pglite.waitReady;
  return pglite;
}

/** Wraps an open PGlite; `lock` is released on close, `probe` writes where its files are. */
export function wrapPglite(
  pglite: PGlite,
  { lock, probe = async () => {} }: { lock?: DataDirLock; probe?: () => Promise<void> } = {},
): Database {
  const orm = toOrm(pglite);
  const batches = new PgliteBatch(pglite);
  let closed = false;
  const plain: PlainDatabase = {
    dialect: "pglite",
    // One process and one user, who owns everything: row-level security would not hold them.
    enableRowLevelSecurity: async () => {},
    orm,
    native: { pglite },
    query: (sql, params) => run(pglite, sql, params),
    queries: async (statements) => {
      const answers: Row[][] = [];
      for (const { sql, params } of statements) answers.push(await run(pglite, sql, params));
      return answers;
    },
    batch: (calls) => batches.run(calls),
    transaction: (work) =>
      pglite.transaction((tx) => {
        const inner: Transaction = { query: (sql, params) => run(tx, sql, params), orm: toOrm(tx) };
        return work(inner);
      }),
    listen: (channel, onNotify) => pglite.listen(channel, onNotify),
    probeStorage: probe,
    isReachable: async () => !pglite.closed,
    close: async () => {
      if (closed) return;
      closed = true;
      await pglite.close();
      lock?.release();
    },
  };
  return joinable(plain, pglite);
}

async function run<R extends Row>(
  client: PGlite | PGliteTransaction,
  sql: string,
  params: readonly unknown[] = [],
): Promise<R[]> {
  const result = await client.query<R>(sql, [...params]);
  return result.rows;
}

function toOrm(client: PGlite | PGliteTransaction): Orm {
  // cast: a PGlite transaction has the query methods drizzle uses; the row kind differs by driver only
  return drizzle({ client: client as PGlite }) as unknown as Orm;
}
