import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { connectDatabase, type Database } from "../../../packages/db/src/index.ts";
import { type LatencyAnswer, type LatencyRequest, monotonicMs, NOTED_STEP } from "./latency-wire.ts";

/** Milliseconds. */
export interface Latency {
  median: number;
  p95: number;
}

const WARM_UP = 20;
/** Long enough for processors to sleep: one that has answers a prepared select after some 0.4 ms instead of 0.03. */
const REST_MS = 20;

const ASKING = {
  initial: "ask",
  states: {
    ask: { invoke: { src: "agent.humanReview", input: { title: "Go on?", show: "x" }, onDone: "next" } },
    next: { invoke: { src: NOTED_STEP, input: {}, onDone: "done" } },
    done: { type: "final" },
  },
};
const ONE_STEP = {
  initial: "next",
  states: { next: { ...ASKING.states.next }, done: { type: "final" } },
};

/** A process of the measurement, and when its nodes were called. */
class LatencyProcess {
  readonly #child: ChildProcess;
  readonly #calls = new Map<number, number>();
  #answer: ((answer: { done: unknown; startedAt: number }) => void) | undefined;
  #onCall: (() => void) | undefined;

  constructor(child: ChildProcess) {
    this.#child = child;
    child.on("message", (answer: LatencyAnswer) => {
      if ("done" in answer) this.#answer?.(answer);
      if (!("called" in answer)) return;
      this.#calls.set(answer.called, answer.at);
      this.#onCall?.();
    });
  }

  static async start(databaseUrl: string, environment: Record<string, string> = {}): Promise<LatencyProcess> {
    const child = fork(join(import.meta.dirname, "latency-process.ts"), {
      env: {
        PATH: process.env.PATH,
        NODE_ENV: "production",
        OVEN_SECRET: "a-secret-of-the-measurement-0123456789",
        OVEN_DEMO: "0",
        DATABASE_URL: databaseUrl,
        ...environment,
      },
    });
    const exited = once(child, "exit").then(([code]) => {
      throw new Error(`a process of the measurement ended with ${code}`);
    });
    const started = new LatencyProcess(child);
    await Promise.race([once(child, "message"), exited]);
    exited.catch(() => undefined);
    return started;
  }

  /** @returns when it began, and what the route answered */
  // biome-ignore lint/suspicious/noExplicitAny: whatever a route answers
  ask(request: LatencyRequest): Promise<{ done: any; startedAt: number }> {
    const { promise, resolve } = Promise.withResolvers<{ done: unknown; startedAt: number }>();
    this.#answer = resolve;
    this.#child.send(request);
    return promise;
  }

