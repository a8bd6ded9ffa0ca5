import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { connectDatabase, type Database } from "../../../packages/db/src/index.ts";
import { type ChaosServer, startChaosServer } from "./chaos-server.ts";
import { type Effect, type EffectLedger, startLedger } from "./effect-ledger.ts";
import { seededRandom } from "./random.ts";

const call = (onDone: string) => ({ invoke: { src: "chaos.idempotent", onDone, timeoutMs: 600_000 } });
const DEFINITION = {
  initial: "a",
  states: { a: call("b"), b: call("c"), c: call("done"), done: { type: "final", output: "$.c_output.value" } },
};

/**
 * A worker process is stopped with SIGSTOP in the middle of a call, its lease runs out, another one finishes the run, and the
 * first wakes up with its answer: nothing of the run may change.
 */
export async function zombieCampaign(
  databaseUrl: string,
  rounds: number,
  seed: number,
): Promise<{ stopped: number; problems: string[] }> {
  const random = seededRandom(seed);
  const ledger = await startLedger();
  const environment = { CHAOS_LEDGER_URL: ledger.url, DATABASE_URL: databaseUrl };
  const start = () => startChaosServer({ ...environment, OVEN_DATA_DIR: mkdtempSync(join(tmpdir(), "oven-zombie-")) });
  const first = await start();
  const second = await start();
  const db = await connectDatabase({ url: databaseUrl, dataDir: "unused" });
  const problems: string[] = [];
  try {
    const made = await first.call("POST", "workflows", { name: "Zombie", definition: DEFINITION });
    for (let round = 0; round < rounds; round += 1) {
      const position = 1 + Math.floor(random() * 3);
      problems.push(...(await oneRound(first, second, ledger, db, made.body.id, position)));
    }
    return { stopped: rounds, problems };
  } finally {
    first.signal("SIGCONT");
    first.signal("SIGKILL");
    second.signal("SIGKILL");
    await Promise.all([first.exited, second.exited]);
    await db.close();
    await ledger.close();
  }
}

async function oneRound(
  zombie: ChaosServer,
  other: ChaosServer,
  ledger: EffectLedger,
  db: Database,
  workflowId: number,
  position: number,
): Promise<string[]> {
  const stopped = Promise.withResolvers<Effect>();
  const released = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  let calls = 0;
  ledger.onEffect = async (effect) => {
    calls += 1;
    if (calls !== position) return;
    // A process that sleeps does not answer whoever started the run either.
    await answered.promise;
    zombie.signal("SIGSTOP");
    stopped.resolve(effect);
    await released.promise;
  };
  const { body: run } = await zombie.call("POST", `workflows/${workflowId}/execute`, {});
  answered.resolve();
  await stopped.promise;
  await db.query("update workflow_executions set lease_until = now() where id = $1", [run.id]);
  // A message wakes the run at once, wherever there is room for it.
  await other.call("POST", `workflow-executions/${run.id}/events`, { event: "nobody.waits", payload: null });
  const problems: string[] = [];
  const before = await untilEnded(db, run.id);
  if (before.status !== "completed") problems.push(`run ${run.id} is ${before.status}`);
  zombie.signal("SIGCONT");
  released.resolve();
  // The zombie gets its answer and tries to write; then it has nothing left of the run.
  await zombie.call("GET", `workflow-executions/${run.id}`);
  await pause(150);
  const after = await read(db, run.id);
  if (JSON.stringify(after) !== JSON.stringify(before))
    problems.push(`a late worker changed run ${run.id}: ${JSON.stringify([before, after])}`);
  const own = Map.groupBy(
    ledger.effects.filter(({ executionId }) => executionId === run.id),
    ({ nodeId }) => nodeId,
  );
  const keys = new Set([...own.values()].flat().map(({ key }) => key));
  if (own.size !== 3 || keys.size !== 3)
    problems.push(`run ${run.id} has ${own.size} called nodes and ${keys.size} keys`);
  for (const [node, effects] of own)
    if (effects.length > 2) problems.push(`${node} of run ${run.id} was called ${effects.length} times`);
  return problems;
}

interface Seen extends Record<string, unknown> {
  status: string;
  epoch: number;
  seq: number;
  events: number;
  rows: string;
}

async function read(db: Database, id: number): Promise<Seen> {
  const [row] = await db.query<Seen>(
    `select status, epoch, seq, (select count(*)::int from run_events where execution_id = e.id) as events,
       (select string_agg(node_id || visit || status || attempt || coalesce(output::text, ''), ',' order by id) from node_executions where execution_id = e.id) as rows
     from workflow_executions e where id = $1`,
    [id],
  );
  if (row === undefined) throw new Error(`run ${id} is gone`);
  return row;
}

async function untilEnded(db: Database, id: number): Promise<Seen> {
  const giveUp = Date.now() + 60_000;
  for (;;) {
    const seen = await read(db, id);
    if (["completed", "failed", "cancelled"].includes(seen.status) || Date.now() > giveUp) return seen;
    await pause(20);
  }
}
