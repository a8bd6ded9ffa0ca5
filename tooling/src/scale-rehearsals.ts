import { startPostgres } from "../postgres/start-postgres.ts";
import { measureRehearsals } from "./scale/rehearsals.ts";

/*
 * `pnpm scale:rehearsals [--runs 1000]`: records runs of 20 steps, goes through them on the same definition, with other labels and with
 * another limit, and says how long each takes. Ends with 1 when a thousand take longer than a minute, or a verdict is wrong.
 */
const at = process.argv.indexOf("--runs");
const runs = at === -1 ? 1_000 : Number(process.argv[at + 1]);
const MAX_SECONDS_PER_RUN = 60 / 1_000;
const postgres = await startPostgres();
let held = true;
try {
  for (const { name, seconds, counts } of await measureRehearsals(runs, postgres.url)) {
    const different = name === "another limit" ? Math.floor(runs / 10) : 0;
    held &&= seconds <= runs * MAX_SECONDS_PER_RUN && counts.same === runs - different && counts.outcome === different;
    process.stdout.write(`${name.padEnd(24)}${seconds.toFixed(1).padStart(6)} s  ${JSON.stringify(counts)}\n`);
  }
} finally {
  await postgres.stop();
}
process.stdout.write(held ? "held\n" : "MISSED\n");
process.exitCode = held ? 0 : 1;
