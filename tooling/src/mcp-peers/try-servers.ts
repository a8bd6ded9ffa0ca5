import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { CHAOS_KEY } from "../chaos/chaos-server.ts";
import { versionOf } from "./install.ts";
import type { PeerRow, StepReport } from "./peer-row.ts";
import type { ServerPeer, Stage, ToolCall } from "./server-peers.ts";
import { killChildren, type ServerProcess, startServer } from "./server-process.ts";
import { require, type StartedOven } from "./start-oven.ts";
import type { CallWatch } from "./watch-calls.ts";

const RUN_WITHIN_MS = 60_000;
const POLL_MS = 100;
const LONGEST = 400;

/** A server over HTTP, and what stands before it. */
export interface HttpPlace {
  port: number;
  watch: CallWatch;
}

interface Run {
  id: number;
  status: string;
  output?: unknown;
  errorInfo?: unknown;
}

/** Prepares the directory that servers read, and a page for browsers. */
export async function prepareStage(
  parent: string,
  browserSettings: string,
): Promise<{ stage: Stage; stop(): Promise<void> }> {
  const directory = join(parent, "stage");
  mkdirSync(directory);
  writeFileSync(join(directory, "note.txt"), "flour and water");
  const page = createServer((_request, answer) => {
    answer.setHeader("content-type", "text/html");
    answer.end("<!doctype html><title>Bakery</title><h1>Fresh bread</h1>");
  }).listen(0, "127.0.0.1");
  await once(page, "listening");
  const { port } = page.address() as AddressInfo; // cast: it listens on TCP
  return {
    stage: { directory, browserSettings, pageUrl: `http://127.0.0.1:${port}/` },
    stop: async () => {
      page.closeAllConnections();
      page.close();
      await once(page, "close");
    },
  };
}

/** Connects OVEN to one server, approves its tools, and runs workflows that call them. */
export async function tryServer(
  oven: StartedOven,
  peer: ServerPeer,
  stage: Stage,
  http: HttpPlace | undefined,
): Promise<PeerRow> {
  const steps: StepReport[] = [];
  const { title, name, transport } = peer;
  const row: PeerRow = { title, name, version: versionOf(name), revision: "", transport, steps };
  const step = async (what: string, work: () => Promise<string | undefined>) => {
    const wrong = await work().catch((error: unknown) => String(error));
    steps.push({ step: what, held: wrong === undefined, seen: (wrong ?? "").slice(0, LONGEST) });
  };
  let serving: ServerProcess | undefined;
  try {
    if (http !== undefined)
      serving = await startServer(peer.args(stage, http.port), {
        env: peer.env?.(stage, http.port) ?? {},
        port: http.port,
        directory: stage.directory,
      });
    const connection = await connect(oven, peer, http);
    row.revision = connection.protocolVersion ?? "";
    if (connection.lastError !== null) throw new Error(connection.lastError);
    await step("lists, approved", () => approve(oven, connection.id, peer.calls(stage)));
    const calls = peer.calls(stage);
    await step("called by a run", async () => {
      const run = await runCalls(oven, peer.id, calls);
      if (run.status !== "completed") return JSON.stringify(run.errorInfo ?? run);
      const outputs = run.output as unknown[]; // cast: as `toDefinition` has it
      const wrong = calls.findIndex(
        ({ answers }, index) => !answers.test(JSON.stringify(outputs[index]).replaceAll('\\"', '"')),
      );
      return wrong < 0 ? undefined : `${calls[wrong]?.tool} answered ${JSON.stringify(outputs[wrong])}`;
    });
    const { apart, slow } = peer;
    if (apart === undefined) steps.push({ step: "runs are apart", seen: "" });
    else
      await step("runs are apart", async () => {
        const run = await runCalls(oven, peer.id, [{ tool: apart.tool, given: {}, answers: /./ }]);
        if (run.status !== "completed") return JSON.stringify(run.errorInfo ?? run);
        const text = JSON.stringify(run.output);
        return apart.lacks.test(text) ? `another run saw ${text}` : undefined;
      });
    if (slow === undefined) steps.push({ step: "ended in a call", seen: "" });
    else
      await step("ended in a call", async () => {
        const passedOn = http?.watch.nextCall();
        const begun = await beginRun(oven, peer.id, [{ ...slow, answers: /./ }]);
        if (serving !== undefined) {
          const ended = settled(oven, begun.id);
          const early = await Promise.race([passedOn?.then(() => undefined), ended]);
          if (early !== undefined) return `the run ended before its call: ${JSON.stringify(early)}`;
          await serving.kill();
        } else {
          await untilProgress(oven, begun.id);
          const killed = killChildren(oven.server.pid, peer.args(stage, 0)[0] ?? "");
          if (killed === 0) return "there was no process to end";
        }
        return saysLost(oven, begun.id);
      });
  } catch (error) {
    row.error = String(error).slice(0, LONGEST);
  } finally {
    await serving?.kill();
  }
  return row;
}

