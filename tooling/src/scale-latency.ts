import { startPostgres } from "../postgres/start-postgres.ts";
import { type Latency, measureDispatch, measureRecovery, measureResume } from "./scale/latency.ts";

/*
 * `pnpm scale:latency [--runs 200] [--fresh 10] [--kills 3]`: how long it takes until a node is called, on a PostgreSQL of its own.
 * Prints each value beside its limit, and ends with 1 on a miss.
 */
const option = (name: string, otherwise: number): number => {
  const position = process.argv.indexOf(`--${name}`);
  return position === -1 ? otherwise : Number(process.argv[position + 1]);
};
const runs = option("runs", 200);
const postgres = await startPostgres();
let missed = 0;
function report(what: string, { median, p95 }: Latency, limit?: number): void {
  const held = limit === undefined || median <= limit;
  if (!held) missed++;
  const said = limit === undefined ? "      " : held ? "held  " : "MISSED";
  const beside = limit === undefined ? "" : ` (limit ${limit} ms)`;
  process.stdout.write(`${said} ${what}: median ${median.toFixed(1)} ms${beside}, p95 ${p95.toFixed(1)} ms\n`);
}
try {
  const { service, route, rested, fresh } = await measureResume(postgres.url, {
    warm: runs,
    fresh: option("fresh", 10),
  });
  report("from a decision to the next node's call", service, 2);
  report("the same over a route", route);
  report("the same where nothing happened for 20 ms before", rested);
  report("the same as the first thing that a process does", fresh, 15);
  const dispatched = await measureDispatch(postgres.url, runs);
  report("from a start in one process to the call in another", dispatched.service, 8);
  report("the same over a route", dispatched.route);
  const recovered = await measureRecovery(postgres.url, 1_000, option("kills", 3));
  report("from the end of a lease to the call behind 1,000 finished steps", recovered, 100);
} finally {
  await postgres.stop();
}
process.exitCode = missed === 0 ? 0 : 1;
