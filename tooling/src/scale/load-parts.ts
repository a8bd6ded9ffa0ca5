import { setTimeout as pause } from "node:timers/promises";
import type { BuiltServer } from "./built-server.ts";
import { followRun } from "./event-stream-client.ts";

const READING_MS = 100;
const LOOK_MS = 500;
const PAGE = 100;
const MOST_ITERATIONS = 10_000;
const BIG_BYTES = 10 * 1_048_576;
const AT_REST_MS = 3_000;

export interface StreamsResult {
  clients: number;
  /** Clients that got each event once and in order, to the end. */
  complete: number;
  /** What one more open stream costs the server. */
  heapBytesEach: number;
  rssBytesEach: number;
  /** From the event that ends the run until the last client had all. */
  deliveredMs: number;
}

/** So many clients follow one run, which waits until all are there and then ends. */
export async function measureStreams(server: BuiltServer, clients: number): Promise<StreamsResult> {
  const workflow = await server.workflow(`Followed ${Date.now()}`, {
    initial: "wait",
    states: { wait: { on: { go: "done" } }, done: { type: "final" } },
  });
  const run = (await server.ask("POST", `workflows/${workflow}/execute`, {})).body.id;
  await server.read();
  const before = await server.read();
  let open = 0;
  const allOpen = Promise.withResolvers<void>();
  const follow = async () => {
    const followed = await followRun(server, run, () => {
      open += 1;
      if (open === clients) allOpen.resolve();
    });
    return followed.complete;
  };
  const reading = Promise.all(Array.from({ length: clients }, follow));
  await Promise.race([allOpen.promise, reading]);
  const during = await server.read();
  const from = performance.now();
  await server.ask("POST", `workflow-executions/${run}/events`, { event: "go" });
  const complete = (await reading).filter((isComplete) => isComplete).length;
  return {
    clients,
    complete,
    heapBytesEach: (during.heapBytes - before.heapBytes) / clients,
    rssBytesEach: (during.rssBytes - before.rssBytes) / clients,
    deliveredMs: performance.now() - from,
  };
}

export interface LongResult {
  steps: number;
  runMs: number;
  /** What was asked of the run afterwards: how long it took, and how much more memory the server had meanwhile at most. */
  asked: { what: string; ms: number; grownBytes: number; status: number; bytes: number }[];
}

/** A run of so many steps, and all that can be asked of it afterwards. @throws Error when it does not complete */
export async function measureLong(server: BuiltServer, steps: number): Promise<LongResult> {
  const workflow = await server.workflow(`Long ${Date.now()}`, longRun(steps));
  const from = performance.now();
  const run = (await server.ask("POST", `workflows/${workflow}/execute`, {})).body.id;
  const status = await untilEnded(server, run);
  if (status !== "completed") throw new Error(`the run of ${steps} steps is ${status}`);
  const runMs = performance.now() - from;
  const path = `workflow-executions/${run}`;
  const asked: LongResult["asked"] = [];
  for (const [what, method, rest] of [
    ["show", "GET", path],
    ["its first nodes", "GET", `${path}/nodes?range=[0,${PAGE - 1}]`],
    ["its last nodes", "GET", `${path}/nodes?range=[${steps - PAGE},${steps - 1}]`],
    ["its last checkpoints", "GET", `${path}/checkpoints?range=[${steps - PAGE},${steps - 1}]`],
    ["replay", "POST", `${path}/replay`],
    ["export", "GET", `${path}/export`],
  ] as const) {
    asked.push({ what, ...(await askWatched(server, method, rest)) });
  }
  return { steps, runMs, asked };
}

/** Reads an answer to its end without keeping it, and the server's memory meanwhile. */
async function askWatched(
  server: BuiltServer,
  method: "GET" | "POST",
  path: string,
): Promise<{ ms: number; grownBytes: number; status: number; bytes: number }> {
  await pause(AT_REST_MS);
  const before = (await server.read()).rssBytes;
  let most = before;
  let isRead = false;
  const watching = (async () => {
    while (!isRead) {
      most = Math.max(most, server.residentBytes());
      await pause(READING_MS);
    }
  })();
  const from = performance.now();
  try {
    const response = await fetch(`${server.url}/${path}`, { method, headers: server.headers });
    let bytes = 0;
    for await (const chunk of response.body ?? []) bytes += chunk.length;
    return { ms: performance.now() - from, grownBytes: most - before, status: response.status, bytes };
  } finally {
    isRead = true;
    await watching;
  }
}

export interface BigResult {
  /** What inputs of that size were answered: `200`, or the status and the code of the error. */
  answers: Record<string, number>;
  bytes: number;
  /** More than before at the most, and once they were gone. */
  mostBytes: number;
  leftBytes: number;
}

/** Inputs of ten megabytes, some at once. */
export async function measureBig(server: BuiltServer, count: number, atOnce: number): Promise<BigResult> {
  const workflow = await server.workflow(`Big ${Date.now()}`, { initial: "done", states: { done: { type: "final" } } });
  const input = { text: "x".repeat(BIG_BYTES) };
  const send = () => server.call("POST", `workflows/${workflow}/execute`, { input });
  // What the first one brings stays: code, buffers of the connections.
  await send();
  await pause(AT_REST_MS);
  await server.read();
  const before = await server.read();
  const answers: Record<string, number> = {};
  let most = before.rssBytes;
  for (let sent = 0; sent < count; sent += atOnce) {
    for (const { status, body } of await Promise.all(Array.from({ length: atOnce }, send))) {
      const what = `${status} ${body?.error?.code ?? ""}`.trim();
      answers[what] = (answers[what] ?? 0) + 1;
    }
    most = Math.max(most, server.residentBytes());
  }
  await pause(AT_REST_MS);
  await server.read();
  const after = await server.read();
  const leftBytes = after.heapBytes - before.heapBytes;
  return { answers, bytes: BIG_BYTES, mostBytes: most - before.rssBytes, leftBytes };
}

async function untilEnded(server: BuiltServer, run: number): Promise<string> {
  for (;;) {
    const filter = encodeURIComponent(JSON.stringify({ id: run }));
    const { body } = await server.ask("GET", `workflow-executions?filter=${filter}&range=[0,0]`);
    const status = String(body[0]?.status);
    if (["completed", "failed", "cancelled"].includes(status)) return status;
    await pause(LOOK_MS);
  }
}

/** Loops one behind the other, for each has a limit of its own. */
function longRun(steps: number): object {
  const states: Record<string, object> = { done: { type: "final" }, failed: { type: "final", outcome: "failed" } };
  const loops = Math.ceil(steps / MOST_ITERATIONS);
  for (let index = 0; index < loops; index += 1) {
    const iterations = Math.min(MOST_ITERATIONS, steps - index * MOST_ITERATIONS);
    const condition = { type: "condition", params: { key: "$.index", operator: "<", value: iterations } };
    const invoke = { src: "core.transform", input: { mapping: { at: "$.index" } }, onDone: `end${index}` };
    states[`loop${index}`] = {
      loop: {
        ...{ type: "while", condition, bodyInitial: `step${index}` },
        bodyStates: { [`step${index}`]: { invoke }, [`end${index}`]: { type: "final" } },
        ...{ maxIterations: iterations, timeoutMs: 3_600_000 },
        ...{ onDone: index === loops - 1 ? "done" : `loop${index + 1}`, onError: "failed" },
      },
    };
  }
  return { initial: "loop0", maxSteps: 100_000, timeoutMs: 3_600_000, states };
}
