import { setTimeout as pause } from "node:timers/promises";
import { CHAOS_KEY, type ChaosServer } from "../chaos/chaos-server.ts";

const BETWEEN_MS = 5;
const CONFIG = { moduleName: "module-workflows", key: "EXECUTION_TIMEOUT_MS", value: 3_600_000 };

export type Reading = "checkpoints" | "replay" | "nodes" | "export" | "detail";

/** A run of so many node runs that has completed; answers its path below `/api`. */
export async function makeLongRun(server: ChaosServer, steps: number): Promise<string> {
  const definition = {
    initial: "count",
    maxSteps: steps + 10,
    context: { n: 0 },
    states: {
      count: {
        invoke: {
          src: "core.transform",
          input: { mapping: { next: { $cel: "ctx.n + 1" }, text: "some words beside the number" } },
          onDone: [
            {
              target: "count",
              guard: { type: "cel", params: { expression: `output.next < ${steps}` } },
              actions: [{ type: "assign", params: { path: "$.n", add: 1 } }],
              reenter: true,
            },
            { target: "done" },
          ],
        },
      },
      done: { type: "final", output: "$.count_output.next" },
    },
  };
  await expectStatus(server.call("POST", "module-configs", CONFIG), 201);
  const workflow = await expectStatus(server.call("POST", "workflows", { name: "Long", definition }), 201);
  const started = await expectStatus(server.call("POST", `workflows/${workflow.id}/execute`, { input: {} }), 202);
  const path = `workflow-executions/${started.id}`;
  for (;;) {
    const [row] = (await server.call("GET", `workflow-executions?filter={"id":${started.id}}`)).body;
    if (row.status === "completed") return path;
    if (row.status !== "running" && row.status !== "pending") throw new Error(`${row.status}: ${row.error}`);
    await pause(250);
  }
}

interface Health {
  p50: number;
  p99: number;
  worst: number;
  /** Until all readers had their answer. */
  seconds: number;
  samples: number;
}

/** Asks for the server's health again and again while the readers read. */
export async function measurePast(server: ChaosServer, run: string, what: Reading, readers: number): Promise<Health> {
  const startedAt = performance.now();
  let isDone = false;
  const reading = Promise.all(Array.from({ length: readers }, () => read(server, run, what))).finally(() => {
    isDone = true;
  });
  const times: number[] = [];
  while (!isDone || times.length < 20) {
    const askedAt = performance.now();
    const { status } = await fetch(`${server.url}/api/health`);
    if (status !== 200) throw new Error(`health answered ${status}`);
    times.push(performance.now() - askedAt);
    await pause(BETWEEN_MS);
  }
  await reading;
  times.sort((one, other) => one - other);
  const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  const seconds = (performance.now() - startedAt) / 1_000;
  return { p50: at(0.5), p99: at(0.99), worst: at(1), seconds, samples: times.length };
}

/** One reader, to the last page. The answer is thrown away: to parse it would hold this process, which measures. */
async function read(server: ChaosServer, run: string, what: Reading): Promise<void> {
  if (what === "replay" || what === "export" || what === "detail") {
    const path = what === "detail" ? run : `${run}/${what}`;
    await discard(server, path, what === "replay" ? "POST" : "GET");
    return;
  }
  for (let first = 0; ; first += 1_000) {
    const total = await discard(server, `${run}/${what}?range=[${first},${first + 999}]`);
    if (first + 1_000 >= (total ?? 0)) return;
  }
}

async function discard(server: ChaosServer, path: string, method = "GET"): Promise<number | undefined> {
  const response = await fetch(`${server.url}/api/${path}`, {
    method,
    headers: { authorization: `Bearer ${CHAOS_KEY}`, "content-type": "application/json" },
    ...(method === "POST" ? { body: "{}" } : {}),
  });
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  if (response.body !== null) for await (const _ of response.body);
  const [, total] = /\/(\d+)$/.exec(response.headers.get("content-range") ?? "") ?? [];
  return total === undefined ? undefined : Number(total);
}

async function expectStatus(call: ReturnType<ChaosServer["call"]>, status: number): Promise<{ id: number }> {
  const answer = await call;
  if (answer.status !== status) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}
