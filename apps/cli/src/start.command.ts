import { parseArgs } from "node:util";
import type { OvenCommand } from "./oven-command.ts";

/** The server: dashboard, API and the embedded worker, until a signal ends it. */
export const startCommand: OvenCommand = {
  name: "start",
  usage: "start   (the server with its dashboard; its settings are environment variables)",
  async run(args) {
    parseArgs({ args, options: {} });
    // Set before libraries are loaded: some choose their code by it.
    Object.assign(process.env, { NODE_ENV: "production" });
    const { main } = await import("@oven/dashboard");
    await main({ dev: false, startedAt: performance.timeOrigin });
    return 0;
  },
};
