import { constants, mkdirSync } from "node:fs";
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { PGlite, type PGliteOptions, type Transaction as PGliteTransaction } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { drizzle } from "drizzle-orm/pglite";
import { asReader } from "./as-reader.ts";
import { type DataDirLock, lockDataDir } from "./data-dir-lock.ts";
import type { Database, Orm, Queryable, Row } from "./database.ts";
import { joinable, type PlainDatabase } from "./joint-transaction.ts";
import { requireNotMoved } from "./moved-marker.ts";
import { PgliteBatch } from "./pglite-batch.ts";
import { PreparingPglite } from "./preparing-pglite.ts";
import { PrivateNodeFS } from "./private-node-fs.ts";
import { removeSnapshots, snapshotFolder } from "./snapshot-folder.ts";
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
 * @throws OvenError DATA_DIR_LOCKED when another process holds the directory; DATA_DIR_MOVED
 */
export async function openPglite(dataDir: string): Promise<Database> {
  const lock = await lockDataDir(dataDir);
  try {
    requireNotMoved(dataDir);
    removeSnapshots(dataDir);
    const path = join(dataDir, "pglite");
    const probe = createStorageProbe(() => writeProbeFile(join(dataDir, PROBE_FILE)), QUIET_MS);
    const readSnapshot = <T>(work: (tx: Queryable) => Promise<T>) => readCopy(pglite, { dataDir, path }, work);
    const pglite = await openFiles(path);
    return wrapPglite(pglite, { lock, probe, readSnapshot });
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** The embedded database whose files are in this folder, without a lock. */
export function openFiles(path: string): Promise<PGlite> {
  // PGlite does not create parents.
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return createPglite({
    fs: new PrivateNodeFS(path),
    extensions: PGLITE_EXTENSIONS,
    startParams: [...PGlite.defaultStartParams, ...SETTINGS.flatMap((setting) => ["-c", setting])],
  });
}

/**
 * Reads a copy of the files. The one connection would keep everybody waiting for as long as the reading takes; the files are copied in a
 * moment. A copy between two statements is what a killed process leaves: PostgreSQL recovers it when it is opened.
 */
async function readCopy<T>(
  pglite: PGlite,
  { dataDir, path }: { dataDir: string; path: string },
  work: (tx: Queryable) => Promise<T>,
): Promise<T> {
  const copy = snapshotFolder(dataDir);
  try {
    // What is in the log only need not be recovered.
    await pglite.query("checkpoint");
    await pglite._runExclusiveTransaction(() =>
      pglite._runExclusiveQuery(() => cp(path, copy, { recursive: true, mode: constants.COPYFILE_FICLONE })),
    );
    const database = wrapPglite(await openFiles(copy));
    try {
      return await database.readSnapshot(work);
    } finally {
      await database.close();
    }
  } finally {
    await rm(copy, { recursive: true, force: true });
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

interface WrapOptions {
  lock?: DataDirLock;
  probe?: () => Promise<void>;
  /** Absent: no one else gets in while everything is read. */
  readSnapshot?: Database["readSnapshot"];
}

/** Wraps an open PGlite; `lock` is released on close, `probe` writes where its files are. */
export function wrapPglite(pglite: PGlite, { lock, probe = async () => {}, readSnapshot }: WrapOptions = {}): Database {
  const orm = toOrm(pglite);
  const transaction: Database["transaction"] = (work) =>
    pglite.transaction((tx) => work({ query: (sql, params) => run(tx, sql, params), orm: toOrm(tx) }));
  const writes = pglite instanceof PreparingPglite ? pglite.writes : undefined;
  const batches = new PgliteBatch(pglite, () => writes?.note());
  let closed = false;
  const plain: PlainDatabase = {
    dialect: "pglite",
    ...(writes === undefined ? {} : { writes }),
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
    transaction,
    readSnapshot: readSnapshot ?? ((work) => transaction(asReader(work))),
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