  /** When the noted step of a run was called. */
  async calledAt(executionId: number): Promise<number> {
    for (;;) {
      const at = this.#calls.get(executionId);
      if (at !== undefined) return at;
      await new Promise<void>((resolve) => {
        this.#onCall = resolve;
      });
    }
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const exited = once(this.#child, "exit");
    this.#child.kill(signal);
    await exited;
  }
}

/** From a decision to the call of the node behind the review, in a process that has done so before and in ones that have not. */
export async function measureResume(
  databaseUrl: string,
  times: { warm: number; fresh: number },
): Promise<{ service: Latency; route: Latency; rested: Latency; fresh: Latency }> {
  const worker = await LatencyProcess.start(databaseUrl);
  await worker.ask({ method: "POST", path: "agent-workflows", body: { name: "Asking", definition: ASKING } });
  const service: number[] = [];
  const route: number[] = [];
  const rested: number[] = [];
  const through = async (ways: { values: number[]; overRoute: boolean; restMs: number }[]) => {
    for (let index = 0; index < times.warm + WARM_UP; index++) {
      for (const { values, overRoute, restMs } of ways) {
        const review = await pauseRun(worker);
        await pause(restMs);
        const took = await decide(worker, review, overRoute);
        if (index >= WARM_UP) values.push(took);
      }
    }
  };
  await through([
    { values: service, overRoute: false, restMs: 0 },
    { values: route, overRoute: true, restMs: 0 },
  ]);
  await through([{ values: rested, overRoute: false, restMs: REST_MS }]);
  const reviews: PausedRun[] = [];
  for (let index = 0; index < times.fresh; index++) reviews.push(await pauseRun(worker));
  await worker.end("SIGTERM");
  const fresh: number[] = [];
  for (const review of reviews) {
    const process = await LatencyProcess.start(databaseUrl);
    await pause(1_000);
    fresh.push(await decide(process, review, false));
    await process.end("SIGTERM");
  }
  return {
    service: toLatency(service),
    route: toLatency(route),
    rested: toLatency(rested),
    fresh: toLatency(fresh),
  };
}

interface PausedRun {
  executionId: number;
  reviewId: number;
  digest: string;
}

async function pauseRun(worker: LatencyProcess): Promise<PausedRun> {
  const path = "agent-workflows/asking/execute?wait=10";
  const { done: run } = await worker.ask({ method: "POST", path, body: { input: {} } });
  const filter = encodeURIComponent(JSON.stringify({ executionId: run.id }));
  const { done: reviews } = await worker.ask({ method: "GET", path: `reviews?filter=${filter}` });
  const [{ id: reviewId, digest }] = reviews;
  return { executionId: run.id, reviewId, digest };
}

async function decide(worker: LatencyProcess, review: PausedRun, overRoute: boolean): Promise<number> {
  const { executionId, reviewId, digest } = review;
  const body = { action: "approve", digest };
  const request: LatencyRequest = overRoute
    ? { method: "POST", path: `reviews/${reviewId}/decide`, body }
    : { decide: { reviewId, digest } };
  const { startedAt } = await worker.ask(request);
  return (await worker.calledAt(executionId)) - startedAt;
}

/** From the start of a run in a process that works on none, to the call of its first node in one that does. */
export async function measureDispatch(
  databaseUrl: string,
  runs: number,
): Promise<{ service: Latency; route: Latency }> {
  const server = await LatencyProcess.start(databaseUrl, { OVEN_WORKER: "0" });
  const worker = await LatencyProcess.start(databaseUrl);
  await server.ask({ method: "POST", path: "agent-workflows", body: { name: "One step", definition: ONE_STEP } });
  const service: number[] = [];
  const route: number[] = [];
  const ways: { values: number[]; request: LatencyRequest }[] = [
    { values: service, request: { start: { workflow: "one-step" } } },
    { values: route, request: { method: "POST", path: "agent-workflows/one-step/execute", body: { input: {} } } },
  ];
  for (let index = 0; index < runs + WARM_UP; index++) {
    for (const { values, request } of ways) {
      const { done: run, startedAt } = await server.ask(request);
      const took = (await worker.calledAt(run.id)) - startedAt;
      if (index >= WARM_UP) values.push(took);
      await pause(REST_MS);
    }
  }
  await server.end("SIGTERM");
  await worker.end("SIGTERM");
  return { service: toLatency(service), route: toLatency(route) };
}

/** From the end of a killed worker's lease to the call of the next node elsewhere, of a run with so many finished steps. */
export async function measureRecovery(databaseUrl: string, steps: number, kills: number): Promise<Latency> {
  const values: number[] = [];
  const survivor = await LatencyProcess.start(databaseUrl, { OVEN_WORKER_CONCURRENCY: "10" });
  const body = { name: "Long", definition: countingTo(steps) };
  await survivor.ask({ method: "POST", path: "agent-workflows", body });
  const db = await connectDatabase({ url: databaseUrl, dataDir: "unused" });
  for (let kill = 0; kill < kills; kill++) {
    const killed = await LatencyProcess.start(databaseUrl);
    const { done: run } = await killed.ask({
      method: "POST",
      path: "agent-workflows/long/execute",
      body: { input: {} },
    });
    await killed.calledAt(run.id);
    await killed.end("SIGKILL");
    const endedAt = await leaseEnd(db, run.id);
    values.push((await survivor.calledAt(run.id)) - endedAt);
  }
  await db.close();
  await survivor.end("SIGKILL");
  return toLatency(values);
}

/** When nobody holds the run any more, on the machine's clock. */
async function leaseEnd(db: Database, executionId: number): Promise<number> {
  const [run] = await db.query<{ lease_until: Date }>(
    "select lease_until from agent_workflow_executions where id = $1",
    [executionId],
  );
  if (run === undefined) throw new Error(`execution ${executionId} is gone`);
  return monotonicMs() + (run.lease_until.getTime() - Date.now());
}

/** A loop of so many steps, and one that never ends behind it. */
function countingTo(steps: number): object {
  const ended = { end: { type: "final" } };
  const step = { invoke: { src: "core.transform", input: { mapping: { text: "x".repeat(150) } }, onDone: "end" } };
  return {
    initial: "again",
    maxSteps: 100_000,
    timeoutMs: 3_600_000,
    states: {
      again: {
        loop: {
          type: "while",
          condition: { type: "condition", params: { key: "$.index", operator: "<", value: steps } },
          bodyInitial: "step",
          bodyStates: { step, ...ended },
          maxIterations: steps,
          timeoutMs: 3_600_000,
          onDone: "hold",
          onError: "done",
        },
      },
      hold: { invoke: { src: NOTED_STEP, input: { hold: true }, timeoutMs: 3_600_000, onDone: "done" } },
      done: { type: "final" },
    },
  };
}

function toLatency(values: readonly number[]): Latency {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
  return { median: at(0.5), p95: at(0.95) };
}
