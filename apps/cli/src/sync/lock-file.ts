import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { readText, toJson, toText } from "./folder.ts";

const LOCK_FILE = "oven.lock.json";

/** What files and servers had when they were last in step: hashes by path, by the address of the server. */
const LockSchema = z.strictObject({
  format: z.literal("oven-lock"),
  version: z.literal(1),
  servers: z.record(z.string(), z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/))),
});
export type Lock = z.infer<typeof LockSchema>;

/** Hashes by path. */
export type Base = ReadonlyMap<string, string>;

/** @throws Error when it is there and not a lock file */
export async function readLock(dir: string): Promise<Lock> {
  const text = await readText(join(dir, LOCK_FILE));
  if (text === undefined) return { format: "oven-lock", version: 1, servers: {} };
  const { success, data } = LockSchema.safeParse(toJson(text, LOCK_FILE));
  if (!success)
    throw new Error(
      `${LOCK_FILE} is not a lock file. A conflict of versions is solved by taking either side: what differs then counts as a conflict.`,
    );
  return data;
}

export function baseOf({ servers }: Lock, server: string): Base {
  return new Map(Object.entries(Object.hasOwn(servers, server) ? (servers[server] ?? {}) : {}));
}

export async function writeLock(dir: string, lock: Lock, server: string, base: Base): Promise<void> {
  const servers = { ...lock.servers, [server]: Object.fromEntries(sorted([...base])) };
  const text = toText({ ...lock, servers: Object.fromEntries(sorted(Object.entries(servers))) });
  if ((await readText(join(dir, LOCK_FILE))) !== text) await writeFile(join(dir, LOCK_FILE), text);
}

function sorted<T>(entries: readonly (readonly [string, T])[]) {
  return entries.toSorted(([one], [other]) => (one < other ? -1 : Number(one > other)));
}
