import { rmSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { createTestDataDir } from "../../../packages/db/src/testing.ts";
import { type ChaosServer, callUnlessGone, startChaosServer } from "./chaos-server.ts";
import { startLedger } from "./effect-ledger.ts";

/** What each misbehaving node must come to; `ends`: it takes its process with it. */
export const POISON: readonly { node: string; status: "completed" | "failed"; code?: RegExp; ends?: boolean }[] = [
  { node: "throws", status: "failed", code: /^NODE_ERROR$/ },
  { node: "throwsNothing", status: "failed", code: /^NODE_ERROR$/ },
  { node: "hangs", status: "failed", code: /^NODE_TIMEOUT$/ },
  { node: "huge", status: "failed", code: /^BLOB_TOO_LARGE$/ },
  // More than the process can hold: where that ends it, the run fails once its calls were lost often enough.
  { node: "larger", status: "failed", code: /^OUTPUT_LIMIT$|^NODE_ERROR$|^NODE_LOST$/, ends: true },
  { node: "circular", status: "failed", code: /^OUTPUT_|^NODE_ERROR$/ },
  { node: "exits", status: "failed", code: /^NODE_LOST$/, ends: true },
  // Where memory is slow to fill, its time is over first, and what goes on regardless ends the process afterwards.
  { node: "exhausts", status: "failed", code: /^NODE_LOST$|^NODE_TIMEOUT$/, ends: true },
];

const NEIGHBOURS = 5;
const DEADLINE_MS = 240_000;

/** Runs one misbehaving node beside well-behaved runs, starting the process again when it ends. */
export async function runPoison(node: string): Promise<{ problems: string[]; starts: number; ms: number }> {
  const ledger = await startLedger();
  const dataDir = createTestDataDir("oven-poison-");
  const environment = {
    CHAOS_LEDGER_URL: ledger.url,
    OVEN_DATA_DIR: dataDir,
    CHAOS_NODE_OPTIONS: "--max-old-space-size=512",
  };
  const startedAt = Date.now();
  let starts = 1;
  let server: ChaosServer = await startChaosServer(environment);
  const problems: string[] = [];
  try {
    const poisoned = await makeWorkflow(server, `chaos.${node}`);
    const healthy = await makeWorkflow(server, "chaos.idempotent");
    const restart = async (): Promise<void> => {
      if (Date.now() - startedAt > DEADLINE_MS) throw new Error(`${node} does not come to an end`);
      await server.exited;
      starts += 1;
      server = await startChaosServer(environment);
    };
    // A node may be faster than the answer that its run was accepted: whoever asks again with the same key gets the same run.
    const accept = async (workflow: number, key: string): Promise<number> => {
      for (;;) {
        const id = await execute(server, workflow, key);
        if (id !== undefined) return id;
        await restart();
      }
    };
    const ended = async (ids: readonly number[]): Promise<RunRow[]> => {
      for (;;) {
        const rows = await readRuns(server, ids);
        if (rows === undefined) await restart();
        else if (rows.every(({ status }) => ["completed", "failed", "cancelled"].includes(status))) return rows;
        else await pause(50);
        if (Date.now() - startedAt > DEADLINE_MS) throw new Error(`${node} does not come to an end`);
      }
    };
    const neighbours = [];
    for (let index = 0; index < NEIGHBOURS; index += 1) neighbours.push(await accept(healthy, `neighbour-${index}`));
    const bad = await accept(poisoned, "bad");
    const expected = POISON.find((entry) => entry.node === node);
    for (const { id, status, errorInfo } of await ended([bad, ...neighbours])) {
      const isBad = id === bad;
      if (
        status !== (isBad ? expected?.status : "completed") ||
        (isBad && expected?.code && !expected.code.test(errorInfo?.code ?? ""))
      )
        problems.push(`${isBad ? node : "a neighbour"} is ${status}: ${JSON.stringify(errorInfo)?.slice(0, 300)}`);
    }
    // Afterwards work is still taken, be it by the next process: what a node left behind may end this one yet.
    const [last] = await ended([await accept(healthy, "after")]);
    if (last?.status !== "completed") problems.push(`a run after ${node} is ${last?.status}`);
    return { problems, starts, ms: Date.now() - startedAt };
  } finally {
    server.signal("SIGKILL");
    await server.exited;
    await ledger.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function makeWorkflow(server: ChaosServer, src: string): Promise<number> {
  const definition = { initial: "a", states: { a: { invoke: { src, onDone: "done" } }, done: { type: "final" } } };
  const { status, body } = await server.call("POST", "workflows", { name: src, definition });
  if (status !== 201) throw new Error(`the workflow was not taken: ${JSON.stringify(body)}`);
  return body.id;
}

/** Undefined when the process was gone before it answered. */
function execute(server: ChaosServer, workflow: number, key: string): Promise<number | undefined> {
  return callUnlessGone(server, async () => {
    const headers = { "idempotency-key": key };
    const { status, body } = await server.call("POST", `workflows/${workflow}/execute`, {}, headers);
    if (status >= 400) throw new Error(`the run was not accepted: ${JSON.stringify(body)}`);
    return body.id;
  });
}

interface RunRow {
  id: number;
  status: string;
  errorInfo: { code: string } | null;
}

/** Undefined when the process is gone. */
function readRuns(server: ChaosServer, ids: readonly number[]): Promise<RunRow[] | undefined> {
  return callUnlessGone(server, async () => {
    const { body } = await server.call("GET", `workflow-executions?filter={"id":[${ids}]}&range=[0,99]`);
    return body;
  });
}
