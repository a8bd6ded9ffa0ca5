import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { connectDatabase } from "@oven/db";
import { createTestPostgres } from "@oven/db/testing";
import { installedModules } from "@oven/installation";
import { createRuntime } from "@oven/module-registry";
import { type ModelReply, startModelServer, startTestOven, type TestOven } from "@oven/testing";
import { afterEach, expect, inject, it } from "vitest";
import { startWorker } from "./testing/worker-process.ts";

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanUp.splice(0).toReversed()) await clean();
});

const MODEL = "openai:gpt-4o-mini";

/** A run of each of the formats that ask models, in which FIRST answers at once and SECOND only when the test says so. */
async function startOthers(oven: TestOven): Promise<void> {
  const send = async (method: string, path: string, body?: object) => {
    const answer = await oven.call(method, path, body);
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body;
  };
  const executor = (id: string, word: string) => ({
    ...{ executor_id: id, name: id, model: "gpt-4o-mini", tools: [], output_schema: { ok: "bool" } },
    system_prompt: `You are ${word} of chain.`,
  });
  const chain = await send("POST", "executor-chains", {
    ...{ name: "Chain", description: "Two executors" },
    executors: [executor("one", "FIRST"), executor("two", "SECOND")],
  });
  await send("POST", `executor-chains/${chain.workflow_id}/run`, { wait: 0 });

  const linear = await send("POST", "linear-workflows", { name: "Linear", description: "Two steps" });
  await send("PUT", `linear-workflows/${linear.uuid}/trigger`, { type_id: "manual" });
  for (const word of ["FIRST", "SECOND"]) {
    const { steps } = await send("POST", `linear-workflows/${linear.uuid}/steps`, { type: "custom_llm", name: word });
    const step = await send("GET", `linear-llm-steps/${steps.at(-1)}`);
    const prompt = { ...step, model: MODEL, system_prompt: `You are ${word} of linear.` };
    await send("PUT", `linear-llm-steps/${step.uuid}`, prompt);
  }
  await send("POST", `linear-workflows/${linear.uuid}/instances`, { triggering_data: { topic: "otters" } });

  for (const word of ["FIRST", "SECOND"])
    await send("POST", "agents", { name: word, model: MODEL, systemPrompt: `You are ${word} of routed.` });
  const node = (word: string) => ({
    ...{ id: word, workflowId: "routed", nodeType: "AGENT", nodeName: word, agentId: word.toLowerCase() },
  });
  const edge = (from: string, to: string | null) => ({
    ...{ id: `${from}-${to}`, workflowId: "routed", sourceNodeId: from, targetNodeId: to },
    ...{ conditionType: "CONDITIONAL", conditionValue: to ?? "END" },
  });
  await send("PUT", "routed-graphs/routed", {
    ...{ id: "routed", name: "Routed", description: "", isConversational: true, entrypointNodeId: "FIRST" },
    nodes: [node("FIRST"), node("SECOND")],
    edges: [edge("FIRST", "SECOND"), edge("SECOND", null)],
  });
  await send("POST", "routed-graphs/routed/conversations", { message: "Hello" });
}

function answerOf(word: string, format: string): ModelReply {
  if (format === "chain") return { text: '{"ok": true}' };
  if (format === "linear") return { text: "Done." };
  const [name, args] = word === "FIRST" ? ["set_next", { next: "SECOND" }] : ["end", {}];
  return { text: "Said.", toolCalls: [{ id: "c1", name, arguments: args }] };
}

