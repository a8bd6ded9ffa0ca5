import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { TestProject } from "vitest/node";
import { bundledPrograms } from "./bundled-programs.ts";

const IMPORTED = /from "(\.[^"]+\.ts)"/g;

/** Bundles the programs when one of the run's files starts one. */
export default async function setup(project: TestProject): Promise<void> {
  if (startsPrograms(project)) process.env.OVEN_TEST_PROGRAMS = await bundledPrograms();
}

/** Whether a file of the run, or what it imports by its place, asks for a program's file. While it watches, a later run has other files. */
function startsPrograms({ vitest }: TestProject): boolean {
  if (vitest.config.watch) return true;
  const seen = new Set(vitest.state.getPaths());
  // What is added while it goes through them comes later.
  for (const path of seen) {
    const text = readFileSync(path, "utf8");
    if (text.includes("programFile(") && !path.endsWith("program-file.ts")) return true;
    for (const [, place = ""] of text.matchAll(IMPORTED)) {
      const imported = resolve(dirname(path), place);
      if (existsSync(imported)) seen.add(imported);
    }
  }
  return false;
}
