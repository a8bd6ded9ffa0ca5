import { defineConfig } from "vitest/config";
import { longFirst } from "./tooling/vitest/long-first.ts";

/** The built product: its own server process on a port and in a directory of its own, a real browser, real MCP clients. */
export default defineConfig({
  test: {
    globalSetup: ["tooling/vitest/postgres.setup.ts", "apps/dashboard/e2e/chromium.setup.ts"],
    include: ["apps/dashboard/e2e/**/*.test.ts"],
    // As in vitest.config.ts: limits that end what hangs, on a machine ten times busier than usual.
    testTimeout: 600_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    pool: "forks",
    // As in vitest.config.ts. To load what tests start servers with takes two seconds of processor time for each file.
    isolate: false,
    maxWorkers: 2,
    sequence: { sequencer: longFirst(["editor-demos.test.ts"]) },
  },
});
