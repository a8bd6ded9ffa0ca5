import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type ChaosServer, startChaosServer } from "./chaos-server.ts";
import { startLedger } from "./effect-ledger.ts";

/** What each misbehaving node must come to; `ends`: it takes its process with it. */
export const POISON: readonly { node: string; status: "completed" | "failed"; code?: RegExp; ends?: boolean }[] = [
  { node: "throws", status: "failed", code: /^NODE_ERROR$/ },
  { node: "throwsNothing", status: "failed", code: /^NODE_ERROR$/ },
  { node: "hangs", status: "failed", code: /^NODE_TIMEOUT$/ },
  { node: "huge", status: "failed", code: /^OUTPUT_LIMIT$/ },
  // More than the process can hold: where that ends it, the run fails once its calls were lost often enough.
  { node: "larger", status: "failed", code: /^OUTPUT_LIMIT$|^NODE_ERROR$|^NODE_LOST$/, ends: true },
  { node: "circular", status: "failed", code: /^OUTPUT_|^NODE_ERROR$/ },
  { node: "exits", status: "failed", code: /^NODE_LOST$/, ends: true },
  { node: "exhausts", status: "failed", code: /^NODE_LOST$/, ends: true },
];

const NEIGHBOURS = 5;
const DEADLINE_MS = 240_000;

/** Runs one misbehaving node beside well-behaved runs, starting the process again when it ends. */
export async function runPoison(node: string): Promise<{ problems: string[]; starts: number; ms: number }> {
  const ledger = await startLedger();
  const dataDir = mkdtempSync(join(tmpdir(), "oven-poison-"));
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
    const neighbours = [];
    for (let index = 0; index < NEIGHBOURS; index += 1) neighbours.push(await execute(server, healthy));
    const bad = await execute(server, poisoned);
    for (;;) {
      if (Date.now() - startedAt > DEADLINE_MS)
        return { problems: [`${node} does not come to an end`], starts, ms: Date.now() - startedAt };
      const rows = await readRuns(server, [bad, ...neighbours]);
      if (rows === undefined) {
        await server.exited;
        starts += 1;
        server = await startChaosServer(environment);
        continue;
      }
      if (rows.every(({ status }) => ["completed", "failed", "cancelled"].includes(status))) {
        const expected = POISON.find((entry) => entry.node === node);
        for (const { id, status, errorInfo } of rows) {
          const isBad = id === bad;
          if (
            status !== (isBad ? expected?.status : "completed") ||
            (isBad && expected?.code && !expected.code.test(errorInfo?.code ?? ""))
          )
            problems.push(`${isBad ? node : "a neighbour"} is ${status}: ${JSON.stringify(errorInfo)?.slice(0, 300)}`);
        }
        // Afterwards the process still takes work.
        const after = await execute(server, healthy, "?wait=10");
        const [last] = (await readRuns(server, [after])) ?? [];
        if (last?.status !== "completed") problems.push(`a run after ${node} is ${last?.status}`);
        return { problems, starts, ms: Date.now() - startedAt };
      }
      await pause(50);
    }
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

async function execute(server: ChaosServer, workflow: number, query = ""): Promise<number> {
  const { body } = await server.call("POST", `workflows/${workflow}/execute${query}`, {});
  return body.id;
}

interface RunRow {
  id: number;
  status: string;
  errorInfo: { code: string } | null;
}

/** Undefined when the process is gone, or going. */
async function readRuns(server: ChaosServer, ids: readonly number[]): Promise<RunRow[] | undefined> {
  try {
    const { body } = await server.call("GET", `workflow-executions?filter={"id":[${ids}]}&range=[0,99]`);
    return body;
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
