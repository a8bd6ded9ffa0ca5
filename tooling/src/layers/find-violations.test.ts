import { describe, expect, it } from "vitest";
import { findViolations } from "./find-violations.ts";

describe("the layer check", () => {
  it.each([
    ["packages/engine/src/a.ts", 'import { x } from "@oven/db";', "engine may not import @oven/db"],
    ["packages/contract/src/a.ts", 'import type { x } from "@oven/engine";', "contract may not import"],
    ["packages/module-ai/src/a.ts", 'export { x } from "@oven/module-roles";', "module-ai may not import"],
    ["packages/engine/src/a.ts", 'import "../../db/src/index.ts";', "leaves its package"],
    ["packages/engine/src/a.ts", 'await import("@oven/module-workflows")', "may not import"],
    ["apps/dashboard/src/a.tsx", 'import { x } from "@oven/module-workflows";', "browser code may not import"],
    ["packages/module-ai/src/a.ts", 'import { spawn } from "node:child_process";', "nothing may import"],
    ["apps/dashboard/server/a.ts", 'await import("child_process")', "nothing may import"],
    ["packages/engine/src/a.ts", 'import vm from "node:vm";', "nothing may import"],
    ["packages/module-ai/src/a.ts", 'import { eq } from "drizzle-orm";', "import @oven/db/drizzle"],
    ["packages/unknown/src/a.ts", 'import { x } from "@oven/engine";', "no rule"],
  ])("refuses in %s: %s", (path, source, message) => {
    expect(findViolations(path, source).join()).toContain(message);
  });

  it.each([
    [
      "packages/engine/src/a.ts",
      'import { x } from "@oven/contract"; import { y } from "./b.ts"; import z from "xstate";',
    ],
    ["packages/engine/src/run/a.test.ts", 'import { x } from "@oven/testing"; import { y } from "../plan/b.ts";'],
    ["apps/dashboard/server/a.ts", 'import { x } from "@oven/module-workflows";'],
    ["apps/dashboard/e2e/a.ts", 'import { spawn } from "node:child_process";'],
  ])("allows in %s: %s", (path, source) => {
    expect(findViolations(path, source)).toEqual([]);
  });
});
