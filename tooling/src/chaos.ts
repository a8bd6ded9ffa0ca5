import { createTestPostgres } from "@oven/db/testing";
import { type PostgresProcess, startPostgres } from "../postgres/start-postgres.ts";
import { bundledPrograms } from "../vitest/bundled-programs.ts";
import { cancelCampaign } from "./chaos/cancel-campaign.ts";
import { CODE_SHAPE } from "./chaos/code-shape.ts";
import { diskFullCampaign } from "./chaos/disk-full.ts";
import { KillCampaign } from "./chaos/kill-campaign.ts";
import { POISON, runPoison } from "./chaos/poison.ts";
import { raceClaims } from "./chaos/race-claims.ts";
import { zombieCampaign } from "./chaos/zombies.ts";

/*
 * `pnpm chaos [kill|code|restart|claims|zombies|cancel|disk|poison] [--runs N] [--seed S] [--db pglite|postgres]`: real server processes,
 * killed, stopped and starved, beside a ledger that counts what they do to the world. Without a name: all of them, one after
 * the other. `code` also takes `--kills N`, `--concurrency N` and, on PostgreSQL, `--servers N`: so many processes share the runs. Ends with 1 when a promise did not hold; the same seed chooses the same moments again.
 */
const args = process.argv.slice(2);
const option = (name: string): string | undefined => {
  const position = args.indexOf(`--${name}`);
  return position === -1 ? undefined : args[position + 1];
};
const number = (name: string, otherwise: number): number => Number(option(name) ?? otherwise);
const seed = number("seed", 1);
const say = (text: string): void => void process.stdout.write(`${text}\n`);

type Campaign = (postgres: PostgresProcess) => Promise<{ problems: string[] }>;

async function onDatabase<T>(postgres: PostgresProcess, work: (url: string) => Promise<T>): Promise<T> {
  const { url, drop } = await createTestPostgres(postgres.url);
  try {
    return await work(url);
  } finally {
    await drop();
  }
}

const campaigns: Record<string, Campaign> = {
  kill: (postgres) => {
    const campaign = (databaseUrl: string | undefined) =>
      new KillCampaign({
        databaseUrl,
        runs: number("runs", 1_000),
        seed,
        concurrency: 10,
        maxKills: Number.POSITIVE_INFINITY,
        onProgress: say,
      }).run();
    return option("db") === "postgres" ? onDatabase(postgres, campaign) : campaign(undefined);
  },
  code: (postgres) => {
    const campaign = (databaseUrl: string | undefined) =>
      new KillCampaign({
        databaseUrl,
        runs: number("runs", 1_000),
        seed,
        concurrency: number("concurrency", 10),
        servers: option("db") === "postgres" ? number("servers", 1) : 1,
        maxKills: number("kills", Number.POSITIVE_INFINITY),
        shape: CODE_SHAPE,
        onProgress: say,
      }).run();
    return option("db") === "postgres" ? onDatabase(postgres, campaign) : campaign(undefined);
  },
  restart: (postgres) =>
    onDatabase(postgres, (databaseUrl) =>
      new KillCampaign({
        databaseUrl,
        runs: number("runs", 2_000),
        seed,
        concurrency: 20,
        maxKills: 0,
        restartDatabase: postgres.restart,
        onProgress: say,
      }).run(),
    ),
  claims: (postgres) => onDatabase(postgres, (url) => raceClaims(url, number("runs", 10_000))),
  zombies: (postgres) => onDatabase(postgres, (url) => zombieCampaign(url, number("runs", 100), seed)),
  cancel: () => cancelCampaign(number("runs", 500), seed),
  disk: () => diskFullCampaign(),
  poison: async () => {
    const problems: string[] = [];
    for (const { node } of POISON) {
      const result = await runPoison(node);
      say(`${node}: ${JSON.stringify(result)}`);
      problems.push(...result.problems);
    }
    return { problems };
  },
};

// A process that is killed some hundred times must not load two thousand files each time.
process.env.OVEN_TEST_PROGRAMS = await bundledPrograms();
const [name] = args;
const chosen = name === undefined || name.startsWith("--") ? Object.keys(campaigns) : [name];
const postgres = await startPostgres();
let failed = 0;
try {
  for (const one of chosen) {
    const campaign = campaigns[one];
    if (!campaign) throw new Error(`there is no ${one}; there are ${Object.keys(campaigns).join(", ")}`);
    const startedAt = Date.now();
    const { problems, ...figures } = await campaign(postgres);
    const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1);
    say(`${problems.length === 0 ? "held" : "BROKEN"}: ${one}, seed ${seed}, ${JSON.stringify(figures)}, ${seconds} s`);
    for (const problem of problems) console.error(`  ${problem}`);
    failed += problems.length;
  }
} finally {
  await postgres.stop();
}
process.exitCode = failed === 0 ? 0 : 1;
