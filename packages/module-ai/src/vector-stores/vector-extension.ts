import type { Database } from "@oven/db";

/** Iterative index scans, which a filtered search needs, are in pgvector from this release on. */
const MINIMUM = [0, 8] as const;

/**
 * Whether vectors are compared by the vector extension. It is created where the server has it and lets us; elsewhere the
 * same searches are done by scanning, with the same answers.
 */
export async function openVectorExtension(db: Database): Promise<boolean> {
  if (!(await isAvailable(db))) return false;
  if (!(await isInstalled(db))) {
    try {
      await db.query("create extension if not exists vector");
    } catch (error) {
      // Another process may have been faster, or the login may not create extensions.
      if (!(await isInstalled(db))) {
        console.warn(`the vector extension could not be created, searches scan instead: ${String(error)}`);
        return false;
      }
    }
  }
  return isRecent(db);
}

async function isAvailable(db: Database): Promise<boolean> {
  return (await db.query("select 1 from pg_available_extensions where name = 'vector'")).length > 0;
}

async function isInstalled(db: Database): Promise<boolean> {
  return (await db.query("select 1 from pg_extension where extname = 'vector'")).length > 0;
}

async function isRecent(db: Database): Promise<boolean> {
  const [row] = await db.query<{ extversion: string }>("select extversion from pg_extension where extname = 'vector'");
  const [major = 0, minor = 0] = (row?.extversion ?? "0").split(".").map(Number);
  return major > MINIMUM[0] || (major === MINIMUM[0] && minor >= MINIMUM[1]);
}
