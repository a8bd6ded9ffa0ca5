import { startPostgres } from "../postgres/start-postgres.ts";
import { measurePaused } from "./scale/paused-runs.ts";

/*
 * `pnpm scale:paused [--runs 10000] [--db pglite|postgres]`: pauses runs, restarts the process and says what they cost it: time to its first
 * answer and resident memory, beside the same restart without them. Ends with 1 when one was lost or a limit is passed.
 */
const MAX_START_MS = 10_000;
const MAX_RSS_BYTES = 50 * 1_048_576;
const option = (name: string): string | undefined => {
  const position = process.argv.indexOf(`--${name}`);
  return position === -1 ? undefined : process.argv[position + 1];
};
const runs = Number(option("runs") ?? 10_000);
// Memory is judged on PostgreSQL: that of the embedded database differs by 50 MiB from start to start.
const postgres = option("db") === "pglite" ? undefined : await startPostgres();
const result = await measurePaused(runs, Math.min(runs, 100), postgres?.url);
await postgres?.stop();
const grownBytes = result.rssBytes - result.emptyRssBytes;
process.stdout.write(
  `${runs} paused runs: restart ${result.startMs} ms (without them ${result.emptyStartMs} ms), ` +
    `memory ${(result.rssBytes / 1_048_576).toFixed(0)} MiB (${(grownBytes / 1_048_576).toFixed(0)} MiB more), ` +
    `${result.resumed} approved afterwards and completed\n`,
);
for (const problem of result.problems) console.error(`  ${problem}`);
const held =
  result.problems.length === 0 &&
  result.startMs < MAX_START_MS &&
  (postgres === undefined || grownBytes < MAX_RSS_BYTES);
process.exitCode = held ? 0 : 1;
