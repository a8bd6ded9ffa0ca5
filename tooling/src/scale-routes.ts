import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@oven/db/testing";
import { startPostgres } from "../postgres/start-postgres.ts";
import { CHAOS_KEY, startChaosServer } from "./chaos/chaos-server.ts";
import { startNextRoute } from "./scale/next-route.ts";
import { measureRate } from "./scale/request-rate.ts";

/*
 * `pnpm scale:routes [--seconds 8]`: requests a second of a small authenticated GET, beside a catch-all route handler of Next.js that
 * reads the same row of the same database. Prints the ratios beside their limits, and ends with 1 on a miss.
 */
const position = process.argv.indexOf("--seconds");
const milliseconds = 1_000 * (position === -1 ? 8 : Number(process.argv[position + 1]));
const WORKFLOW = {
  name: "Small",
  definition: { initial: "done", states: { done: { type: "final" } } },
};
const postgres = await startPostgres();
const dataDir = mkdtempSync(join(tmpdir(), "oven-routes-"));
const environment = { CHAOS_LEDGER_URL: "http://127.0.0.1:9/", OVEN_DATA_DIR: dataDir, DATABASE_URL: postgres.url };
let missed = 0;
try {
  const ours = await startChaosServer(environment);
  await ours.call("POST", "agent-workflows", WORKFLOW);
  // Requests are limited per caller and per tenant; here as many as come are meant to be made.
  for (const key of ["CALLER_REQUESTS_PER_MINUTE", "TENANT_REQUESTS_PER_MINUTE"]) {
    const { status } = await ours.call("POST", "module-configs", {
      moduleName: "module-roles",
      key,
      value: 10_000_000,
    });
    if (status >= 300) throw new Error(`${key} was not set: ${status}`);
  }
  const next = await startNextRoute(postgres.url, await freePort());
  try {
    const pairs = [
      { what: "with one select", path: "/api/agent-workflows/small", theirs: "/api/workflow/small", limit: 4 },
      { what: "without a database", path: "/api/node-types?module=none", theirs: "/api/plain/1", limit: 10 },
    ];
    for (const { what, path, theirs, limit } of pairs) {
      const rate = await measureRate(`${ours.url}${path}`, CHAOS_KEY, milliseconds);
      const nextRate = await measureRate(`${next.url}${theirs}`, next.token, milliseconds);
      const times = rate / nextRate;
      if (times < limit) missed++;
      const rates = `${rate.toFixed(0)} and ${nextRate.toFixed(0)} a second`;
      process.stdout.write(
        `${times < limit ? "MISSED" : "held  "} GET ${what}: ${times.toFixed(1)} times Next's, ${rates} (limit ${limit} times)\n`,
      );
    }
  } finally {
    await next.stop();
    ours.signal("SIGKILL");
    await ours.exited;
  }
} finally {
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
process.exitCode = missed === 0 ? 0 : 1;
