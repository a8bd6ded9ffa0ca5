import { defineConfig } from "vitest/config";
import { longFirst } from "./tooling/vitest/long-first.ts";

/** Each takes more than half a minute on a quiet machine. */
const LONG = [
  "chaos.proof.test.ts",
  "restores.proof.test.ts",
  "workers.test.ts",
  "release.proof.test.ts",
  "authority.proof.test.ts",
  "simulation.proof.test.ts",
  "paused-runs.proof.test.ts",
  "burst.test.ts",
];

export default defineConfig({
  test: {
    globalSetup: [
      "tooling/vitest/memory.setup.ts",
      "tooling/vitest/programs.setup.ts",
      "tooling/vitest/postgres.setup.ts",
    ],
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
    sequence: { sequencer: longFirst(LONG) },
  },
});
