import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { programFile } from "./program-file.ts";

it("is bundled in a test run, for the worker and for each program of the chaos harness", () => {
  const root = join(import.meta.dirname, "../../..");
  const chaos = ["backup", "chaos", "claim"].map((name) => `tooling/src/chaos/${name}-process.ts`);
  for (const source of ["apps/worker/src/main.ts", ...chaos]) {
    const file = programFile(join(root, source));
    expect(file).toMatch(/programs-[0-9a-f]{16}\/[\w-]+\.mjs$/);
    expect(existsSync(file), file).toBe(true);
  }
});
