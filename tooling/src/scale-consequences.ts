import { startPostgres } from "../postgres/start-postgres.ts";
import { measureConsequences } from "./scale/consequences.ts";

/*
 * `pnpm scale:consequences [--requests 100]`: what it takes to say where each button of a review leads, with fifty steps behind it, on
 * PostgreSQL. Ends with 1 when one in twenty takes longer than two seconds, or a service was called.
 */
const at = process.argv.indexOf("--requests");
const requests = at === -1 ? 100 : Number(process.argv[at + 1]);
const MAX_P95_MS = 2_000;
const postgres = await startPostgres();
try {
  const { p50Ms, p95Ms, foreseen, calls } = await measureConsequences(requests, postgres.url);
  const held = p95Ms <= MAX_P95_MS && calls === 0;
  const times = `median ${p50Ms.toFixed(0)} ms, p95 ${p95Ms.toFixed(0)} ms (limit ${MAX_P95_MS} ms)`;
  process.stdout.write(`${times}, ${foreseen} calls foreseen, ${calls} made\n${held ? "held" : "MISSED"}\n`);
  process.exitCode = held ? 0 : 1;
} finally {
  await postgres.stop();
}