it("runs of all four formats go on where they were when their process is killed: nothing finished runs again, what is asked stays asked, and each has its node runs, checkpoints and events [002-051] [002-072]", async () => {
  const database = await createTestPostgres(inject("postgresUrl"));
  cleanUp.push(database.drop);
  /** A service that the steps call: `/held` is answered when the test says so. */
  const calls: string[] = [];
  let letGo = false;
  const ledger = createServer(({ url = "" }, response) => {
    calls.push(url);
    if (url !== "/held" || letGo) response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((done) => ledger.listen(0, "127.0.0.1", done));
  cleanUp.push(() => {
    ledger.closeAllConnections();
    ledger.close();
  });
  const { port } = ledger.address() as AddressInfo; // cast: it listens on TCP
  const origin = `http://127.0.0.1:${port}`;
  const spoken: string[] = [];
  const models = await startModelServer(
    ({ body }) => {
      const text = JSON.stringify(body);
      const [, word, format] = /You are (FIRST|SECOND) of (\w+)/.exec(text) ?? [];
      // Of data, and of what steps are told to do.
      const isSummary = text.includes("Summarise the data") || text.includes("Say in one short sentence");
      if (word === undefined || format === undefined || isSummary) return { text: "In short." };
      spoken.push(`${format} ${word}`);
      return word === "SECOND" && !letGo ? { text: "Never.", stallAfter: 0 } : answerOf(word, format);
    },
    { models: ["gpt-4o-mini"] },
  );
  cleanUp.push(() => models.close());
  const db = await connectDatabase({ url: database.url, dataDir: "unused" });
  cleanUp.push(() => db.close());
  // The API's process works on no runs itself.
  const oven = await startTestOven({
    createRuntime,
    db,
    modules: installedModules({ demo: false }),
    environment: {
      variables: { OPENAI_BASE_URL: models.url },
      worker: { enabled: false, concurrency: 50, drainMs: 1_000 },
    },
  });
  cleanUp.push(() => oven.stop());
  const env = { DATABASE_URL: database.url, OVEN_OUTBOUND_ALLOW: origin, OPENAI_BASE_URL: models.url };
  const call = (path: string) => ({ function: "core.http", input: { method: "POST", url: `${origin}${path}` } });
  const graph = await oven.call("POST", "session-graphs", {
    workflow_id: "killed",
    steps: {
      root: call("/once"),
      ask: { function: "utils.request.request", input: { prompt: "Which region?" } },
      held: call("/held"),
      end: {
        function: "core.transform",
        input: { mapping: { region: "@{SESSION_ID}.ask.response", held: "@{SESSION_ID}.held.status" } },
      },
    },
    next: [
      { from: "root", to: "ask" },
      { from: "root", to: "held" },
      { from: "ask", to: "end" },
    ],
  });
  expect(graph.status, JSON.stringify(graph.body)).toBe(201);
  const { body: session } = await oven.call("POST", "session-graphs/killed/sessions");
  // Nobody works on it yet: it is as it was made.
  expect(session).toMatchObject({
    status: "pending",
    state: {
      id: session.id,
      workflow: { root: { status: "active", error: "" } },
      last_evaluated: 0,
      data: { outputs: {}, messages: [] },
    },
  });
  await startOthers(oven);
  const asked = (word: string) => spoken.filter((one) => one.endsWith(word)).toSorted();
  const look = async () => (await oven.call("GET", `graph-sessions/${session.id}`)).body;
  const first = await startWorker(env);
  cleanUp.push(() => first.signal("SIGKILL"));
  await expect.poll(() => calls.includes("/held")).toBe(true);
  await expect.poll(async () => (await look()).waiting[0]?.schema ?? null).not.toBeNull();
  await expect.poll(() => asked("SECOND")).toEqual(["chain SECOND", "linear SECOND", "routed SECOND"]);
  first.signal("SIGKILL");
  await first.ended;
  const before = await look();
  letGo = true;
  const second = await startWorker(env);
  cleanUp.push(async () => {
    second.signal("SIGKILL");
    await second.ended;
  });
  // Fifteen seconds of lease in one step.
  await db.query("update agent_workflow_executions set lease_until = now() - interval '1 second'");
  await expect.poll(async () => (await look()).status).toBe("waiting");
  const after = await look();
  expect(after.waiting).toEqual(before.waiting);
  expect(after.state.data.outputs.root).toEqual(before.state.data.outputs.root);
  const answered = await oven.call("POST", `graph-sessions/${session.id}/input`, {
    step: "ask",
    input: { response: "Bern" },
  });
  expect(answered.status, JSON.stringify(answered.body)).toBe(200);
  await expect.poll(async () => (await look()).status).toBe("completed");
  expect((await look()).state.data.outputs.end).toEqual([{ region: "Bern", held: 200 }]);
  expect(calls.filter((url) => url === "/once")).toEqual(["/once"]);
  const runs = () => db.query<{ id: number; status: string }>("select id, status from agent_workflow_executions");
  await expect
    .poll(async () => (await runs()).map(({ status }) => status))
    .toEqual(["completed", "completed", "completed", "completed"]);
  expect(asked("FIRST")).toEqual(["chain FIRST", "linear FIRST", "routed FIRST"]);
  for (const { id } of await runs()) {
    const { nodes } = (await oven.call("GET", `agent-workflow-executions/${id}`)).body;
    expect(nodes.length).toBeGreaterThan(1);
    const checkpoints = (await oven.call("GET", `agent-workflow-executions/${id}/checkpoints`)).body;
    expect(checkpoints.length).toBeGreaterThan(1);
    const events = await (await oven.fetch(`agent-workflow-executions/${id}/events`)).text();
    expect(events).toContain("execution.completed");
  }
});
