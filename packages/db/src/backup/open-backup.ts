import type { Readable, Writable } from "node:stream";
import { createGzip } from "node:zlib";
import type { BackupTotal } from "@oven/contract/system";
import type { Database } from "../database.ts";
import { type BackupContent, writeBackup } from "./write-backup.ts";

/**
 * A backup as a stream of bytes, as it is stored. It is not made faster than it is read; when the stream is destroyed, it ends.
 * @returns `done` settles when the database is no longer read; it rejects when the stream was not whole
 */
export function openBackup(db: Database, content: BackupContent): { stream: Readable; done: Promise<BackupTotal> } {
  const stream = createGzip();
  const make = async (): Promise<BackupTotal> => {
    try {
      const total = await writeBackup(db, content, (text) => send(stream, text));
      stream.end();
      return total;
    } catch (error) {
      stream.destroy(error instanceof Error ? error : new Error(String(error)));
      throw error;
    }
  };
  return { stream, done: make() };
}

/** Resolves when the stream takes more. */
function send(stream: Writable, text: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onClose = () => reject(stream.errored ?? new Error("the reader of the backup is gone"));
  if (stream.destroyed) onClose();
  else if (stream.write(text)) resolve();
  else {
    const onDrain = () => {
      stream.off("close", onClose);
      resolve();
    };
    stream.once("drain", onDrain).once("close", onClose);
  }
  return promise;
}
