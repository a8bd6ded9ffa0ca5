import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { createRuntime, createSystemModule } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createWorkflowsModule } from "../workflows.module.ts";

describe.each(testDatabases(inject("postgresUrl")))("an event with a correlation on $name", ({ open }) => {
  let database: TestDatabase;
  let oven: TestOven;
  beforeAll(async () => {
    database = await open();
    const modules = [createSystemModule(), createRolesModule(), createWorkflowsModule()];
    oven = await startTestOven({ createRuntime, modules, db: database.db });
    await publish("Waits", { one: wait("$.trigger.order") });
    await publish("Waits for any", { one: wait(undefined) });
    await publish("Listens", {
      one: {
        on: {
          "orders.*": {
            target: "done",
            guard: { type: "cel", params: { expression: "event.correlation == trigger.order" } },
          },
        },
      },
    });
    await publish("Emits", {
      one: {
        invoke: {
          src: "core.emit",
          input: {
            event: "orders.paid",
            payload: { total: 12, note: "$.trigger.note" },
            correlation: "$.trigger.order",
          },
          onDone: "done",
        },
      },
    });
  });
  afterAll(async () => {
    await oven.stop();
    await database.close();
  });

  const wait = (correlation: string | undefined) => ({
    invoke: {
      src: "core.waitForEvent",
      input: { event: "orders.paid", ...(correlation === undefined ? {} : { correlation }) },
      onDone: "done",
    },
  });
  async function publish(name: string, states: object) {
    const definition = { initial: "one", states: { ...states, done: { type: "final", output: "$" } } };
    const created = await oven.call("POST", "workflows", { name, definition });
    expect(created.status, JSON.stringify(created.body)).toBe(201);
  }
  const start = async (slug: string, input: object): Promise<number> =>
    (await oven.call("POST", `workflows/${slug}/execute?wait=20`, { input })).body.id;
  const statusOf = async (id: number): Promise<string> =>
    (await oven.call("GET", `workflow-executions/${id}`)).body.status;

  it("wakes every run of the tenant that waits for it, and no other", async () => {
    const mine = [await start("waits", { order: "8841" }), await start("waits", { order: "8841" })];
    const any = await start("waits-for-any", {});
    const listening = await start("listens", { order: "8841" });
    const others = [await start("waits", { order: "9000" }), await start("listens", { order: "9000" })];
    const foreign = await start("waits", { order: "8841" });
    await database.db.query("update workflow_executions set tenant_id = 2 where id = $1", [foreign]);

    await start("emits", { order: "8841", note: "\0" });

    for (const id of [...mine, any, listening]) {
      await expect.poll(() => statusOf(id)).toBe("completed");
    }
    const [first] = mine;
    const { body } = await oven.call("GET", `workflow-executions/${first}`);
    expect(body.output).toMatchObject({ one_output: { event: "orders.paid", payload: { total: 12, note: "\0" } } });
    for (const id of others) expect(await statusOf(id)).toBe("paused");
    const rows = await database.db.query("select count(*) as n from run_signals where execution_id = $1", [foreign]);
    expect(rows).toEqual([{ n: 0 }]);
  });

  it("is taken once, however often it is delivered", async () => {
    const twice = { ...wait("7").invoke, onDone: "two" };
    await publish("Waits twice", { one: { invoke: twice }, two: wait("7") });
    const id = await start("waits-twice", {});
    await start("emits", { order: "7", note: "" });
    const state = async () => (await oven.call("GET", `workflow-executions/${id}`)).body.currentState;
    await expect.poll(state).toBe("two");
    const own = "name = 'workflows.event.correlated'";
    await database.db.query(
      `update outbox_deliveries set delivered_at = null where event_id in (select id from outbox_events where ${own})`,
    );
    await database.db.query(`update outbox_events set delivered_at = null where ${own}`);
    // Any run's end wakes the outbox.
    await start("emits", { order: "nobody's", note: "" });
    const open = `select count(*)::int as n from outbox_events where ${own} and delivered_at is null`;
    await expect.poll(async () => (await database.db.query(open))[0]?.n).toBe(0);
    const signals = await database.db.query("select id from run_signals where execution_id = $1", [id]);
    expect(signals).toHaveLength(1);
    expect(await statusOf(id)).toBe("paused");
  });

  it("cannot be forged by name", async () => {
    const forged = await oven.call("POST", "workflows", {
      name: "Forges",
      definition: {
        initial: "one",
        states: {
          one: { invoke: { src: "core.emit", input: { event: "workflows.event.correlated" }, onDone: "done" } },
          done: { type: "final" },
        },
      },
    });
    const run = await oven.call("POST", `workflows/${forged.body.id}/execute?wait=20`, {});
    expect(run.body).toMatchObject({ status: "failed", errorInfo: { code: "RESERVED_EVENT" } });
  });
});
