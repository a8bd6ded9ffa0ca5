import { startPostgres } from "../postgres/start-postgres.ts";
import { RestoreCampaign } from "./chaos/restore-campaign.ts";

/*
 * `pnpm restores [--count N] [--seed S] [--db pglite|postgres]`: backups of a server that works, and their restores, with SIGKILL at moments
 * that the seed chooses. Ends with 1 when a run that was accepted before a backup is not in what was restored, or does not go on there.
 */
const args = process.argv.slice(2);
const option = (name: string): string | undefined => {
  const position = args.indexOf(`--${name}`);
  return position === -1 ? undefined : args[position + 1];
};
const source = option("db") === "postgres" ? "postgres" : "pglite";
const seed = Number(option("seed") ?? 1);
const postgres = await startPostgres();
const startedAt = Date.now();
try {
  const campaign = new RestoreCampaign({
    count: Number(option("count") ?? 100),
    seed,
    source,
    postgresUrl: postgres.url,
    onProgress: (text) => void process.stdout.write(`${text}\n`),
  });
  const { problems, ...figures } = await campaign.run();
  const seconds = ((Date.now() - startedAt) / 1_000).toFixed(0);
  const verdict = problems.length === 0 ? "held" : "BROKEN";
  process.stdout.write(`${verdict}: restores from ${source}, seed ${seed}, ${JSON.stringify(figures)}, ${seconds} s\n`);
  for (const problem of problems) console.error(`  ${problem}`);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  await postgres.stop();
}