interface Connection {
  id: number;
  protocolVersion: string | null;
  lastError: string | null;
}

async function connect({ server }: StartedOven, { id }: ServerPeer, http: HttpPlace | undefined): Promise<Connection> {
  if (http !== undefined)
    return require(server, "POST", "mcp-connections", {
      name: id,
      url: `${http.watch.url}/mcp`,
      auth: { type: "none" },
    });
  const filter = encodeURIComponent(JSON.stringify({ name: id }));
  const [row] = await require(server, "GET", `mcp-connections?filter=${filter}`);
  return require(server, "POST", `mcp-connections/${row.id}/refresh`);
}

/** @returns what is wrong */
async function approve({ server }: StartedOven, id: number, calls: readonly ToolCall[]): Promise<string | undefined> {
  const tools: { id: number; name: string; listedHash: string; state: string; problem: string | null }[] =
    await require(server, "GET", `mcp-connections/${id}/tools`);
  const refused = tools.filter(({ state }) => state === "refused");
  if (refused.length > 0) return refused.map(({ name, problem }) => `${name} is refused: ${problem}`).join("; ");
  const missing = calls.find(({ tool }) => !tools.some(({ name }) => name === tool));
  if (missing !== undefined) return `there is no tool ${missing.tool}`;
  const seen = tools.map((tool) => ({ id: tool.id, hash: tool.listedHash }));
  const { approved } = await require(server, "POST", `mcp-connections/${id}/tools/approve`, {
    tools: seen,
    needsApproval: false,
  });
  return approved === tools.length ? undefined : `${approved} of ${tools.length} tools were approved`;
}

let made = 0;

async function beginRun({ server }: StartedOven, connection: string, calls: readonly ToolCall[]): Promise<Run> {
  const workflow = { name: `Calls ${++made}`, definition: toDefinition(connection, calls) };
  const { id } = await require(server, "POST", "agent-workflows", workflow);
  return require(server, "POST", `agent-workflows/${id}/execute`, { input: {} });
}

async function runCalls(oven: StartedOven, connection: string, calls: readonly ToolCall[]): Promise<Run> {
  return settled(oven, (await beginRun(oven, connection, calls)).id);
}

async function settled({ server }: StartedOven, id: number): Promise<Run> {
  const deadline = Date.now() + RUN_WITHIN_MS;
  for (;;) {
    const run: Run = await require(server, "GET", `agent-workflow-executions/${id}`);
    if (run.status !== "running" && run.status !== "pending") return run;
    if (Date.now() > deadline) throw new Error(`run ${id} still is ${run.status} after ${RUN_WITHIN_MS} ms`);
    await pause(POLL_MS);
  }
}

/** One step for each call; the output of the run is a list of what they answered. */
function toDefinition(connection: string, calls: readonly ToolCall[]): object {
  const states = calls.map(({ tool, given }, index) => {
    const input = { tool: `mcp.${connection}.${tool}`, arguments: given };
    const onDone = index + 1 < calls.length ? `call${index + 1}` : "done";
    return [`call${index}`, { invoke: { src: "mcp.callTool", input, onDone } }];
  });
  const output = calls.map((_call, index) => `$.call${index}_output`);
  return { initial: "call0", states: { ...Object.fromEntries(states), done: { type: "final", output } } };
}

/** Until the server has reported progress of the run's call: then the call is under way. */
async function untilProgress({ server }: StartedOven, run: number): Promise<void> {
  const headers = { authorization: `Bearer ${CHAOS_KEY}`, accept: "text/event-stream" };
  const signal = AbortSignal.timeout(RUN_WITHIN_MS);
  const stream = await fetch(`${server.url}/api/agent-workflow-executions/${run}/events`, { headers, signal });
  let heard = "";
  for await (const chunk of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    heard += chunk;
    if (heard.includes(": progress")) return;
  }
  throw new Error(`run ${run} ended without progress: ${heard.slice(-LONGEST)}`);
}

/** Whether a person is asked if the call happened. @returns what is wrong */
async function saysLost(oven: StartedOven, id: number): Promise<string | undefined> {
  const run = await settled(oven, id);
  if (run.status !== "paused") return `the run is ${JSON.stringify(run)}`;
  const filter = encodeURIComponent(JSON.stringify({ executionId: id, status: "open" }));
  const [review] = await require(oven.server, "GET", `reviews?filter=${filter}`);
  const reason = JSON.stringify(review?.context ?? null);
  await require(oven.server, "POST", `reviews/${review?.id}/decide`, { action: "fail" });
  return /was lost; the call may have happened/.test(reason) ? undefined : reason;
}
