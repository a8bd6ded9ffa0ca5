import { mkdtempSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Answer, type ChaosServer, startChaosServer } from "../chaos/chaos-server.ts";
import { startLedger } from "../chaos/effect-ledger.ts";
import { usageOf } from "./idle-process.ts";

const STEPS = 5;

export interface WorkersResult {
  nodesPerSecond: number;
  /** Cores that the busiest worker used. One thread of it does the work. */
  busiestCores: number;
  /** Cores of the machine that were in use, by whatever ran on it. */
  machineCores: number;
}

/** So many processes on one database, each with some runs at once that call something slow. */
export async function measureWorkers(
  databaseUrl: string,
  workers: number,
  runs: number,
  callMs: number,
  runsAtOnce: number,
): Promise<WorkersResult> {
  const ledger = await startLedger();
  ledger.onEffect = () => pause(callMs);
  const environment = {
    CHAOS_LEDGER_URL: ledger.url,
    DATABASE_URL: databaseUrl,
    OVEN_WORKER_CONCURRENCY: `${runsAtOnce}`,
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
    const before = { cores: machineSeconds(), workers: servers.map(({ pid }) => usageOf(pid).cpuSeconds) };
    const started = performance.now();
    await Promise.all(Array.from({ length: runs }, () => ask("POST", path, {})));
    const filter = encodeURIComponent(JSON.stringify({ workflowId: made.body.id, status: "completed" }));
    for (;;) {
      const { total = 0 } = await ask("GET", `workflow-executions?filter=${filter}&range=[0,0]`);
      if (total >= runs) break;
      await pause(50);
    }
    const seconds = (performance.now() - started) / 1_000;
    const used = servers.map(({ pid }, index) => usageOf(pid).cpuSeconds - (before.workers[index] ?? 0));
    return {
      nodesPerSecond: (runs * STEPS) / seconds,
      busiestCores: Math.max(...used) / seconds,
      machineCores: (machineSeconds() - before.cores) / seconds,
    };
  } finally {
    for (const server of servers) server.signal("SIGKILL");
    await Promise.all(servers.map(({ exited }) => exited));
    await ledger.close();
  }
}

/** Seconds of all cores that were not idle since the machine began. Linux only. */
function machineSeconds(): number {
  return cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0) / 1_000;
}

function slow(): object {
  const states: Record<string, object> = { done: { type: "final" } };
  for (let step = 0; step < STEPS; step += 1)
    states[`s${step}`] = { invoke: { src: "chaos.pure", onDone: step === STEPS - 1 ? "done" : `s${step + 1}` } };
  return { initial: "s0", states };
}
