import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CHAOS_KEY, type ChaosServer, startChaosServer } from "../chaos/chaos-server.ts";
import { callTool, inParallel, type McpTarget } from "./mcp-wire.ts";

const ECHO = {
  initial: "say",
  states: {
    say: { invoke: { src: "core.transform", input: { mapping: { word: "$.trigger.word" } }, onDone: "done" } },
    done: { type: "final", output: "$.say_output" },
  },
};
const ASKING = {
  initial: "ask",
  states: {
    ask: { invoke: { src: "agent.humanReview", input: { title: "Go on?", show: "$.trigger.word" }, onDone: "done" } },
    done: { type: "final", output: { word: "$.trigger.word", action: "$.ask_output.action" } },
  },
};
const LANES = 10;

/** A server in a process of its own, with two workflows that MCP clients can call. */
export interface McpHarness {
  server: ChaosServer;
  /** Undefined: PGlite. */
  databaseUrl: string | undefined;
  target(slug: string, key?: string): McpTarget;
  keys(count: number): Promise<string[]>;
  /** Kills the process, and starts another on the same database. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Undefined `databaseUrl`: PGlite. */
export async function startMcpHarness(databaseUrl?: string): Promise<McpHarness> {
  const dataDir = mkdtempSync(join(tmpdir(), "oven-mcp-"));
  const environment = {
    CHAOS_LEDGER_URL: "http://127.0.0.1:9/",
    CHAOS_NODE_OPTIONS: "--expose-gc",
    OVEN_DATA_DIR: dataDir,
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
  };
  const harness: McpHarness = {
    databaseUrl,
    server: await startChaosServer(environment),
    target: (slug, key = CHAOS_KEY) => ({ url: `${harness.server.url}/api/mcp/${slug}`, key }),
    keys: async (count) => {
      const keys: string[] = [];
      for (let index = 0; index < count; index++) {
        const key = { name: `client ${index}`, permissions: ["agent-workflows.execute", "reviews.decide"] };
        keys.push((await harness.server.call("POST", "api-keys", key)).body.key);
      }
      return keys;
    },
    restart: async () => {
      harness.server.signal("SIGKILL");
      await harness.server.exited;
      harness.server = await startChaosServer(environment);
    },
    stop: async () => {
      harness.server.signal("SIGKILL");
      await harness.server.exited;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
  for (const [name, definition] of Object.entries({ Echo: ECHO, Asking: ASKING })) {
    const made = await harness.server.call("POST", "agent-workflows", { name, mcpExport: true, definition });
    if (made.status !== 201) throw new Error(`the workflow was not made: ${JSON.stringify(made.body)}`);
  }
  // Calls are limited per client and tool; here as many as come are meant to be made.
  const limit = { moduleName: "module-workflow-agents", key: "MCP_TOOL_CALLS_PER_MINUTE", value: 1_000_000 };
  await harness.server.call("POST", "module-configs", limit);
  // One person owns all the keys here, and decides what they have started.
  const own = { moduleName: "module-workflow-agents", key: "MCP_DECIDE_OWN_RUNS", value: true };
  await harness.server.call("POST", "module-configs", own);
  return harness;
}

/** Two clients that count their requests alike. @returns calls whose answer was not their own, in words */
export async function callInterleaved({ target, keys }: McpHarness, calls: number): Promise<string[]> {
  const clients = (await keys(2)).map((key) => target("echo", key));
  const crossed: string[] = [];
  await Promise.all(
    clients.map((client, which) =>
      inParallel(calls / clients.length, LANES, async (id) => {
        const word = `${which}-${id}-${randomUUID()}`;
        const answer = await callTool(client, id, "echo", { word });
        const output = answer.result?.structuredContent?.output as { word?: string } | undefined; // cast: what the workflow ends with
        if (answer.id !== id || output?.word !== word)
          crossed.push(`client ${which}, request ${id}: ${JSON.stringify(answer).slice(0, 300)}`);
      }),
    ),
  );
  return crossed;
}

/** Calls that wait for a person, over a restart. @returns what did not get its own result, in words */
export async function pauseOverRestart(harness: McpHarness, calls: number): Promise<string[]> {
  const lost: string[] = [];
  const paused: { run: { id: number }; pending: { reviewId: number; digest: string } }[] = [];
  await inParallel(calls, calls, async (id) => {
    const answer = await callTool(harness.target("asking"), id, "asking", { word: `call ${id}` });
    const envelope = answer.result?.structuredContent;
    if (envelope?.status !== "paused") lost.push(`call ${id}: ${JSON.stringify(answer).slice(0, 300)}`);
    else paused[id] = envelope as unknown as (typeof paused)[number]; // cast: the tool's output schema
  });
  await harness.restart();
  await inParallel(calls, LANES, async (id) => {
    const call = paused[id];
    if (call === undefined) return;
    const { reviewId, digest } = call.pending;
    await callTool(harness.target("asking"), id, "answer_review", { reviewId, digest, action: "approve" });
    const given = { id: call.run.id, wait: 30 };
    const { result } = await callTool(harness.target("asking"), id, "get_run", given);
    const { status, output } = result?.structuredContent ?? {};
    if (status !== "completed" || JSON.stringify(output) !== JSON.stringify({ word: `call ${id}`, action: "approve" }))
      lost.push(`call ${id}: ${JSON.stringify(result).slice(0, 300)}`);
  });
  return lost;
}
