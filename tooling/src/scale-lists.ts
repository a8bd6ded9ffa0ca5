import { startPostgres } from "../postgres/start-postgres.ts";
import { measureLists } from "./scale/run-lists.ts";

/*
 * `pnpm scale:lists [--runs 100000] [--db pglite|postgres]`: makes runs, and says how long each kind of list of them takes over the REST
 * handler, total included, and the sums of the home page. Ends with 1 when one takes longer than the limit.
 */
const MAX_MS = 300;
const option = (name: string): string | undefined => {
  const position = process.argv.indexOf(`--${name}`);
  return position === -1 ? undefined : process.argv[position + 1];
};
const runs = Number(option("runs") ?? 100_000);
const postgres = option("db") === "pglite" ? undefined : await startPostgres();
let held = true;
try {
  for (const { name, milliseconds, total } of await measureLists(runs, postgres?.url)) {
    held &&= milliseconds < MAX_MS;
    process.stdout.write(`${name.padEnd(30)}${milliseconds.toFixed(0).padStart(6)} ms  of ${total}\n`);
  }
} finally {
  await postgres?.stop();
}
process.exitCode = held ? 0 : 1;
