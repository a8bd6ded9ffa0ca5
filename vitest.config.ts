import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    globalSetup: ["tooling/vitest/memory.setup.ts", "tooling/vitest/postgres.setup.ts"],
    setupFiles: ["tooling/vitest/properties.setup.ts"],
    include: [
      "packages/*/src/**/*.test.ts",
      "apps/*/src/**/*.test.ts",
      "apps/*/server/**/*.test.ts",
      "tooling/src/**/*.test.ts",
    ],
    // Long enough for a machine that is busy with other things: it ends what hangs, and says nothing about speed.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    pool: "forks",
    // Modules hold no state of their own: files of one process share them, which saves loading them some hundred times.
    isolate: false,
    // One more than the two cores that tests count on: many of them wait, for leases, timers and other processes.
    maxWorkers: 3,
  },
});
