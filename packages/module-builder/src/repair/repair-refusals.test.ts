import type { JsonObject } from "@oven/contract";
import { invite } from "@oven/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { repairDefinition } from "./repair.definition.ts";
import {
  call,
  FIXED,
  ORDERS,
  propose,
  type RepairOven,
  startRepairOven,
  WITH_FEE,
  WITHOUT_FEE,
} from "./testing/orders.ts";

let oven: RepairOven;
beforeAll(async () => {
  oven = await startRepairOven();
});
afterEach(() => expect(oven.unsaid()).toBe(0));
afterAll(() => oven.stop());

const idle = { text: "Done." };
const refusalOf = async (runIds: number[]) =>
  (await oven.as(oven.ada, "POST", "builder/repairs", { runIds })).body.error;

describe("who may have a repair", () => {
  it("cannot be decided by who may not publish, nor by a key that may do less than its person", async () => {
    const { id, failed } = await oven.failing(1);
    oven.script(...FIXED);
    const { repair } = await oven.repaired(await oven.start(failed));
    const lead = await invite(oven, "lead@example.com", ["reviewer", "admin"]);
    const delegated = await oven.as(oven.ada, "POST", `reviews/${repair.reviewId}/delegate`, { to: "role:reviewer" });
    expect(delegated.status, JSON.stringify(delegated.body)).toBe(200);
    const reviewer = await invite(oven, "reviewer@example.com", ["reviewer"]);
    const refused = await oven.decide(repair.reviewId, "approve", reviewer);
    expect(refused).toMatchObject({ status: 403, body: { error: { code: "REVIEW_NOT_YOURS" } } });
    expect(refused.body.error.message).toContain("needs the permission agent-workflows.update");
    const made = await oven.as(lead, "POST", "api-keys", {
      name: "bot",
      permissions: ["reviews.read", "reviews.decide"],
    });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const byKey = await oven.decide(repair.reviewId, "approve", { key: made.body.key });
    expect(byKey).toMatchObject({ status: 403, body: { error: { code: "REVIEW_NOT_YOURS" } } });
    expect((await oven.as(oven.ada, "GET", `agent-workflows/${id}`)).body.version).toBe(1);
    expect((await oven.decide(repair.reviewId, "approve", lead)).status).toBe(200);
    expect((await oven.ended(repair.executionId)).repair).toMatchObject({ status: "applied", publishedVersion: 2 });
  });

  it("is not applied by who has lost the right to publish since", async () => {
    const { id, failed } = await oven.failing(1);
    const { ask, ...states } = repairDefinition.states;
    const hold = { invoke: { src: "core.waitForEvent", input: { event: "go" }, onDone: "apply" } };
    const onDone = [{ target: "hold", guard: IS_APPROVED }, { target: "rejected" }];
    const held = { ...ask, invoke: { ...ask?.invoke, onDone } };
    const definition = { ...repairDefinition, id: "held", states: { ...states, ask: held, hold } };
    const made = await oven.call("POST", "agent-workflows", { name: "Held", definition });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    oven.script(...FIXED);
    const started = await oven.call("POST", `agent-workflows/${made.body.id}/execute`, { input: { runs: failed } });
    const { repair } = await oven.repaired(started.body.id);
    const lead = await invite(oven, "second@example.com", ["admin"]);
    expect((await oven.decide(repair.reviewId, "approve", lead)).status).toBe(200);
    const { body: users } = await oven.call("GET", 'users?filter={"email":"second@example.com"}');
    expect((await oven.call("PUT", `users/${users[0].id}`, { roles: ["viewer"] })).status).toBe(200);
    await expect
      .poll(async () => (await oven.call("GET", `agent-workflow-executions/${started.body.id}`)).body.currentState)
      .toBe("hold");
    await oven.call("POST", `agent-workflow-executions/${started.body.id}/events`, { event: "go" });
    await expect
      .poll(async () => (await oven.call("GET", `agent-workflow-executions/${started.body.id}`)).body.status)
      .toBe("completed");
    const { repair: refused, run } = await oven.ended(started.body.id);
    expect(run).toMatchObject({ outcome: "not-applied", output: { status: "refused" } });
    expect(refused.reason).toContain("does not have the permission agent-workflows.update any more");
    expect((await oven.as(oven.ada, "GET", `agent-workflows/${id}`)).body.version).toBe(1);
  });

  it("takes the permissions to change and to run workflows and to see runs", async () => {
    const { failed } = await oven.failing(1);
    const operator = await invite(oven, "operator@example.com", ["operator"]);
    expect(await oven.as(operator, "POST", "builder/repairs", { runIds: failed })).toMatchObject({ status: 403 });
    const { body: key } = await oven.call("POST", "api-keys", {
      ...{ name: "writer", permissions: ["agent-workflows.update", "executions.read"] },
    });
    const { status, body } = await oven.as({ key: key.key }, "POST", "builder/repairs", { runIds: failed });
    expect({ status, code: body.error.code }).toEqual({ status: 403, code: "FORBIDDEN" });
    expect(body.error.message).toContain("agent-workflows.execute");
  });
});

