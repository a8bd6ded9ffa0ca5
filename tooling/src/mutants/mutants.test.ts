import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ENGINE_MUTANTS } from "./engine-mutants.ts";
import { PLATFORM_MUTANTS } from "./platform-mutants.ts";
import { WORST_CASE_MUTANTS } from "./worst-case-mutants.ts";

const ROOT = join(import.meta.dirname, "../../..");

it("finds the place of each deliberate mistake, and only that", () => {
  const elsewhere = [...ENGINE_MUTANTS, ...WORST_CASE_MUTANTS, ...PLATFORM_MUTANTS].flatMap(
    ({ name, file, search }) => {
      const found = readFileSync(join(ROOT, file), "utf8").split(search).length - 1;
      return found === 1 ? [] : [`${name}: ${found} times in ${file}`];
    },
  );
  expect(elsewhere).toEqual([]);
});
