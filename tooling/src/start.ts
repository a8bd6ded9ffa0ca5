import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { join } from "node:path";

/*
 * `pnpm start` builds what changed and runs the server in this process; `pnpm dev` runs it without a build, with hot
 * reload. Installing happened before: pnpm does it when the lockfile and node_modules differ.
 */
const root = join(import.meta.dirname, "../..");
const dev = process.argv.includes("--dev");
const startedAt = Date.now();

if (!dev) {
  const build = spawnSync("turbo", ["run", "build", "--output-logs=errors-only"], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1", NODE_ENV: "production" },
  });
  if (build.status !== 0 || !existsSync(join(root, "apps/dashboard/dist/index.html"))) {
    process.stderr.write(build.stdout);
    console.error("oven: the build failed; see above.");
    process.exit(1);
  }
}
// Set before libraries are loaded: some choose their code by it.
Object.assign(process.env, { NODE_ENV: dev ? "development" : "production" });
// From the second start on, nothing is compiled.
enableCompileCache();
const { main } = await import("../../apps/dashboard/server/index.ts");
await main({ dev, startedAt });