describe("what can be repaired", () => {
  it("is runs of one workflow that failed in the same way", async () => {
    const [one, other] = [await oven.failing(1), await oven.failing(1)];
    expect(await refusalOf([...one.failed, ...other.failed])).toMatchObject({ code: "FAILURES_DIFFER" });
    expect(await refusalOf(one.good)).toMatchObject({ code: "NOT_REPAIRABLE" });
    const otherwise = await oven.run(one.id, { amount: "much", fee: 1 });
    expect(await refusalOf([...one.failed, otherwise])).toMatchObject({ code: "FAILURES_DIFFER" });
    expect(await refusalOf([987_654])).toMatchObject({ code: "NOT_FOUND" });
  });

  it("is no test, and no run that fails no more on the published version", async () => {
    const { id, failed } = await oven.failing(1);
    const draft = { definition: ORDERS, baseVersion: 1, revision: 0 };
    await oven.as(oven.ada, "PUT", `agent-workflows/${id}/draft`, draft);
    const test = await oven.as(oven.ada, "POST", `agent-workflows/${id}/draft/execute?wait=30`, {
      input: { amount: 1 },
    });
    expect(await refusalOf([test.body.id])).toMatchObject({
      code: "NOT_REPAIRABLE",
      message: expect.stringContaining("test"),
    });
    const states = { ...(ORDERS.states as JsonObject), total: WITH_FEE };
    await oven.as(oven.ada, "PUT", `agent-workflows/${id}`, { definition: { ...ORDERS, states }, version: 1 });
    expect(await refusalOf(failed)).toMatchObject({
      ...{ code: "NOT_REPAIRABLE", message: `Run ${failed[0]} fails no more on version 2 of Orders` },
    });
  });
});

