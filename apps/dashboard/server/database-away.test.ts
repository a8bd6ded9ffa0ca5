import { connectDatabase, type Database } from "@oven/db";
import { createTestPostgres, openTcpGate, type TcpGate } from "@oven/db/testing";
import { installedModules } from "@oven/installation";
import { createRuntime } from "@oven/module-registry";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";

describe("while the database is away", () => {
  let database: { url: string; drop: () => Promise<void> };
  let gate: TcpGate;
  let db: Database;
  let oven: TestOven;
  beforeAll(async () => {
    database = await createTestPostgres(inject("postgresUrl"));
    gate = await openTcpGate(database.url);
    db = await connectDatabase({ url: gate.url, dataDir: "unused" });
    oven = await startTestOven({ createRuntime, modules: installedModules({ demo: true }), db });
  });
  afterAll(async () => {
    await oven.stop();
    await db.close();
    await gate.close();
    await database.drop();
  });

  const run = () =>
    oven.call("POST", "agent-workflows/order-triage/execute?wait=30", {
      input: { message: "Where is my order 8841?", orderId: 8841 },
    });

  it("every route says so, and when it is back everything works again by itself", async () => {
    expect(await run()).toMatchObject({ status: 200, body: { status: "completed" } });
    await gate.shut();
    for (const path of ["agent-workflows", "reviews", "agent-workflow-executions/1", "module-configs"]) {
      const answer = await oven.call("GET", path);
      expect(answer, path).toMatchObject({ status: 503, body: { error: { code: "DATABASE_UNAVAILABLE" } } });
      expect(Number(answer.headers.get("retry-after")), path).toBeGreaterThan(0);
      expect(JSON.stringify(answer.body)).not.toMatch(/ECONN|select|127\.0\.0\.1/);
    }
    expect(await run()).toMatchObject({ status: 503, body: { error: { code: "DATABASE_UNAVAILABLE" } } });
    await gate.open();
    expect(await run()).toMatchObject({ status: 200, body: { status: "completed" } });
  });

  it("a run that was under way goes on", async () => {
    const definition = {
      initial: "pause",
      states: {
        pause: { invoke: { src: "core.delay", input: { ms: 1_000 }, onDone: "after" } },
        after: { invoke: { src: "core.transform", input: { mapping: { a: 1 } }, onDone: "done" } },
        done: { type: "final" },
      },
    };
    await oven.call("POST", "workflows", { name: "Slow", definition });
    const { body } = await oven.call("POST", "workflows/slow/execute", {});
    const status = async () => (await oven.call("GET", `workflow-executions/${body.id}`)).body.status;
    await expect.poll(status).toBe("running");
    await gate.shut();
    await gate.open();
    await expect.poll(status, { interval: 100 }).toBe("completed");
  });
});
