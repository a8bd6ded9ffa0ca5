import { startPostgres } from "../postgres/start-postgres.ts";
import { measureMigration } from "./scale/migrate-runs.ts";

/*
 * `pnpm scale:migrate-runs [--runs 10000]`: moves waiting runs to another version of their workflow while some of them are answered, twice at
 * once each. Ends with 1 when ten thousand take longer than five minutes, one is lost, or one is decided twice.
 */
const at = process.argv.indexOf("--runs");
const runs = at === -1 ? 10_000 : Number(process.argv[at + 1]);
const MAX_SECONDS_PER_RUN = 300 / 10_000;
const postgres = await startPostgres();
try {
  const cost = await measureMigration(runs, postgres.url);
  const held = cost.moveSeconds <= runs * MAX_SECONDS_PER_RUN && cost.lost === 0 && cost.twice === 0;
  process.stdout.write(
    `${runs} waiting runs: planned in ${cost.planSeconds.toFixed(1)} s, moved in ${cost.moveSeconds.toFixed(1)} s ` +
      `(${cost.moved} moved, ${cost.skipped} had gone on); ${cost.decided} were decided meanwhile, ${cost.twice} twice; ` +
      `${cost.completed} completed, ${cost.lost} lost\n${held ? "held" : "MISSED"}\n`,
  );
  process.exitCode = held ? 0 : 1;
} finally {
  await postgres.stop();
}
