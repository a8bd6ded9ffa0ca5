import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/*
 * `pnpm start` builds what changed and runs the server in this process, `pnpm worker` a worker; `pnpm dev` runs the server from its
 * source, without a build and with hot reload. Installing happened before: pnpm does it when the lockfile and node_modules differ.
 */
const root = join(import.meta.dirname, "../..");
const dev = process.argv.includes("--dev");
const startedAt = Date.now();
const command = process.argv.includes("--worker") ? "worker" : "start";
const built = join(root, "apps/cli/dist/oven.mjs");

if (dev) {
  // Set before libraries are loaded: some choose their code by it.
  Object.assign(process.env, { NODE_ENV: "development" });
  enableCompileCache();
  const { main } = await import("../../apps/dashboard/server/index.ts");
  await main({ dev, startedAt });
} else {
  const build = spawnSync("turbo", ["run", "build", "--output-logs=errors-only"], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1", NODE_ENV: "production" },
  });
  if (build.status !== 0 || !existsSync(built)) {
    process.stderr.write(build.stdout);
    console.error("oven: the build failed; see above.");
    process.exit(1);
  }
  process.argv.splice(1, process.argv.length - 1, built, command);
  await import(pathToFileURL(built).href);
}
