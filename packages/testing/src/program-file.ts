import { join, relative } from "node:path";

const root = join(import.meta.dirname, "../../..");

/**
 * What Node is started with to run a program of this repository in a process of its own. In a test run it is bundled, as the product
 * is (once for all processes, which then load a few files instead of two thousand); otherwise it is the source itself.
 * @param source the program's file; one of `PROGRAMS` in `tooling/vitest/bundled-programs.ts`
 */
export function programFile(source: string): string {
  const folder = process.env.OVEN_TEST_PROGRAMS;
  return folder === undefined ? source : join(folder, `${programName(relative(root, source))}.mjs`);
}

/** @param path of the source within the repository */
export function programName(path: string): string {
  return path.replace(/\.ts$/, "").replaceAll("/", "-");
}
