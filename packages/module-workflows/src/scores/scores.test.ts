import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { createRuntime, createSystemModule } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { type Credentials, invite, startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createWorkflowsModule } from "../workflows.module.ts";

const echo = {
  initial: "done",
  payloadSchema: { type: "object" },
  states: { done: { type: "final" } },
};

describe.each(testDatabases(inject("postgresUrl")))("scores of runs on $name", ({ open }) => {
  let test: TestDatabase;
  let oven: TestOven;
  let operator: Credentials;
  let viewer: Credentials;
  let workflow: number;

  beforeAll(async () => {
    test = await open();
    const modules = [createSystemModule(), createRolesModule(), createWorkflowsModule()];
    oven = await startTestOven({ createRuntime, db: test.db, modules });
    operator = await invite(oven, "operator@example.com", ["operator"]);
    viewer = await invite(oven, "viewer@example.com", ["viewer"]);
    workflow = await publish("Refund", echo);
  });
  afterAll(async () => {
    await oven.stop();
    await test.close();
  });

  async function publish(name: string, definition: object): Promise<number> {
    const { status, body } = await oven.call("POST", "workflows", { name, definition });
    expect(status, JSON.stringify(body)).toBe(201);
    return body.id;
  }
  async function run(id: number, input: object = {}): Promise<number> {
    const { body } = await oven.call("POST", `workflows/${id}/execute?wait=20`, { input });
    expect(body.completedAt, JSON.stringify(body)).not.toBeNull();
    return body.id;
  }
  const score = (id: number, body: object, by: Partial<Credentials> = {}) =>
    oven.call("POST", `workflow-executions/${id}/scores`, body, by);
  const scoresOf = async (id: number, by: Partial<Credentials> = {}) =>
    (await oven.call("GET", `workflow-executions/${id}/scores`, undefined, by)).body;

  it("are of who gave them: a later one of the same name replaces, another person's stands beside it", async () => {
    const id = await run(workflow);
    const first = await score(id, { name: "thumbs", value: 1 }, operator);
    expect(first.status, JSON.stringify(first.body)).toBe(200);
    expect(first.body).toMatchObject({ executionId: id, source: "person", value: 1, mine: true });
    await score(id, { name: "thumbs", value: 0, comment: "Wrong order" }, operator);
    await score(id, { name: "thumbs", value: 1 });
    const seen = await scoresOf(id, operator);
    expect(seen).toMatchObject([
      { name: "thumbs", value: 0, comment: "Wrong order", source: "person", mine: true },
      { name: "thumbs", value: 1, source: "api", mine: false },
    ]);
    expect(seen[0].id).toBe(first.body.id);
  });

  it("are taken back by who gave them alone", async () => {
    const id = await run(workflow);
    const { body } = await score(id, { name: "thumbs", value: 1 }, operator);
    const path = `workflow-executions/${id}/scores/${body.id}`;
    expect((await oven.call("DELETE", path)).status).toBe(404);
    expect(await scoresOf(id)).toHaveLength(1);
    expect((await oven.call("DELETE", path, undefined, operator)).status).toBe(204);
    expect(await scoresOf(id)).toEqual([]);
  });

  it("are refused outside of 0 to 1, by who may only look, and past the number that one run may have", async () => {
    const id = await run(workflow);
    expect((await score(id, { name: "thumbs", value: 1.5 })).status).toBe(400);
    expect((await score(id, { name: "Thumbs up!", value: 1 })).status).toBe(400);
    expect((await score(id, { name: "thumbs", value: 1, source: "judge" })).status).toBe(400);
    expect((await score(id, { name: "thumbs", value: 1 }, viewer)).status).toBe(403);
    expect(await scoresOf(id, viewer)).toEqual([]);
    await oven.db.query(
      `insert into run_scores (tenant_id, execution_id, execution_kind, workflow_id, workflow_version, ran_at, name, value, source, scorer)
       select 1, $1, 'workflow', $2, 1, now(), 'n' || i, 1, 'api', 'x' from generate_series(1, 200) i`,
      [id, workflow],
    );
    expect((await score(id, { name: "one-more", value: 1 })).body.error.code).toBe("TOO_MANY_SCORES");
    expect((await oven.call("GET", "workflows/refund/scores")).body[0].count).toBeGreaterThan(0);
    await oven.db.query("delete from run_scores where scorer = 'x'");
  });

  it("arrive days later by a value of the input, and reach the newest run that has it", async () => {
    const older = await run(workflow, { order: { id: 8841 } });
    const newer = await run(workflow, { order: { id: 8841 } });
    await run(workflow, { order: { id: 88412 }, other: 8841 });
    await oven.db.query("update workflow_executions set created_at = created_at - interval '20 days' where id = $1", [
      newer,
    ]);
    const outcome = (value: unknown) =>
      oven.call("POST", "workflows/refund/scores", {
        ...{ name: "outcome", value: 0, comment: "refund disputed" },
        correlation: { field: "order.id", value },
      });
    expect((await outcome("8841")).body).toMatchObject({ executionId: newer, value: 0 });
    expect(await scoresOf(older)).toEqual([]);
    const none = await outcome(884);
    expect([none.status, none.body.error.code]).toEqual([404, "NOT_FOUND"]);
    const summary = (await oven.call("GET", "workflows/refund/scores?days=30")).body;
    const day = new Date(Date.now() - 20 * 86_400_000).toISOString().slice(0, 10);
    expect(summary.find(({ name }: { name: string }) => name === "outcome")).toEqual({
      ...{ name: "outcome", version: 1, day, count: 1, mean: 0, up: 0, down: 1 },
    });
  });

  it("come from a workflow that an event starts, and never from the workflow they are about", async () => {
    const judged = await run(workflow, { orderId: 17 });
    const report = await publish("Report", {
      initial: "tell",
      payloadSchema: { type: "object" },
      states: {
        tell: {
          invoke: {
            src: "workflows.workflows.score",
            input: {
              id: "refund",
              name: "outcome",
              value: "$.trigger.value",
              correlation: { field: "orderId", value: "$.trigger.order" },
            },
            onDone: "done",
          },
        },
        done: { type: "final" },
      },
    });
    await run(report, { order: 17, value: 0 });
    expect(await scoresOf(judged)).toMatchObject([
      { name: "outcome", value: 0, source: "event", scorer: `workflow:${report}` },
    ]);
    const own = await publish("Self", {
      initial: "tell",
      payloadSchema: { type: "object" },
      states: {
        tell: {
          invoke: {
            src: "workflows.workflowExecutions.score",
            input: { id: "$.trigger.run", name: "outcome", value: 1 },
            onDone: "done",
            onError: "done",
          },
        },
        done: { type: "final" },
      },
    });
    const first = await run(own, { run: judged });
    expect(await scoresOf(judged)).toHaveLength(2);
    await run(own, { run: first });
    expect(await scoresOf(first)).toEqual([]);
  });

  it("go with their run, and a later one meets a plain 404", async () => {
    const id = await run(workflow, { orderId: 99 });
    await score(id, { name: "thumbs", value: 1 });
    await oven.db.query(
      "update workflow_executions set completed_at = now() - interval '400 days', created_at = now() - interval '400 days' where id = $1",
      [id],
    );
    const swept = await oven.call("POST", "retention/run", {});
    expect(swept.status, JSON.stringify(swept.body)).toBeLessThan(300);
    expect(await oven.db.query("select id from run_scores where execution_id = $1", [id])).toEqual([]);
    const late = await score(id, { name: "outcome", value: 0 });
    expect([late.status, late.body.error.code]).toEqual([404, "NOT_FOUND"]);
  });

  it("are of a tenant alone", async () => {
    const id = await run(workflow);
    await score(id, { name: "thumbs", value: 1 });
    await oven.db.query("update workflow_executions set tenant_id = 2 where id = $1", [id]);
    expect((await score(id, { name: "thumbs", value: 0 })).status).toBe(404);
    expect((await oven.call("GET", `workflow-executions/${id}/scores`)).status).toBe(404);
    await oven.db.query("update workflow_executions set tenant_id = 1 where id = $1", [id]);
  });
});
