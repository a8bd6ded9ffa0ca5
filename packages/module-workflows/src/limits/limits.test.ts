import type { Database } from "@oven/db";
import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { createRuntime, createSystemModule } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { createWorkflowsModule } from "../workflows.module.ts";

const ended = { initial: "done", states: { done: { type: "final" } } };
const waits = {
  initial: "wait",
  states: {
    wait: { invoke: { src: "core.waitForEvent", input: { event: "go" }, onDone: "done" } },
    done: { type: "final" },
  },
};
const sleeps = {
  initial: "sleep",
  states: {
    sleep: { invoke: { src: "core.delay", input: { ms: 3_600_000 }, onDone: "done" } },
    done: { type: "final" },
  },
};

describe.each(testDatabases(inject("postgresUrl")))("limits on $name", ({ open }) => {
  let test: TestDatabase;
  let db: Database;
  let oven: TestOven;
  beforeEach(async () => {
    test = await open();
    db = test.db;
    oven = await startTestOven({
      createRuntime,
      db,
      modules: [createSystemModule(), createRolesModule(), createWorkflowsModule()],
    });
  });
  afterEach(async () => {
    await oven.stop();
    await test.close();
  });

  const create = async (name: string, definition: object): Promise<number> => {
    const { status, body } = await oven.call("POST", "workflows", { name, definition });
    expect(status, JSON.stringify(body)).toBe(201);
    return body.id;
  };
  const configure = (key: string, value: number, scopeId: number | null) =>
    oven.call("POST", "module-configs", {
      moduleName: "module-workflows",
      key,
      value,
      scopeId: scopeId === null ? null : String(scopeId),
    });
  const execute = (name: string, body: object = {}, headers: Record<string, string> = {}) =>
    oven.call("POST", `workflows/${name}/execute`, body, { headers });
  const statusOf = async (id: number) => (await oven.call("GET", `workflow-executions/${id}`)).body.status;
  const becomes = (id: number, status: string) => expect.poll(() => statusOf(id), { interval: 20 }).toBe(status);

  it("accept so many starts a minute and say when there is room again", async () => {
    const id = await create("often", ended);
    await configure("MAX_STARTS_PER_MINUTE", 2, id);
    const accepted = await Promise.all([1, 2, 3, 4].map(() => execute("often")));
    expect(accepted.map(({ status }) => status).sort()).toEqual([202, 202, 429, 429]);
    const refused = accepted.find(({ status }) => status === 429);
    expect(refused?.body.error).toMatchObject({
      code: "TOO_MANY_RUNS",
      details: { limit: "MAX_STARTS_PER_MINUTE", value: 2 },
    });
    const seconds = Number(refused?.headers.get("retry-after"));
    expect(seconds).toBeGreaterThan(50);
    expect(seconds).toBeLessThanOrEqual(60);
    // Not while the engine writes the same rows.
    for (const { status, body } of accepted) if (status === 202) await becomes(body.id, "completed");
    await db.query("update workflow_executions set created_at = created_at - interval '61 seconds'");
    expect((await execute("often")).status).toBe(202);
  });

  it("take in no more runs than may wait for their start, with a key or without, and write none of the others", async () => {
    const id = await create("piled", ended);
    await configure("MAX_PENDING_RUNS", 1, id);
    await db.query(
      `insert into workflow_executions (tenant_id, workflow_id, workflow_version, triggered_by, principal, input, lease_owner, lease_until)
       values (1, $1, 1, '{}', '{}', '{}', 'another', now() + interval '1 hour')`,
      [id],
    );
    const withAndWithout: Record<string, string>[] = [{}, { "idempotency-key": "once" }];
    for (const headers of withAndWithout) {
      const refused = await execute("piled", {}, headers);
      expect(refused).toMatchObject({ status: 429, body: { error: { details: { limit: "MAX_PENDING_RUNS" } } } });
    }
    expect(await db.query("select 1 from workflow_executions")).toHaveLength(1);
  });

  it("do not count against a repeat of what was accepted", async () => {
    const id = await create("often", ended);
    await configure("MAX_STARTS_PER_MINUTE", 1, id);
    const first = await execute("often", {}, { "idempotency-key": "once" });
    const again = await execute("often", {}, { "idempotency-key": "once" });
    expect(again).toMatchObject({ status: 202, body: { id: first.body.id } });
    expect((await execute("often")).status).toBe(429);
  });

  it("hold for the workflow they are set for, and for its module's others by default", async () => {
    const id = await create("loose", ended);
    await create("strict", ended);
    await configure("MAX_STARTS_PER_MINUTE", 1, null);
    await configure("MAX_STARTS_PER_MINUTE", 0, id);
    expect([(await execute("strict")).status, (await execute("strict")).status]).toEqual([202, 429]);
    expect([(await execute("loose")).status, (await execute("loose")).status]).toEqual([202, 202]);
  });

  it("let as many runs begin as may be under way, and the next when one ends", async () => {
    const id = await create("sleeper", sleeps);
    await configure("MAX_CONCURRENT_RUNS", 1, id);
    const first = (await execute("sleeper")).body.id;
    await becomes(first, "running");
    const low = (await execute("sleeper", { priority: -1 })).body.id;
    const high = (await execute("sleeper", { priority: 3 })).body.id;
    expect([await statusOf(low), await statusOf(high)]).toEqual(["pending", "pending"]);
    await oven.call("POST", `workflow-executions/${first}/cancel`, {});
    await becomes(high, "running");
    expect(await statusOf(low)).toBe("pending");
    // One that waits for room is cancelled without it.
    expect((await oven.call("POST", `workflow-executions/${low}/cancel`, {})).body.status).toBe("cancelled");
    expect(await statusOf(high)).toBe("running");
  });

  it("do not count runs that are paused", async () => {
    const id = await create("waiter", waits);
    await configure("MAX_CONCURRENT_RUNS", 1, id);
    for (let run = 0; run < 3; run++) await becomes((await execute("waiter")).body.id, "paused");
  });

  it("hold for all runs of a tenant together", async () => {
    await create("one", sleeps);
    await create("two", sleeps);
    await configure("MAX_CONCURRENT_RUNS_TENANT", 1, null);
    const first = (await execute("one")).body.id;
    await becomes(first, "running");
    const second = (await execute("two")).body.id;
    expect(await statusOf(second)).toBe("pending");
    await oven.call("POST", `workflow-executions/${first}/cancel`, {});
    await becomes(second, "running");
  });

  it("hold when many come at once, and all get their turn", async () => {
    const id = await create("short", ended);
    await configure("MAX_CONCURRENT_RUNS", 2, id);
    const runs = await Promise.all(Array.from({ length: 12 }, () => execute("short")));
    for (const { body } of runs) await becomes(body.id, "completed");
  });

  it("take a priority from -10 to 10", async () => {
    await create("any", ended);
    expect((await execute("any", { priority: 10 })).body.priority).toBe(10);
    expect((await execute("any", { priority: 11 })).status).toBe(400);
    expect((await execute("any", { priority: 0.5 })).status).toBe(400);
  });
});
