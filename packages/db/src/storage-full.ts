import { open, rm } from "node:fs/promises";
import { isOvenError, OvenError } from "@oven/contract";

/** More than what a file system has left over in a block of a file that is there already. */
const PROBE_BYTES = 262_144;

/** Whether a write failed because the disk of the database is full: SQLSTATE 53100, or the system's ENOSPC. Looks through causes. */
export function isStorageFull(error: unknown): boolean {
  for (let current = error, depth = 0; current instanceof Error && depth < 5; current = current.cause, depth++) {
    if (isOvenError(current) && current.code === "STORAGE_FULL") return true;
    const code = "code" in current ? String(current.code) : "";
    if (code === "53100" || code === "ENOSPC") return true;
  }
  return false;
}

/**
 * The error of a write for which the disk has no room.
 * @returns OvenError STORAGE_FULL 503, retryable
 */
export function storageFull(cause: unknown): OvenError {
  return new OvenError("STORAGE_FULL", "The disk of the database is full; nothing can be written", {
    status: 503,
    fix: "Make room on the disk of the database; then try again.",
    retryable: true,
    retryAfterMs: 10_000,
    cause,
  });
}

/** Asks at most once within `quietMs` whether something can be written, while it can. @throws OvenError STORAGE_FULL */
export function createStorageProbe(write: () => Promise<void>, quietMs: number, now = Date.now): () => Promise<void> {
  let writtenAt = Number.NEGATIVE_INFINITY;
  let writing: Promise<void> | undefined;
  const probe = async (): Promise<void> => {
    try {
      await write();
      writtenAt = now();
    } catch (error) {
      throw isStorageFull(error) ? storageFull(error) : error;
    }
  };
  return async () => {
    if (now() - writtenAt < quietMs) return;
    writing ??= probe().finally(() => {
      writing = undefined;
    });
    await writing;
  };
}

/** Writes a file where the embedded database has its own, and removes it. */
export async function writeProbeFile(path: string): Promise<void> {
  const file = await open(path, "w", 0o600);
  try {
    await file.writeFile(Buffer.alloc(PROBE_BYTES, 1));
    await file.datasync();
  } finally {
    await file.close();
    await rm(path, { force: true });
  }
}

/** A table of the connection's own takes room on the server's disk until the transaction ends. */
export const PROBE_STATEMENT = `create temporary table oven_storage_probe on commit drop as
  select repeat(md5(n::text), 64) as filler from generate_series(1, ${PROBE_BYTES / 2_048}) n`;
