import { readFileSync } from "node:fs";
import { connectDatabase } from "../../../packages/db/src/index.ts";
import { installedModules } from "../../../packages/installation/src/index.ts";
import { createRuntime } from "../../../packages/module-registry/src/index.ts";
import { startTestOven } from "../../../packages/testing/src/index.ts";
import { startPostgres } from "../../postgres/start-postgres.ts";
import { EFFECT_STEP, effectStepModule } from "./effect-step.ts";

export interface Costs {
  nodes: number;
  /** Milliseconds of a core a node run, in the process and in the database's processes. */
  workerMs: number;
  databaseMs: number;
  /** Wall-clock milliseconds of one node in a run alone on the machine. */
  latencyMs: number;
  commitsPerNode: number;
  walBytes: number;
  /** Rows with their indexes, after the runs have ended. */
  storedBytes: number;
  connections: number;
}

const STEPS = 20;
const AT_ONCE = 50;
const TABLES = ["workflow_executions", "node_executions", "run_events", "run_signals", "outbox_events"];

/** Runs workflows of twenty steps of 150 bytes, fifty at once, and divides what they used by the node runs. */
export async function measureCosts(runs: number): Promise<Costs> {
  const postgres = await startPostgres();
  const db = await connectDatabase({ url: postgres.url, dataDir: "" });
  const environment = { production: true };
  const oven = await startTestOven({
    createRuntime,
    db,
    modules: [...installedModules({ demo: false }), effectStepModule],
    environment,
  });
  try {
    await oven.call("POST", "workflows", { name: "costs", definition: linear() });
    const run = async (): Promise<void> => {
      const { body } = await oven.call("POST", "workflows/costs/execute?wait=60", { input: {} });
      if (body.status !== "completed") throw new Error(JSON.stringify(body));
    };
    for (let warm = 0; warm < AT_ONCE; warm += 1) await run();
    const started = performance.now();
    for (let alone = 0; alone < 20; alone += 1) await run();
    const latencyMs = (performance.now() - started) / (20 * STEPS);
    const read = () => readings(db.query.bind(db));
    const before = await read();
    const cpu = process.cpuUsage();
    for (let done = 0; done < runs; done += AT_ONCE)
      await Promise.all(Array.from({ length: Math.min(AT_ONCE, runs - done) }, run));
    const used = process.cpuUsage(cpu);
    const after = await read();
    const nodes = runs * STEPS;
    const per = (key: keyof Readings): number => (after[key] - before[key]) / nodes;
    return {
      nodes,
      workerMs: (used.user + used.system) / 1_000 / nodes,
      databaseMs: per("databaseMs"),
      latencyMs,
      commitsPerNode: per("commits"),
      walBytes: per("walBytes"),
      storedBytes: per("storedBytes"),
      connections: after.connections,
    };
  } finally {
    await oven.stop();
    await db.close();
    await postgres.stop();
  }
}

interface Readings {
  commits: number;
  walBytes: number;
  storedBytes: number;
  connections: number;
  databaseMs: number;
}

type Query = (sql: string, params?: unknown[]) => Promise<Record<string, unknown>[]>;

async function readings(query: Query): Promise<Readings> {
  const sizes = TABLES.map((table) => `pg_total_relation_size('${table}')`).join(" + ");
  const [row = {}] = await query(
    `select (select xact_commit from pg_stat_database where datname = current_database())::float8 as commits,
       pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as wal, (${sizes})::float8 as stored,
       (select count(*) from pg_stat_activity where datname = current_database())::float8 as connections`,
  );
  const backends = await query("select pid from pg_stat_activity");
  return {
    commits: Number(row.commits),
    walBytes: Number(row.wal),
    storedBytes: Number(row.stored),
    connections: Number(row.connections),
    databaseMs: backends.reduce((sum, { pid }) => sum + cpuMs(Number(pid)), 0),
  };
}

/** Processor time of a process so far; 0 where it is gone or the system has no /proc. */
function cpuMs(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    // utime and stime, in hundredths of a second.
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ESRCH")) return 0;
    throw error;
  }
}

function linear(): object {
  const states: Record<string, object> = { done: { type: "final" } };
  for (let step = 0; step < STEPS; step += 1) {
    const mapping = { step, text: "x".repeat(150) };
    const onDone = step === STEPS - 1 ? "done" : `s${step + 1}`;
    states[`s${step}`] = { invoke: { src: EFFECT_STEP, input: { mapping }, onDone } };
  }
  return { initial: "s0", states };
}
