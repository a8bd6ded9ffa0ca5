import { mkdir } from "node:fs/promises";
import { nextBase, toLine } from "./compare-sides.ts";
import { readFolder, removeItem, writeItem } from "./folder.ts";
import { readLock, writeLock } from "./lock-file.ts";
import type { Sides } from "./read-sides.ts";

export interface PullOptions {
  /** Also removes files of what is gone on the server. */
  prune: boolean;
  /** The server's version wins everywhere. */
  force: boolean;
}

/** Writes what the server has. A file that was changed stays. @returns 1 when both sides of one have changed */
export async function pull(sides: Sides, options: PullOptions, write: (text: string) => void): Promise<number> {
  const { dir, name, files, server, base, compared } = sides;
  let conflicts = 0;
  await mkdir(dir, { recursive: true });
  for (const { path, state, known } of compared) {
    const item = server.items.get(path);
    const isLeft = (state === "file-changed" || state === "conflict") && !options.force;
    if (item !== undefined && !isLeft) {
      if (await writeItem(dir, item)) write(`written  ${path}\n`);
      continue;
    }
    if (state === "conflict") conflicts += 1;
    const isGone = state === "only-in-files" && known && (options.force || files.get(path)?.hash === base.get(path));
    if (isGone && options.prune) {
      await removeItem(dir, path);
      write(`removed  ${path}\n`);
      continue;
    }
    write(toLine(state, path, isGone ? "gone from the server: --prune removes it" : server.notExported.get(path)));
  }
  await writeLock(dir, await readLock(dir), name, nextBase(await readFolder(dir), server.items, base));
  if (conflicts === 0) return 0;
  write(`\n${conflicts} changed on both sides and left as it is: merge by hand, or take the server's with --force.\n`);
  return 1;
}
