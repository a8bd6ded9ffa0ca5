import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ChaosServer, startChaosServer } from "../chaos/chaos-server.ts";

export interface OperatorServer {
  name: string;
  command: string;
  args: string[];
  env?: Record<string, string>;
}

export interface StartedOven {
  server: ChaosServer;
  /** Of a client: it may run and decide, and nothing else. */
  key: string;
  /** Removed at the end. */
  directory: string;
  stop(): Promise<void>;
}

const ORDER = {
  initial: "route",
  payloadSchema: {
    type: "object",
    properties: { word: { type: "string" }, ask: { type: "boolean" } },
    required: ["word", "ask"],
  },
  states: {
    route: {
      always: [
        { target: "ask", guard: { type: "condition", params: { key: "$.trigger.ask", operator: "==", value: true } } },
        { target: "done" },
      ],
    },
    ask: { invoke: { src: "agent.humanReview", input: { title: "Send it?", show: "$.trigger.word" }, onDone: "sent" } },
    sent: { type: "final", output: { word: "$.trigger.word", action: "$.ask_output.action" } },
    done: { type: "final", output: { word: "$.trigger.word" } },
  },
};

/**
 * An OVEN in a process of its own with the embedded database, a workflow `order` that clients can call, and these servers in its operator's
 * file.
 * @param origins that it may call
 */
export async function startOven(operatorServers: readonly OperatorServer[], origins: readonly string[]) {
  const directory = mkdtempSync(join(tmpdir(), "oven-mcp-peers-"));
  const file = join(directory, "servers.json");
  writeFileSync(file, JSON.stringify({ servers: operatorServers }));
  const server = await startChaosServer({
    CHAOS_LEDGER_URL: "http://127.0.0.1:9/",
    OVEN_DATA_DIR: join(directory, "data"),
    OVEN_MCP_SERVERS_FILE: file,
    OVEN_OUTBOUND_ALLOW: origins.join(","),
  });
  const order = { name: "Order", mcpExport: true, definition: ORDER };
  await require(server, "POST", "agent-workflows", order);
  // The client's person has started the runs whose reviews the client answers.
  const own = { moduleName: "module-workflow-agents", key: "MCP_DECIDE_OWN_RUNS", value: true };
  await require(server, "POST", "module-configs", own);
  const { key } = await require(server, "POST", "api-keys", {
    name: "client",
    permissions: ["agent-workflows.execute", "reviews.decide"],
  });
  const started: StartedOven = {
    server,
    key,
    directory,
    stop: async () => {
      server.signal("SIGTERM");
      await server.exited;
      rmSync(directory, { recursive: true, force: true });
    },
  };
  return started;
}

/** @throws Error unless it was answered with 2xx */
// biome-ignore lint/suspicious/noExplicitAny: the harness looks into whatever came back
export async function require(server: ChaosServer, method: string, path: string, body?: unknown): Promise<any> {
  const answer = await server.call(method, path, body);
  if (answer.status >= 200 && answer.status < 300) return answer.body;
  throw new Error(`${method} ${path} was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
}
