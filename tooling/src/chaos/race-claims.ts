import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { connectDatabase, migrate } from "../../../packages/db/src/index.ts";
import { programFile } from "../../../packages/testing/src/program-file.ts";

const migrationsOf = (name: string) => ({
  name,
  folder: new URL(`../../../packages/${name}/migrations`, import.meta.url),
});

/** Two processes claim the same runs at the same moment: each run is got by exactly one. */
export async function raceClaims(databaseUrl: string, count: number): Promise<{ wins: number[]; problems: string[] }> {
  const db = await connectDatabase({ url: databaseUrl, dataDir: "unused" });
  try {
    await migrate(db, ["module-registry", "module-roles", "module-workflows"].map(migrationsOf));
    const [workflow] = await db.query<{ id: number }>(
      "insert into workflows (tenant_id, name, slug, definition) values (1, 'Race', 'race', '{}') returning id",
    );
    const made = await db.query<{ id: number }>(
      `insert into workflow_executions (tenant_id, workflow_id, workflow_version, triggered_by, principal, input)
       select 1, $1, 1, '{}', '{}', '{}' from generate_series(1, $2) returning id`,
      [workflow?.id, count],
    );
    const ids = made.map(({ id }) => id);
    const range = [Math.min(...ids), Math.max(...ids)].map(String);
    const results = await race([databaseUrl, ...range]);
    const problems: string[] = [];
    const winners = Map.groupBy(results.flat(), (id) => id);
    for (const [id, times] of winners)
      if (times.length > 1) problems.push(`run ${id} was claimed ${times.length} times`);
    if (winners.size !== count) problems.push(`${count - winners.size} runs were claimed by nobody`);
    const [epochs] = await db.query<{ wrong: number }>(
      "select count(*)::int as wrong from workflow_executions where epoch <> 1 or lease_owner is null",
    );
    if (epochs?.wrong !== 0) problems.push(`${epochs?.wrong} runs have another epoch than 1`);
    return { wins: results.map((own) => own.length), problems };
  } finally {
    await db.close();
  }
}

async function race(args: string[]): Promise<number[][]> {
  const claimers = [0, 1].map(() => {
    const child = spawn(process.execPath, [programFile(join(import.meta.dirname, "claim-process.ts")), ...args], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    return { child, lines: createInterface(child.stdout)[Symbol.asyncIterator]() };
  });
  for (const { lines } of claimers) await lines.next();
  for (const { child } of claimers) go(child);
  const results: number[][] = [];
  for (const { child, lines } of claimers) {
    const { value } = await lines.next();
    results.push(JSON.parse(String(value)) as number[]); // cast: the claimer's own line
    if (child.exitCode === null) await once(child, "exit");
  }
  return results;
}

function go(child: ChildProcess): void {
  child.stdin?.write("go\n");
}
