import { connectDatabase } from "../../../packages/db/src/index.ts";
import { installedModules } from "../../../packages/installation/src/index.ts";
import { createRuntime } from "../../../packages/module-registry/src/index.ts";
import { startTestOven, type TestOven } from "../../../packages/testing/src/index.ts";
import { EFFECT_STEP, effectStepModule } from "./effect-step.ts";

/** What one node run of a graph of some shape costs, in a run alone on the machine. */
export interface ShapeCost {
  name: string;
  nodes: number;
  millisecondsPerNode: number;
  /** Written to the write-ahead log; rows, logs and indexes. */
  walBytesPerNode: number;
}

const node = (onDone: string) => ({
  invoke: { src: EFFECT_STEP, input: { mapping: { text: "x".repeat(150) } }, onDone },
});

/** A loop of so many iterations of one node. */
function loop(steps: number): { definition: object; nodes: number } {
  const body = { step: node("end"), end: { type: "final" } };
  const definition = {
    initial: "again",
    maxSteps: 100_000,
    timeoutMs: 3_600_000,
    states: {
      again: {
        loop: {
          type: "while",
          condition: { type: "condition", params: { key: "$.index", operator: "<", value: steps } },
          bodyInitial: "step",
          bodyStates: body,
          maxIterations: steps,
          timeoutMs: 3_600_000,
          onDone: "done",
          onError: "failed",
        },
      },
      done: { type: "final" },
      failed: { type: "final", outcome: "failed" },
    },
  };
  return { definition, nodes: steps };
}

/** Regions side by side, of ten nodes each. */
function parallel(regions: number): { definition: object; nodes: number } {
  const chain = (name: string) => {
    const states: Record<string, object> = { [`${name}_end`]: { type: "final" } };
    for (let step = 0; step < 10; step += 1)
      states[`${name}_${step}`] = node(step === 9 ? `${name}_end` : `${name}_${step + 1}`);
    return { initial: `${name}_0`, states };
  };
  const names = Array.from({ length: regions }, (_, index) => `r${index}`);
  const definition = {
    initial: "all",
    maxSteps: 100_000,
    states: {
      all: { type: "parallel", states: Object.fromEntries(names.map((name) => [name, chain(name)])), onDone: "done" },
      done: { type: "final" },
    },
  };
  return { definition, nodes: regions * 10 };
}

/** A chain through all states of a machine. */
function chain(length: number): { definition: object; nodes: number } {
  const states: Record<string, object> = { done: { type: "final" } };
  for (let step = 0; step < length; step += 1) states[`s${step}`] = node(step === length - 1 ? "done" : `s${step + 1}`);
  return { definition: { initial: "s0", maxSteps: 100_000, timeoutMs: 3_600_000, states }, nodes: length };
}

const SHAPES: { name: string; shape: { definition: object; nodes: number }; runs: number }[] = [
  { name: "100 steps", shape: loop(100), runs: 20 },
  { name: "1,000 steps", shape: loop(1_000), runs: 3 },
  { name: "10,000 steps", shape: loop(10_000), runs: 1 },
  { name: "2 regions", shape: parallel(2), runs: 20 },
  { name: "100 regions", shape: parallel(100), runs: 3 },
  { name: "20 states", shape: chain(20), runs: 20 },
  { name: "1,000 states", shape: chain(1_000), runs: 3 },
];

/** Each shape in runs one after the other, on a PostgreSQL of its own. */
export async function measureShapes(databaseUrl: string, onShape: (cost: ShapeCost) => void): Promise<void> {
  const db = await connectDatabase({ url: databaseUrl, dataDir: "" });
  const environment = { production: true };
  const oven = await startTestOven({
    createRuntime,
    db,
    modules: [...installedModules({ demo: false }), effectStepModule],
    environment,
  });
  try {
    const wal = async (): Promise<number> => {
      const [row] = await db.query<{ bytes: number }>(
        "select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as bytes",
      );
      return row?.bytes ?? 0;
    };
    for (const { name, shape, runs } of SHAPES) {
      const { status, body } = await oven.call("POST", "workflows", { name, definition: shape.definition });
      if (status !== 201) throw new Error(JSON.stringify(body));
      await run(oven, body.id);
      const before = await wal();
      const started = performance.now();
      for (let done = 0; done < runs; done += 1) await run(oven, body.id);
      const nodes = shape.nodes * runs;
      onShape({
        name,
        nodes,
        millisecondsPerNode: (performance.now() - started) / nodes,
        walBytesPerNode: ((await wal()) - before) / nodes,
      });
    }
  } finally {
    await oven.stop();
    await db.close();
  }
}

async function run(oven: TestOven, workflowId: number): Promise<void> {
  let { body } = await oven.call("POST", `workflows/${workflowId}/execute?wait=60`, { input: {} });
  while (body.status === "pending" || body.status === "running") {
    await new Promise((resolve) => setTimeout(resolve, 20));
    ({ body } = await oven.call("GET", `workflow-executions/${body.id}`));
  }
  if (body.status !== "completed") throw new Error(JSON.stringify(body.errorInfo ?? body));
}
