import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { McpHarness } from "./mcp-calls.ts";
import { callTool, type McpTarget } from "./mcp-wire.ts";

/** Calls before any is counted: until then both servers run code that is not compiled yet, and ours has more of it. */
const WARM_UP = 4_000;
/** Calls of one after the other, before it is another one's turn: what else the machine does falls on all of them alike. */
const TURN = 50;
const GIVEN = { word: "bread" };

export interface McpLatency {
  /** Medians, in milliseconds. */
  echoMs: number;
  workflowMs: number;
  /** An echo that writes what it hears down, as one row, before it answers; on PostgreSQL only. */
  keptMs?: number;
  /** The first two with the SDK's client, which checks what it gets. */
  clientEchoMs: number;
  clientWorkflowMs: number;
  /** The same run over REST: what is left is what MCP takes. */
  restMs: number;
}

/** A call of a workflow of one node, beside one of the SDK's own server that only echoes, each in a process of its own; by turns. */
export async function compareWithEcho(harness: McpHarness, calls: number): Promise<McpLatency> {
  const echo = await startEcho(harness.databaseUrl);
  const body = { input: GIVEN };
  const [echoClient, workflowClient] = await Promise.all([connect(echo.target), connect(harness.target("echo"))]);
  const measured = {
    echoMs: (id: number) => call(echo.target, id),
    workflowMs: (id: number) => call(harness.target("echo"), id),
    ...(harness.databaseUrl === undefined ? {} : { keptMs: (id: number) => call(echo.target, id, "keep") }),
    clientEchoMs: () => callWith(echoClient),
    clientWorkflowMs: () => callWith(workflowClient),
    restMs: () => harness.server.call("POST", "agent-workflows/echo/execute?wait=10", body),
  };
  try {
    const works = Object.entries(measured);
    await byTurns(works, WARM_UP);
    return (await byTurns(works, calls)) as unknown as McpLatency; // cast: its keys are those of `measured`
  } finally {
    await Promise.all([echoClient.close(), workflowClient.close()]);
    await echo.stop();
  }
}

async function startEcho(databaseUrl: string | undefined): Promise<{ target: McpTarget; stop(): Promise<void> }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "echo-process.ts")], {
    stdio: ["pipe", "pipe", "inherit"],
    env: {
      PATH: process.env.PATH,
      NODE_ENV: "production",
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    },
  });
  const exited = once(child, "exit");
  const [line] = await Promise.race([
    once(createInterface(child.stdout), "line"),
    exited.then(([code]) => {
      throw new Error(`the echo ended with ${code}`);
    }),
  ]);
  const port = Number(String(line).split(" ")[1]);
  return {
    target: { url: `http://127.0.0.1:${port}/api/mcp`, key: "none" },
    stop: async () => {
      child.stdin.end();
      await exited;
    },
  };
}

async function connect({ url, key }: McpTarget): Promise<Client> {
  const client = new Client({ name: "scale", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
  const headers = { authorization: `Bearer ${key}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return client;
}

async function call(target: McpTarget, id: number, tool = "echo"): Promise<void> {
  const { result } = await callTool(target, id, tool, GIVEN);
  if (result === undefined || result.isError === true) throw new Error(`a call failed: ${JSON.stringify(result)}`);
}

async function callWith(client: Client): Promise<void> {
  const result = await client.callTool({ name: "echo", arguments: GIVEN });
  if (result.isError === true) throw new Error(`a call failed: ${JSON.stringify(result)}`);
}

/** Each of them `calls` times. @returns the medians by name, in milliseconds */
async function byTurns(
  works: readonly [name: string, work: (id: number) => Promise<unknown>][],
  calls: number,
): Promise<Record<string, number>> {
  const times = new Map(works.map(([name]) => [name, [] as number[]]));
  for (let turn = 0; turn < calls; turn += TURN) {
    for (const [name, work] of works) {
      for (let id = turn; id < turn + TURN; id++) {
        const startedAt = performance.now();
        await work(id);
        times.get(name)?.push(performance.now() - startedAt);
      }
    }
  }
  return Object.fromEntries([...times].map(([name, all]) => [name, medianOf(all)]));
}

function medianOf(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;
}
