import { createHash, randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Database } from "./database.ts";
import { createPglite, wrapPglite } from "./pglite-database.ts";
import { readTar, type TarEntry } from "./read-tar.ts";
import { DATA_ROOT, EXTENSION_ROOT, type Placement, SnapshotFiles } from "./snapshot-files.ts";

/**
 * How an empty database is made, for one user and few rows. PostgreSQL's own sizes are cleared (shared memory) or copied (the
 * newest piece of its log, MB) at each start of each database, which is most of what a start costs.
 */
const INITDB = [
  "--wal-segsize=1",
  ...["shared_buffers=1MB", "max_connections=20", "max_wal_senders=0", "autovacuum_worker_slots=1"].flatMap(
    (setting) => ["--set", setting],
  ),
];
/** The name says what is inside: one of another content has another name. */
const EMPTY = join(
  import.meta.dirname,
  "../../../node_modules/.cache/oven-tests",
  `empty-0.5.14-${createHash("sha256").update(INITDB.join(" ")).digest("hex").slice(0, 12)}.tar`,
);

/** Read once for each process, not for each of its databases. */
const archives = new Map<string, TarEntry[]>();

export interface SnapshotOptions {
  /** A file of `writeSnapshot`; without it, a database without tables. */
  file?: string | undefined;
  /** What `create extension` finds is there. */
  extensions: boolean;
}

/** An embedded database in memory that begins as a snapshot. */
export async function openSnapshot({ file, extensions }: SnapshotOptions): Promise<Database> {
  if (file === undefined && !existsSync(EMPTY)) await writeEmpty();
  const placements = [{ root: DATA_ROOT, entries: entriesOf(file ?? EMPTY) }, ...(extensions ? [vectorFiles()] : [])];
  return wrapPglite(await createPglite({ fs: new SnapshotFiles(placements) }));
}

/** Writes the files of a snapshot to `<dataDir>/pglite`, where `openPglite` finds them: initdb takes two seconds, this a tenth. */
export function placeSnapshot(file: string, dataDir: string): void {
  const root = join(dataDir, "pglite");
  for (const { name, content } of entriesOf(file)) {
    const path = join(root, name);
    mkdirSync(content === undefined ? path : dirname(path), { recursive: true, mode: 0o700 });
    if (content !== undefined) writeFileSync(path, content, { mode: 0o600 });
  }
}

/** Fills an empty database, ends it and writes its files to `file`. */
export async function writeSnapshot(file: string, fill: (db: Database) => Promise<void>): Promise<void> {
  if (!existsSync(EMPTY)) await writeEmpty();
  const placements = [{ root: DATA_ROOT, entries: entriesOf(EMPTY) }, vectorFiles()];
  const db = wrapPglite(await createPglite({ fs: new SnapshotFiles(placements, (archive) => write(archive, file)) }));
  try {
    await fill(db);
  } finally {
    await db.close();
  }
}

async function writeEmpty(): Promise<void> {
  mkdirSync(dirname(EMPTY), { recursive: true });
  const fs = new SnapshotFiles([], (archive) => write(archive, EMPTY));
  const fresh = await createPglite({ fs, initDbStartParams: INITDB });
  await fresh.close();
}

/** Written beside and renamed: another test process may be reading. */
async function write(archive: Blob, file: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, Buffer.from(await archive.arrayBuffer()));
  renameSync(draft, file);
}

function entriesOf(file: string): TarEntry[] {
  const entries = archives.get(file) ?? readTar(readFileSync(file));
  archives.set(file, entries);
  return entries;
}

/** As PGlite's own loading of an extension, but compiled only when a statement first needs it. */
function vectorFiles(): Placement {
  const name = "@electric-sql/pglite-pgvector";
  const entries = archives.get(name) ?? readTar(gunzipSync(readFileSync(vectorArchive(name))));
  archives.set(name, entries);
  return { root: EXTENSION_ROOT, entries };
}

const vectorArchive = (name: string) => join(dirname(createRequire(import.meta.url).resolve(name)), "vector.tar.gz");
