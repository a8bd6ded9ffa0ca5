import { parseArgs } from "node:util";
import { startPostgres } from "../postgres/start-postgres.ts";
import { BuiltServer, requireBuild } from "./scale/built-server.ts";
import { measureBig, measureLong, measureStreams } from "./scale/load-parts.ts";
import { measurePaused } from "./scale/paused-runs.ts";
import { measureLoad } from "./scale/sustained-load.ts";

/*
 * `pnpm scale:load [--part starts|streams|long|big|paused] [--minutes 20] [--rate 50] [--streams 200] [--clients 1000] [--steps 50000] [--runs 10000]`:
 * what the built server does under load, on a PostgreSQL of its own; without `--part`, all of it. Build it first (`pnpm start` does). Prints each value beside its limit, and ends with 1 on a miss.
 */
const { values } = parseArgs({
  options: {
    part: { type: "string" },
    minutes: { type: "string", default: "20" },
    rate: { type: "string", default: "50" },
    streams: { type: "string", default: "200" },
    clients: { type: "string", default: "1000" },
    steps: { type: "string", default: "50000" },
    runs: { type: "string", default: "10000" },
  },
});
const MEGABYTE = 1e6;
const MAX_HEAP_SLOPE = 1;
const MAX_RSS_SLOPE = 1;
const MAX_LOOP_MS = 30;
const MAX_GROWN_BYTES = 100 * MEGABYTE;
const MAX_START_MS = 10_000;
const BIG_INPUTS = 40;
const BIG_AT_ONCE = 4;
const RESUMED = 100;

let missed = 0;
const say = (line: string) => void process.stdout.write(`${line}\n`);
function report(what: string, value: string, limit: string, held: boolean): void {
  if (!held) missed += 1;
  say(`${held ? "held  " : "MISSED"} ${what}: ${value} (limit ${limit})`);
}
const inMegabytes = (bytes: number) => `${(bytes / MEGABYTE).toFixed(1)} MB`;
const isAny = (refused: Record<string, number>) => Object.keys(refused).length > 0;

async function onServer<T>(databaseUrl: string, measure: (server: BuiltServer) => Promise<T>): Promise<T> {
  const server = await BuiltServer.start(databaseUrl);
  try {
    return await measure(server);
  } finally {
    await server.stop();
  }
}

const PARTS: Record<string, (databaseUrl: string) => Promise<void>> = {
  starts: async (databaseUrl) => {
    const [minutes, rate, streams] = [Number(values.minutes), Number(values.rate), Number(values.streams)];
    const result = await onServer(databaseUrl, (server) => measureLoad(server, { minutes, rate, streams }));
    const { started, completed, failed, open, refused, heapSlope, rssSlope, loopP99Ms, loopMaxMs } = result;
    say(`${minutes} minutes, ${rate} starts a second, ${result.mostStreams} open streams at the most`);
    const runs = `${started} started, ${completed} completed, ${failed} failed, ${open} still open`;
    const isWhole = failed === 0 && open === 0 && !isAny(refused);
    report("runs", `${runs}, refused ${JSON.stringify(refused)}`, "all complete", isWhole);
    const { streamsRead, streamsBroken } = result;
    report("streams", `${streamsRead} read, ${streamsBroken} with a gap or cut off`, "0", streamsBroken === 0);
    say(`       a start: median ${result.startP50Ms.toFixed(1)} ms, p99 ${result.startP99Ms.toFixed(1)} ms`);
    const loop = `p99 ${loopP99Ms.toFixed(0)} ms, at the most ${loopMaxMs.toFixed(0)} ms`;
    report("delay of the event loop", loop, `p99 ${MAX_LOOP_MS} ms`, loopP99Ms <= MAX_LOOP_MS);
    const heap = `${heapSlope.toFixed(2)} MB a minute, ${inMegabytes(result.heapBytes)} at the end`;
    report("heap", heap, `${MAX_HEAP_SLOPE} MB a minute`, heapSlope <= MAX_HEAP_SLOPE);
    const rss = `${rssSlope.toFixed(2)} MB a minute, ${inMegabytes(result.rssBytes)} at the end`;
    report("resident", rss, `${MAX_RSS_SLOPE} MB a minute`, rssSlope <= MAX_RSS_SLOPE);
  },
  streams: async (databaseUrl) => {
    const asked = Number(values.clients);
    const measured = await onServer(databaseUrl, (server) => measureStreams(server, asked));
    const { clients, complete, heapBytesEach, rssBytesEach, deliveredMs } = measured;
    report(`${clients} streams of one run`, `${complete} got all events`, `${clients}`, complete === clients);
    const kilobytes = (bytes: number) => (bytes / 1_000).toFixed(1);
    say(
      `       each ${kilobytes(heapBytesEach)} kB of heap, ${kilobytes(rssBytesEach)} kB resident; the end was with all of them after ${deliveredMs.toFixed(0)} ms`,
    );
  },
  long: async (databaseUrl) => {
    const length = Number(values.steps);
    const { steps, runMs, asked } = await onServer(databaseUrl, (server) => measureLong(server, length));
    say(`       a run of ${steps} steps: ${(runMs / 1_000).toFixed(1)} s`);
    for (const { what, ms, grownBytes, status, bytes } of asked) {
      const value = `${status} after ${ms.toFixed(0)} ms, ${inMegabytes(bytes)}, ${inMegabytes(grownBytes)} more memory`;
      report(what, value, inMegabytes(MAX_GROWN_BYTES), status === 200 && grownBytes <= MAX_GROWN_BYTES);
    }
  },
  big: async (databaseUrl) => {
    const measured = await onServer(databaseUrl, (server) => measureBig(server, BIG_INPUTS, BIG_AT_ONCE));
    const { answers, bytes, mostBytes, leftBytes } = measured;
    const isClear = Object.keys(answers).every((answer) => /^20\d$|^413 BODY_TOO_LARGE$/.test(answer));
    report(`inputs of ${inMegabytes(bytes)}`, JSON.stringify(answers), "accepted, or 413 BODY_TOO_LARGE", isClear);
    const memory = `${inMegabytes(mostBytes)} more resident at the most, ${inMegabytes(leftBytes)} more heap afterwards`;
    report("their memory", memory, "10 MB afterwards", leftBytes <= 10 * MEGABYTE);
  },
  paused: async (databaseUrl) => {
    const runs = Number(values.runs);
    const { startMs, emptyStartMs, resumed, firstDecisionMs, problems } = await measurePaused(
      runs,
      Math.min(runs, RESUMED),
      databaseUrl,
    );
    for (const problem of problems) say(`  ${problem}`);
    report(
      `${runs} paused runs, restarted`,
      `${startMs} ms to the first answer (${emptyStartMs} ms without them), ${firstDecisionMs} ms to the first decision, ${resumed} decided and completed`,
      `${MAX_START_MS} ms`,
      problems.length === 0 && firstDecisionMs < MAX_START_MS,
    );
  },
};

requireBuild("scale:load");
const names = values.part === undefined ? Object.keys(PARTS) : [values.part];
for (const name of names) {
  const part = PARTS[name];
  if (part === undefined) throw new Error(`--part is one of ${Object.keys(PARTS).join(", ")}`);
  say(name);
  const postgres = await startPostgres();
  try {
    await part(postgres.url);
  } finally {
    await postgres.stop();
  }
}
process.exitCode = missed === 0 ? 0 : 1;
