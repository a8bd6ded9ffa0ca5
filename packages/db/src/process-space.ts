import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/**
 * Where pids of this process mean something: one boot of one kernel, and the pid namespace (a container has its own). The
 * machine's name where there is no procfs.
 */
export function currentProcessSpace(): string {
  const boot = readIfThere(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim());
  const namespace = readIfThere(() => readlinkSync("/proc/self/ns/pid"));
  return boot === undefined || namespace === undefined ? `host ${hostname()}` : `${boot} ${namespace}`;
}

function readIfThere(read: () => string): string | undefined {
  try {
    return read();
  } catch (error) {
    // Not every system has procfs, and a sandbox may hide it.
    if (error instanceof Error && "code" in error && ["ENOENT", "EACCES", "EPERM"].includes(String(error.code)))
      return undefined;
    throw error;
  }
}
