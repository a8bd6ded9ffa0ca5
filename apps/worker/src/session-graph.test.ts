import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { connectDatabase } from "@oven/db";
import { createTestPostgres } from "@oven/db/testing";
import { installedModules } from "@oven/installation";
import { createRuntime } from "@oven/module-registry";
import { startTestOven } from "@oven/testing";
import { afterEach, expect, inject, it } from "vitest";
import { startWorker } from "./testing/worker-process.ts";

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanUp.splice(0).toReversed()) await clean();
});

it("a session whose worker is killed goes on where it was: nothing finished runs again, what is asked stays asked [002-051] [002-072]", async () => {
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
  const db = await connectDatabase({ url: database.url, dataDir: "unused" });
  cleanUp.push(() => db.close());
  // The API's process works on no runs itself.
  const oven = await startTestOven({
    createRuntime,
    db,
    modules: installedModules({ demo: false }),
    environment: { worker: { enabled: false, concurrency: 50, drainMs: 1_000 } },
  });
  cleanUp.push(() => oven.stop());
  const env = { DATABASE_URL: database.url, OVEN_OUTBOUND_ALLOW: origin };
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
  const look = async () => (await oven.call("GET", `graph-sessions/${session.id}`)).body;
  const first = await startWorker(env);
  cleanUp.push(() => first.signal("SIGKILL"));
  await expect.poll(() => calls.includes("/held"), { timeout: 30_000 }).toBe(true);
  await expect.poll(async () => (await look()).waiting[0]?.schema ?? null, { timeout: 30_000 }).not.toBeNull();
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
  await db.query("update agent_workflow_executions set lease_until = now() - interval '1 second' where id = $1", [
    session.execution_id,
  ]);
  await expect.poll(async () => (await look()).status, { timeout: 30_000 }).toBe("waiting");
  const after = await look();
  expect(after.waiting).toEqual(before.waiting);
  expect(after.state.data.outputs.root).toEqual(before.state.data.outputs.root);
  const answered = await oven.call("POST", `graph-sessions/${session.id}/input`, {
    step: "ask",
    input: { response: "Bern" },
  });
  expect(answered.status, JSON.stringify(answered.body)).toBe(200);
  await expect.poll(async () => (await look()).status, { timeout: 30_000 }).toBe("completed");
  expect((await look()).state.data.outputs.end).toEqual([{ region: "Bern", held: 200 }]);
  expect(calls.filter((url) => url === "/once")).toEqual(["/once"]);
});
