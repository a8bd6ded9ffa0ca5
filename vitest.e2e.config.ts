import { defineConfig } from "vitest/config";

/** The built product: its own server process on a port and in a directory of its own, a real browser, real MCP clients. */
export default defineConfig({
  test: {
    globalSetup: ["tooling/vitest/postgres.setup.ts"],
    include: ["apps/dashboard/e2e/**/*.test.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    pool: "forks",
    maxWorkers: 2,
  },
});
