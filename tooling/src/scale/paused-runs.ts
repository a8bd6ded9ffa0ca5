import { readFileSync, rmSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { createTestDataDir } from "../../../packages/db/src/testing.ts";
import { type ChaosServer, startChaosServer } from "../chaos/chaos-server.ts";

export interface PausedResult {
  runs: number;
  /** From the start of the process to its first answer, without and with the paused runs. */
  emptyStartMs: number;
  startMs: number;
  /** From the start of the process with them until the first of them was decided and had completed. */
  firstDecisionMs: number;
  /** Resident memory after the start, without and with them. */
  emptyRssBytes: number;
  rssBytes: number;
  /** Of some that were approved after the restart, how many completed. */
  resumed: number;
  problems: string[];
}

const AT_ONCE = 20;
const READINGS = 12;
const READING_MS = 500;
const DEFINITION = {
  initial: "note",
  states: {
    note: { invoke: { src: "core.transform", input: { mapping: { text: "{{ $.trigger.text }}" } }, onDone: "ask" } },
    ask: { invoke: { src: "agent.humanReview", input: { title: "Go on?", show: "$.note_output" }, onDone: "done" } },
    done: { type: "final", output: "$.ask_output.action" },
  },
};

/** Pauses runs, restarts the process, and approves some of them. Undefined `databaseUrl`: PGlite. */
export async function measurePaused(runs: number, resume: number, databaseUrl?: string): Promise<PausedResult> {
  const dataDir = createTestDataDir("oven-paused-");
  const environment = {
    CHAOS_LEDGER_URL: "http://127.0.0.1:9/",
    OVEN_DATA_DIR: dataDir,
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
  };
  const problems: string[] = [];
  let server = await startChaosServer(environment);
  try {
    const made = await server.call("POST", "workflows", { name: "Paused", definition: DEFINITION });
    server = await restart(server, environment, problems);
    const empty = await measure(() => restart(server, environment, problems));
    server = empty.server;
    for (let from = 0; from < runs; from += AT_ONCE) {
      const batch = Array.from({ length: Math.min(AT_ONCE, runs - from) }, (_, index) => from + index);
      const answers = await Promise.all(batch.map((index) => pauseOne(server, made.body.id, index)));
      problems.push(...answers.flatMap((answer) => answer ?? []));
    }
    let decided = 0;
    const decideOne = async (restarted: ChaosServer) => {
      decided = await resumeSome(restarted, 1);
    };
    const full = await measure(() => restart(server, environment, problems), decideOne);
    server = full.server;
    if (decided !== 1) problems.push("the first run that was approved after the restart did not complete");
    const { total } = await server.call("GET", 'workflow-executions?filter={"status":"paused"}&range=[0,0]');
    if (total !== runs - decided) problems.push(`${runs} runs were paused, and ${total} are after the restart`);
    const resumed = await resumeSome(server, resume);
    return {
      runs,
      emptyStartMs: empty.ms,
      startMs: full.ms,
      firstDecisionMs: full.firstMs,
      emptyRssBytes: empty.rssBytes,
      rssBytes: full.rssBytes,
      resumed,
      problems,
    };
  } finally {
    server.signal("SIGKILL");
    await server.exited;
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function pauseOne(server: ChaosServer, workflow: number, index: number): Promise<string | undefined> {
  const text = `run ${index} ${"x".repeat(500)}`;
  const { status, body } = await server.call("POST", `workflows/${workflow}/execute?wait=30`, { input: { text } });
  return status === 200 && body.status === "paused" ? undefined : `a run was answered ${status}, ${body.status}`;
}

async function restart(
  server: ChaosServer,
  environment: Record<string, string>,
  problems: string[],
): Promise<ChaosServer> {
  server.signal("SIGTERM");
  const code = await server.exited;
  if (code !== 0) problems.push(`the process ended with ${code}: ${server.errors()}`);
  return startChaosServer(environment);
}

async function measure(
  start: () => Promise<ChaosServer>,
  first: (server: ChaosServer) => Promise<void> = async () => {},
): Promise<{ server: ChaosServer; ms: number; firstMs: number; rssBytes: number }> {
  const startedAt = performance.now();
  const server = await start();
  const { status } = await server.call("GET", "workflows");
  if (status !== 200) throw new Error(`the server answered ${status}`);
  const ms = Math.round(performance.now() - startedAt);
  await first(server);
  const firstMs = Math.round(performance.now() - startedAt);
  return { server, ms, firstMs, rssBytes: await restingRss(server) };
}

/** The least of several readings: what a start allocates and gives back is not what runs cost. */
async function restingRss(server: ChaosServer): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let reading = 0; reading < READINGS; reading += 1) {
    await pause(READING_MS);
    least = Math.min(least, rssOf(server.pid));
  }
  return least;
}

function rssOf(pid: number): number {
  const [, kibibytes = "0"] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kibibytes) * 1_024;
}

async function resumeSome(server: ChaosServer, count: number): Promise<number> {
  const { body: reviews } = await server.call("GET", `reviews?filter={"status":"open"}&range=[0,${count - 1}]`);
  let resumed = 0;
  for (const { executionId, id, digest } of reviews) {
    const decision = { action: "approve", reviewId: id, digest };
    const { body } = await server.call("POST", `workflow-executions/${executionId}/resume`, decision);
    if (body.status === "completed" && body.output === "approve") resumed += 1;
  }
  return resumed;
}
