import { parseArgs } from "node:util";
import type { OvenCommand } from "./oven-command.ts";
import { withSmallHeap } from "./small-start.ts";

/** A process that only works on runs, beside a server on the same PostgreSQL, until a signal ends it. */
export const workerCommand: OvenCommand = {
  name: "worker",
  usage: "worker   (works on runs only, beside a server on the same PostgreSQL)",
  async run(args) {
    parseArgs({ args, options: {} });
    Object.assign(process.env, { NODE_ENV: "production" });
    // What is loaded for it counts, too.
    await withSmallHeap(async () => {
      const { main } = await import("@oven/worker");
      await main();
    });
    return 0;
  },
};
