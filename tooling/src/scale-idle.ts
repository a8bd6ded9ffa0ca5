import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startPostgres } from "../postgres/start-postgres.ts";
import { IdleProcess, type Usage } from "./scale/idle-process.ts";
import { NextApp } from "./scale/next-app.ts";

/*
 * `pnpm scale:idle [--minutes 10]`: what OVEN uses while nothing happens, and how long it takes to start, beside the sum of what it is
 * made of: an empty Next.js app, and Node with PGlite. The built product is measured: build it first (`pnpm start` does).
 */
const { values } = parseArgs({ options: { minutes: { type: "string", default: "10" } } });
const minutes = Number(values.minutes);
const root = join(import.meta.dirname, "../..");
const OVEN = join(root, "apps/cli/dist/oven.mjs");
const BARE = join(import.meta.dirname, "scale/bare-server.ts");
const STARTS = 5;
/** After which no start is going on any more. */
const SETTLE_MS = 30_000;

if (!existsSync(OVEN)) {
  console.error("scale:idle: build OVEN first, with `pnpm start` or `pnpm turbo run build`");
  process.exit(2);
}
const scratch = mkdtempSync(join(tmpdir(), "oven-idle-"));
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;

type Start = () => Promise<IdleProcess>;

const server: Start = () =>
  IdleProcess.start([OVEN, "start"], { OVEN_DATA_DIR: join(scratch, "server"), PORT: "4991" }, "Ctrl-C stops it.");
const bare: Start = () => IdleProcess.start([BARE, join(scratch, "bare"), "4992"], {}, "ready");
const EMPTY_APP = {
  "app/layout.js": "export default ({ children }) => <html><body>{children}</body></html>;\n",
  "app/page.js": "export default () => <p>Empty</p>;\n",
};
const empty = await NextApp.build(EMPTY_APP);
const next: Start = () => {
  const { args, env } = empty.startCommand(4994);
  return IdleProcess.start(args, env, "Ready in");
};

async function startTimes(start: Start): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < STARTS; at++) {
    const started = await start();
    times.push(started.readyMs);
    await started.stop();
  }
  return times.toSorted((one, other) => one - other);
}

async function idle(name: string, start: Start): Promise<Usage> {
  const running = await start();
  await pause(SETTLE_MS);
  const before = running.usage();
  await pause(minutes * 60_000);
  const after = running.usage();
  await running.stop();
  const seconds = minutes * 60;
  const cores = (after.cpuSeconds - before.cpuSeconds) / seconds;
  const wakeUps = (after.wakeUps - before.wakeUps) / seconds;
  process.stdout.write(
    `${name}: ${megabytes(after.rssBytes)} in ${after.processes} processes, ${(cores * 100).toFixed(2)} % of a core, ${wakeUps.toFixed(1)} wake-ups a second\n`,
  );
  return after;
}

// The first start makes the database.
await (await server()).stop();
await (await bare()).stop();
const times = { server: await startTimes(server), next: await startTimes(next), bare: await startTimes(bare) };
for (const [name, its] of Object.entries(times))
  process.stdout.write(`${name}: ready after ${its.map((ms) => ms.toFixed(0)).join(", ")} ms\n`);
const median = (its: readonly number[]) => its[Math.floor(STARTS / 2)] ?? Number.NaN;
const besides = median(times.server) / (median(times.next) + median(times.bare));
process.stdout.write(`start of the server beside Next.js and PGlite, medians: ${besides.toFixed(2)}\n`);
const used = { server: await idle("server", server), next: await idle("next", next), bare: await idle("bare", bare) };
const share = used.server.rssBytes / (used.next.rssBytes + used.bare.rssBytes);
process.stdout.write(`memory of the server beside Next.js and PGlite: ${share.toFixed(2)}\n`);
empty.remove();

const postgres = await startPostgres();
const shared = { DATABASE_URL: postgres.url, OVEN_SECRET: "s".repeat(40), OVEN_DATA_DIR: join(scratch, "postgres") };
const onPostgres: Start = () =>
  IdleProcess.start([OVEN, "start"], { ...shared, PORT: "4993", OVEN_WORKER: "0" }, "Ctrl-C stops it.");
await (await onPostgres()).stop();
await idle("worker on PostgreSQL", () => IdleProcess.start([OVEN, "worker"], shared, "is ready"));
await idle("server on PostgreSQL", onPostgres);
await postgres.stop();
rmSync(scratch, { recursive: true });