describe("what never reaches a person", () => {
  it("is a change that a policy refuses", async () => {
    const { failed } = await oven.failing(1);
    const policy = await oven.call("POST", "graph-policies", {
      ...{ name: "No log", severity: "error", rule: { kind: "forbidden-nodes", nodeTypes: ["core.log"] } },
    });
    expect(policy.status, JSON.stringify(policy.body)).toBe(201);
    oven.script(
      call("change_steps", { put: { total: WITH_FEE, log: LOG }, settings: { initial: "log" } }),
      idle,
      idle,
      idle,
    );
    const { repair } = await oven.repaired(await oven.start(failed));
    expect(repair).toMatchObject({ status: "unproved", after: null, reviewId: null });
    expect(repair.evidence?.wrong.join()).toContain('Policy "No log"');
    await oven.call("DELETE", `graph-policies/${policy.body.id}`);
  });

  it("is a change that a policy about past runs refuses", async () => {
    const { id, failed } = await oven.failing(1);
    const policy = await oven.call("POST", "graph-policies", {
      ...{ name: "Looked at", severity: "error" },
      rule: { kind: "past-runs", workflow: { kind: "agent-workflow", id }, everyDifferenceSeen: true },
    });
    expect(policy.status, JSON.stringify(policy.body)).toBe(201);
    oven.script(...FIXED, idle, idle);
    const { repair } = await oven.repaired(await oven.start(failed));
    expect(repair).toMatchObject({ status: "unproved", after: null, reviewId: null });
    expect(repair.evidence?.wrong.join()).toContain('Policy "Looked at"');
    await oven.call("DELETE", `graph-policies/${policy.body.id}`);
  });

  it("is a change that needs more than the published version was given", async () => {
    const { failed } = await oven.failing(1);
    const ask = {
      invoke: { src: "agent.toolLoop", input: { prompt: "Look it up", tools: ["web.fetch"] }, onDone: "total" },
    };
    oven.script(
      call("change_steps", { put: { total: WITH_FEE, ask }, settings: { initial: "ask" } }),
      idle,
      idle,
      idle,
    );
    const { repair } = await oven.repaired(await oven.start(failed));
    expect(repair).toMatchObject({ status: "unproved", reviewId: null });
    expect(repair.evidence?.wrong.join()).toContain("The change needs the permission web.fetch at ask");
  });

  it("is a change of which nothing says whether it repairs", async () => {
    const small = { type: "final" };
    const id = await oven.newWorkflow({
      ...{ initial: "total", states: { total: FETCH("http://127.0.0.1:9/a"), small } },
    });
    const run = await oven.run(id, {});
    oven.script(propose(FETCH("http://127.0.0.1:9/b")), idle, idle, idle);
    const { repair } = await oven.repaired(await oven.start([run]));
    expect(repair).toMatchObject({ status: "unproved", reviewId: null });
    expect(repair.evidence?.failed).toMatchObject([{ executionId: run, verdict: "unknown" }]);
  });

  it("is a change that only gets past the failure, unless what it then calls is said to be not known", async () => {
    const states = { total: { ...TO_FETCH(ORDERS) }, fetch: FETCH("http://127.0.0.1:9/a"), small: { type: "final" } };
    const id = await oven.newWorkflow({ initial: "total", states });
    const run = await oven.run(id, { amount: 1 });
    oven.script(propose(TO_FETCH({ states: { total: WITH_FEE } })), idle);
    const { repair } = await oven.repaired(await oven.start([run]));
    expect(repair).toMatchObject({ status: "asked", evidence: { failed: [{ executionId: run, verdict: "passes" }] } });
    const { body: review } = await oven.as(oven.ada, "GET", `reviews/${repair.reviewId}`);
    expect(review.context).toMatchObject({
      failedRuns: "0 of 1 failed runs would complete. 1 would get past the step that failed.",
      notProved: expect.stringContaining(
        `What run ${run} comes to behind the step that failed: no recorded call is like the one at fetch.`,
      ),
    });
  });

  it("is a change of another's draft, or anything but the proposal", async () => {
    const { id, failed } = await oven.failing(1);
    oven.script(call("test_agent_workflow", { input: {} }), call("change_steps", { workflow_id: id + 1 }), ...FIXED);
    const executionId = await oven.start(failed);
    await oven.repaired(executionId);
    const answers = await oven.answers(executionId);
    expect(answers.slice(0, 2).map(({ error }) => error)).toEqual([expect.any(String), expect.any(String)]);
    expect((await oven.as(oven.ada, "GET", `agent-workflows/${id}/draft`)).status).toBe(404);
  });
});

