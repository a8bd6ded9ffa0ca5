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
    ["packages/sandbox/src/pool/process-pool.ts", 'import { fork } from "node:child_process";', "nothing may import"],
    ["packages/sandbox/src/pool/code-process.ts", 'import vm from "node:vm";', "nothing may import"],
    ["apps/dashboard/server/a.ts", 'await import("child_process")', "nothing may import"],
    ["packages/engine/src/a.ts", 'import vm from "node:vm";', "nothing may import"],
    ["packages/module-ai/src/a.ts", 'import { eq } from "drizzle-orm";', "import @oven/db/drizzle"],
    ["packages/module-ai/src/ui/a.tsx", 'import { x } from "@oven/db";', "the pages of module-ai may not import"],
    ["packages/module-ai/src/ui/a.tsx", 'import { x } from "@oven/module-chat/ui";', "may not import"],
    ["packages/module-ai/src/ui/a.tsx", 'import { x } from "../service.ts";', "is of the server"],
    ["packages/module-ai/src/a.ts", 'import { x } from "./ui/index.tsx";', "is of the pages"],
    ["packages/module-ai/src/a.ts", 'import { x } from "@oven/ui/theme/tokens.ts";', "module-ai may not import"],
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
    ["apps/dashboard/src/a.tsx", 'import { x } from "@oven/module-ai/ui/ai/model-notice.tsx";'],
    ["packages/module-ai/src/ui/ai/a.tsx", 'import { x } from "../../menu.ts"; import { y } from "@oven/ui/b.ts";'],
    ["packages/module-workflow-agents/src/ui/a.tsx", 'import { x } from "@oven/module-workflows/ui/b.tsx";'],
    ["apps/dashboard/e2e/a.ts", 'import { spawn } from "node:child_process";'],
    ["packages/sandbox/src/pool/code-process.ts", 'import { fork } from "node:child_process";'],
  ])("allows in %s: %s", (path, source) => {
    expect(findViolations(path, source)).toEqual([]);
  });
});
