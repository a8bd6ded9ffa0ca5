import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Answer, type ChaosServer, startChaosServer } from "../chaos/chaos-server.ts";
import { startLedger } from "../chaos/effect-ledger.ts";

const STEPS = 5;
/** What a call outside takes: a worker waits for it, and has so many runs at once. */
const CALL_MS = 40;
const RUNS_AT_ONCE = 10;

/** Nodes a second of so many processes on one database, each with ten runs at once that call something slow. */
export async function measureWorkers(databaseUrl: string, workers: number, runs: number): Promise<number> {
  const ledger = await startLedger();
  ledger.onEffect = () => pause(CALL_MS);
  const environment = {
    CHAOS_LEDGER_URL: ledger.url,
    DATABASE_URL: databaseUrl,
    OVEN_WORKER_CONCURRENCY: `${RUNS_AT_ONCE}`,
  };
  const servers: ChaosServer[] = [];
  try {
    for (let started = 0; started < workers; started += 1) {
      const dataDir = mkdtempSync(join(tmpdir(), "oven-workers-"));
      servers.push(await startChaosServer({ ...environment, OVEN_DATA_DIR: dataDir }));
    }
    const [first] = servers;
    if (first === undefined) throw new Error("there is no worker");
    const ask = async (method: string, path: string, body?: unknown): Promise<Answer> => {
      const answer = await first.call(method, path, body);
      if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}`);
      return answer;
    };
    const made = await ask("POST", "workflows", { name: `Slow ${workers}`, definition: slow() });
    const path = `workflows/${made.body.id}/execute`;
    const started = performance.now();
    await Promise.all(Array.from({ length: runs }, () => ask("POST", path, {})));
    const filter = encodeURIComponent(JSON.stringify({ workflowId: made.body.id, status: "completed" }));
    for (;;) {
      const { total = 0 } = await ask("GET", `workflow-executions?filter=${filter}&range=[0,0]`);
      if (total >= runs) break;
      await pause(50);
    }
    return (runs * STEPS * 1_000) / (performance.now() - started);
  } finally {
    for (const server of servers) server.signal("SIGKILL");
    await Promise.all(servers.map(({ exited }) => exited));
    await ledger.close();
  }
}

function slow(): object {
  const states: Record<string, object> = { done: { type: "final" } };
  for (let step = 0; step < STEPS; step += 1)
    states[`s${step}`] = { invoke: { src: "chaos.pure", onDone: step === STEPS - 1 ? "done" : `s${step + 1}` } };
  return { initial: "s0", states };
}