const IS_APPROVED = { type: "condition", params: { key: "$.ask_output.action", operator: "==", value: "approve" } };
const LOG = { invoke: { src: "core.log", input: { message: "repaired" }, onDone: "total" } };
/** The sum is followed by a call outside. */
const TO_FETCH = ({ states }: JsonObject): JsonObject => {
  const { total } = states as { total: { invoke: JsonObject } }; // cast: as it is written above
  return { invoke: { ...total.invoke, onDone: "fetch" } };
};
const FETCH = (url: string): JsonObject => ({ invoke: { src: "core.http", input: { url }, onDone: "small" } });

describe("the steps of a repair in another order", () => {
  const steps = async (states: JsonObject, input: JsonObject) => {
    const id = await oven.newWorkflow({
      initial: Object.keys(states)[0] ?? "",
      states: { ...states, done: { type: "final" } },
    });
    const { body } = await oven.as(oven.ada, "POST", `agent-workflows/${id}/execute?wait=30`, { input });
    return body.errorInfo;
  };
  const gather = (onDone: string) => ({
    invoke: { src: "builder.gatherFailures", input: { runs: "$.trigger.runs" }, onDone },
  });
  const step = (src: string) => ({ invoke: { src, input: {}, onDone: "done" } });

  /** A run of the repair workflow with other states. */
  const runAs = async (states: object, runs: number[]): Promise<number> => {
    const id = await oven.newWorkflow(JSON.parse(JSON.stringify({ ...repairDefinition, id: "other", states })));
    return (await oven.as(oven.ada, "POST", `agent-workflows/${id}/execute`, { input: { runs } })).body.id;
  };

  it("neither asks about what is not proved nor publishes what is not approved", async () => {
    const { id, failed: runs } = await oven.failing(3);
    const input = (at: number) => ({ runs: [runs[at] ?? 0] });
    expect(await steps({ apply: step("builder.applyRepair") }, {})).toMatchObject({ code: "REPAIR_NOT_BEGUN" });
    const asked = { gather: gather("ask"), ask: step("builder.askRepair") };
    expect(await steps(asked, input(0))).toMatchObject({ code: "REPAIR_NOT_PROVED" });
    const applied = { gather: gather("apply"), apply: step("builder.applyRepair") };
    expect(await steps(applied, input(1))).toMatchObject({ code: "REPAIR_NOT_APPROVED" });
    expect((await oven.as(oven.ada, "GET", `agent-workflows/${id}`)).body.version).toBe(1);
  });

  it("does not ask about a change that the proof has refused, whatever the graph says", async () => {
    const { id, failed } = await oven.failing(1);
    const { prove, none: _none, ...states } = repairDefinition.states;
    const always = { ...prove, invoke: { ...prove?.invoke, onDone: "ask" } };
    oven.script(propose(WITHOUT_FEE), idle);
    const { run } = await oven.repaired(await runAs({ ...states, prove: always }, failed));
    expect(run).toMatchObject({ status: "failed", errorInfo: { code: "REPAIR_NOT_PROVED", nodeId: "ask" } });
    expect((await oven.as(oven.ada, "GET", `agent-workflows/${id}`)).body.version).toBe(1);
  });

  it("does not publish what a person has rejected, whatever the graph says", async () => {
    const { id, failed } = await oven.failing(1);
    const { ask, rejected: _rejected, ...states } = repairDefinition.states;
    const onDone = [{ target: "apply", guard: IS_APPROVED }, { target: "apply" }];
    const always = { ...ask, invoke: { ...ask?.invoke, onDone } };
    oven.script(...FIXED);
    const { repair } = await oven.repaired(await runAs({ ...states, ask: always }, failed));
    expect((await oven.decide(repair.reviewId, "reject")).status).toBe(200);
    const { run } = await oven.ended(repair.executionId);
    expect(run).toMatchObject({ status: "failed", errorInfo: { code: "REPAIR_NOT_APPROVED", nodeId: "apply" } });
    expect((await oven.as(oven.ada, "GET", `agent-workflows/${id}`)).body.version).toBe(1);
  });
});
