import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "../postgres/start-postgres.ts";
import { startChaosServer } from "./chaos/chaos-server.ts";
import { makeLongRun, measurePast } from "./scale/past-runs.ts";

/*
 * `pnpm scale:past [--steps 20000] [--readers 16] [--embedded]`: how long /api/health takes while readers go through the past of a long
 * run. Prints each value beside its limit, and ends with 1 on a miss.
 */
const LIMIT_MS = 100;
const option = (name: string, otherwise: number): number => {
  const position = process.argv.indexOf(`--${name}`);
  return position === -1 ? otherwise : Number(process.argv[position + 1]);
};
const steps = option("steps", 20_000);
const readers = option("readers", 16);
const postgres = process.argv.includes("--embedded") ? undefined : await startPostgres();
const dataDir = mkdtempSync(join(tmpdir(), "oven-past-"));
let missed = 0;
try {
  const server = await startChaosServer({
    CHAOS_LEDGER_URL: "http://127.0.0.1:9/",
    OVEN_DATA_DIR: dataDir,
    ...(postgres === undefined ? {} : { DATABASE_URL: postgres.url }),
  });
  try {
    const run = await makeLongRun(server, steps);
    for (const what of ["checkpoints", "replay", "nodes", "export", "detail"] as const) {
      const { p50, p99, worst, seconds, samples } = await measurePast(server, run, what, readers);
      const held = p99 <= LIMIT_MS;
      if (!held) missed++;
      process.stdout.write(
        `${held ? "held  " : "MISSED"} /api/health beside ${readers} × ${what} of ${steps} steps: p99 ${p99.toFixed(1)} ms (limit ${LIMIT_MS} ms), median ${p50.toFixed(1)} ms, worst ${worst.toFixed(1)} ms; ${samples} asked in ${seconds.toFixed(1)} s\n`,
      );
    }
  } finally {
    server.signal("SIGKILL");
    await server.exited;
  }
} finally {
  await postgres?.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
process.exitCode = missed === 0 ? 0 : 1;
