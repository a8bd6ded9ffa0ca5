import { existsSync, lstatSync, readdirSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { join } from "node:path";
import type { Database } from "@oven/db";
import { type Finding, ofInstallation } from "./finding.ts";

const GIGABYTE = 1_000_000_000;
/** An upgrade and a backup both write; less is a risk for any database. */
const LEAST_FREE = GIGABYTE;
const OTHERS = 0o077;
const MOST_APART_MS = 2_000;

/** The disk below the embedded database, and who may read the data directory. */
export async function findPlace(dataDir: string): Promise<Finding[]> {
  if (!existsSync(dataDir)) return [];
  const findings: Finding[] = [];
  const { bavail, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  const size = existsSync(join(dataDir, "pglite")) ? sizeOf(join(dataDir, "pglite")) : 0;
  const needed = Math.max(LEAST_FREE, size);
  if (free < needed)
    findings.push(
      ofInstallation(
        "disk",
        dataDir,
        `${toGigabytes(free)} are free, and a backup beside the running server needs ${toGigabytes(needed)}`,
        "Make room, or move the directory to a larger disk.",
      ),
    );
  const open = [dataDir, ...["secret", "pglite"].map((name) => join(dataDir, name))].filter(isOpen);
  // The folder of a data directory may be one for other things, too.
  if (open.some((path) => path !== dataDir))
    findings.push(
      ofInstallation(
        "file mode",
        dataDir,
        `other users of this machine may read ${open.join(", ")}`,
        `Take their rights away: chmod -R go= ${dataDir}. The server does it at its start, where it may.`,
      ),
    );
  return findings;
}

/** Whether the database's clock and this one's are apart: timers go by the first, tokens by the second. */
export async function findClock(db: Database, now: () => number = Date.now): Promise<Finding[]> {
  const before = now();
  const [row] = await db.query<{ at: number }>("select (extract(epoch from clock_timestamp()) * 1000)::float8 as at");
  const apart = (row?.at ?? 0) - (before + now()) / 2;
  if (Math.abs(apart) <= MOST_APART_MS) return [];
  return [
    ofInstallation(
      "clock",
      "PostgreSQL",
      `its clock is ${(Math.abs(apart) / 1_000).toFixed(1)} s ${apart > 0 ? "ahead of" : "behind"} this machine's`,
      "Let both follow a time server.",
    ),
  ];
}

/** Whether a pooler stands where a session of its own is needed: the process that greets is not the one that answers. */
export async function findPooler({ native }: Database): Promise<Finding[]> {
  if (!("connectionString" in native)) return [];
  const client = new native.Client({ connectionString: native.connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
    // cast: node-postgres has the number that the server sent when the connection was made, and its types leave it out
    const { processID } = client as unknown as { processID: number | null };
    if (processID === null || processID === rows[0]?.pid) return [];
  } finally {
    await client.end();
  }
  return [
    ofInstallation(
      "pooler",
      "DATABASE_URL",
      "a pooler stands between, and LISTEN, prepared statements and the queue need sessions of their own: wake-ups are lost where it pools by transaction",
      "Set DATABASE_URL_DIRECT to the database's own address.",
    ),
  ];
}

function isOpen(path: string): boolean {
  return existsSync(path) && (lstatSync(path).mode & OTHERS) !== 0;
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + lstatSync(join(parentPath, name)).size, 0);
}

function toGigabytes(bytes: number): string {
  return `${(bytes / GIGABYTE).toFixed(1)} GB`;
}
