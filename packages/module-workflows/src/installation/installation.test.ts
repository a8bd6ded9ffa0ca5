import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { createRuntime, createSystemModule } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createBlobService } from "../blobs/blob-service.ts";
import { createWorkflowsModule } from "../workflows.module.ts";

const waiting = {
  initial: "wait",
  states: {
    wait: { invoke: { src: "core.delay", input: { ms: "PT1H" }, onDone: "done" } },
    done: { type: "final" },
  },
};
const calling = {
  initial: "call",
  states: {
    call: { invoke: { src: "core.callWorkflow", input: { workflow: "inner" }, onDone: "done" } },
    done: { type: "final" },
  },
};
const ends = { initial: "done", states: { done: { type: "final" } } };

describe.each(testDatabases(inject("postgresUrl")))("the installation on $name", ({ open }) => {
  let database: TestDatabase;
  let oven: TestOven;
  beforeAll(async () => {
    database = await open();
    const modules = [createSystemModule(), createRolesModule(), createWorkflowsModule()];
    oven = await startTestOven({ createRuntime, modules, db: database.db });
  });
  afterAll(async () => {
    await oven.stop();
    await database.close();
  });
  const run = async (name: string, definition: object, wait = "?wait=10") => {
    await oven.call("POST", "workflows", { name, definition });
    return (await oven.call("POST", `workflows/${name.toLowerCase()}/execute${wait}`, {})).body;
  };

  it("says what each module brings, and how far its tables are", async () => {
    const { body } = await oven.call("GET", "installation/modules");
    const found = body.find(({ name }: { name: string }) => name === "module-workflows");
    expect(found).toMatchObject({ namespace: "workflows", dependencies: ["module-registry", "module-roles"] });
    expect(found.tables).toContain("workflow_executions");
    expect(found.migrations).toBeGreaterThan(6);
    expect(found.routes).toContainEqual(
      expect.objectContaining({ method: "GET", path: "installation/queue", access: "installation.read" }),
    );
  });

  it("knows this process, what it holds, and what a process that is gone held", async () => {
    const { body: idle } = await oven.call("GET", "installation/workers");
    expect(idle.workers).toMatchObject([{ here: true, live: true, takesRuns: true, pid: process.pid }]);
    const { id } = await run("Waits", waiting, "");
    // It has set its timer, and is held by nobody.
    const free = "select 1 from workflow_executions where id = $1 and wake_at is not null and lease_owner is null";
    await expect.poll(async () => (await database.db.query(free, [id])).length).toBe(1);
    const lease =
      "update workflow_executions set lease_owner = $2, lease_until = now() + interval '1 hour' where id = $1";
    await database.db.query(lease, [id, idle.workers[0].name]);
    const { body: held } = await oven.call("GET", "installation/workers");
    expect(held).toMatchObject({ workers: [{ leases: 1, runs: [{ id, kind: "workflow" }] }], orphans: [] });
    await database.db.query(lease, [id, "999-gone"]);
    const { body: lost } = await oven.call("GET", "installation/workers");
    expect(lost).toMatchObject({ workers: [{ leases: 0 }], orphans: [{ id }] });
    await database.db.query("update workflow_executions set lease_owner = null, lease_until = null where id = $1", [
      id,
    ]);
  });

  it("counts what waits and what came of the last hour, from the runs themselves", async () => {
    const before = (await oven.call("GET", "installation/queue")).body;
    await run("Ends", ends);
    const { body } = await oven.call("GET", "installation/queue");
    expect(body.lastHour.completed).toBe(before.lastHour.completed + 1);
    expect(body.timers).toEqual({ count: 1, next: expect.any(String) });
    expect(body.running).toEqual({ count: 1, oldest: expect.any(String) });
    expect(body).toMatchObject({ pending: { count: 0, oldest: null }, overdue: { count: 0 } });
  });

  it("says what retention takes next, and what it would take now", async () => {
    const { body: before } = await oven.call("GET", "installation/retention");
    expect(before).toMatchObject({ detailDays: 30, runDays: 180, eventDays: 30, due: { details: 0, runs: 0 } });
    await database.db.query(
      "update workflow_executions set completed_at = now() - interval '200 days' where id = (select min(id) from workflow_executions where status = 'completed')",
    );
    const { body: after } = await oven.call("GET", "installation/retention");
    expect(after.due).toEqual({ details: 1, runs: 1 });
    expect(new Date(after.next.dueAt).getTime()).toBeLessThan(Date.now());
    await oven.call("POST", "retention/run", {});
    expect((await oven.call("GET", "installation/retention")).body.due).toEqual({ details: 0, runs: 0 });
  });

  it("lists what a run and the runs inside it made, and nobody else's", async () => {
    await oven.call("POST", "workflows", { name: "Inner", definition: ends });
    const { id } = await run("Outer", calling);
    const { body: children } = await oven.call("GET", `workflow-executions?filter={"parentId":${id}}`);
    const blobs = createBlobService(database.db);
    const at = (executionId: number, tenantId = 1) => ({ tenantId, executionId, nodeId: "draw", visit: 1, item: null });
    await blobs.write(at(id), "image/png", Buffer.from("one"));
    await blobs.write(at(children[0].id), "text/plain", Buffer.from("three"));
    await blobs.write(at(id, 2), "text/plain", Buffer.from("theirs"));
    await blobs.write(at(id + 1_000), "text/plain", Buffer.from("of another run"));
    const { body } = await oven.call("GET", `executions/${id}/artefacts`);
    expect(body).toMatchObject([
      { executionId: id, nodeId: "draw", mediaType: "image/png", bytes: 3 },
      { executionId: children[0].id, mediaType: "text/plain", bytes: 5 },
    ]);
    const second = await oven.fetch(`executions/${id}/artefacts?range=[1,1]`);
    expect(second.headers.get("content-range")).toBe("artefacts 1-1/2");
    expect((await oven.call("GET", "executions/999999/artefacts")).status).toBe(404);
  });
});
