import { defineConfig } from "vitest/config";

/** The built product: its own server process, a real browser, real MCP clients. One after the other: two cores. */
export default defineConfig({
  test: {
    globalSetup: ["tooling/vitest/postgres.setup.ts"],
    include: ["apps/dashboard/e2e/**/*.test.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: "forks",
    fileParallelism: false,
  },
});
