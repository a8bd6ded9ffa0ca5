import { spawnSync } from "node:child_process";
import { join } from "node:path";

/* `pnpm test:pg --url postgres://…`: the database suites on a server of your choice. It makes and drops its own databases. */
const root = join(import.meta.dirname, "../..");
const position = process.argv.indexOf("--url");
const url = position === -1 ? undefined : process.argv[position + 1];
if (url === undefined || !URL.canParse(url)) {
  console.error("Usage: pnpm test:pg --url postgres://user:password@host:port/postgres");
  process.exit(2);
}
const { status } = spawnSync("vitest", ["run", "-t", "on PostgreSQL"], {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, OVEN_TEST_POSTGRES_URL: url },
});
process.exitCode = status ?? 1;
