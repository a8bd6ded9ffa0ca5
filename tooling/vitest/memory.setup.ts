import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";

const MEMORY = "/dev/shm";
const PREFIX = "oven-tests-";
/** A run needs some hundred MB. */
const ENOUGH_BYTES = 4 * 2 ** 30;

/**
 * Databases and other files of the tests are in memory where the system has room for files there: a database is a thousand files,
 * which some hundred tests make and remove. The directory goes when the run ends.
 */
export default function setup(): () => void {
  const compiled = join(import.meta.dirname, "../../node_modules/.cache/oven-tests/compiled");
  // What the started processes load is compiled once, not by each of them.
  process.env.NODE_COMPILE_CACHE ??= compiled;
  if (!existsSync(MEMORY)) return () => {};
  removeLeftOver();
  const { bavail, bsize } = statfsSync(MEMORY);
  if (bavail * bsize < ENOUGH_BYTES) return () => {};
  const directory = join(MEMORY, `${PREFIX}${process.pid}`);
  mkdirSync(directory);
  // Run as root, PostgreSQL gets a user of its own, who must be able to enter.
  chmodSync(directory, 0o755);
  process.env.TMPDIR = directory;
  return () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
}

/** Of runs that were killed. */
function removeLeftOver(): void {
  for (const name of readdirSync(MEMORY)) {
    if (!name.startsWith(PREFIX) || existsSync(`/proc/${name.slice(PREFIX.length)}`)) continue;
    rmSync(join(MEMORY, name), { recursive: true, force: true });
  }
}
