import { readdir, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { toMegabytes } from "./show-progress.ts";

/** Where this process writes a backup until it is whole. Each process has its own: two that make the same file at once do not mix their bytes. */
export function partialOf(file: string): string {
  return `${file}.${process.pid}.partial`;
}

/**
 * Removes what backups to this file left whose process was killed. None of them can go on: a backup is read at one instant, which ends with
 * its process.
 * @param write gets each
 */
export async function removeStopped(file: string, write: (text: string) => void): Promise<void> {
  const folder = dirname(file);
  const start = `${basename(file)}.`;
  for (const name of await readdir(folder)) {
    const [, pid] = name.startsWith(start) ? (/^(\d+)\.partial$/.exec(name.slice(start.length)) ?? []) : [];
    if (pid === undefined || (Number(pid) !== process.pid && isAlive(Number(pid)))) continue;
    const path = join(folder, name);
    const { size } = await stat(path);
    await rm(path);
    write(
      `Removed ${path} (${toMegabytes(size)}): that backup was stopped, and its instant is over. This one begins anew.\n`,
    );
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ESRCH") return false;
    // It belongs to another user.
    if (code === "EPERM") return true;
    throw error;
  }
}
