import type { Json } from "@oven/contract";
import type { RepairSummary } from "@oven/contract/workflow";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { FIXED, ORDERS, type RepairOven, startRepairOven } from "./testing/orders.ts";

let oven: RepairOven;
beforeAll(async () => {
  oven = await startRepairOven();
});
afterEach(() => expect(oven.unsaid()).toBe(0));
afterAll(() => oven.stop());

const repairsOf = async (id: number): Promise<RepairSummary[]> =>
  (await oven.as(oven.ada, "GET", `builder/repairs?workflowId=${id}`)).body;

async function setting(key: string, value: Json, scopeId?: string): Promise<void> {
  const { status, body } = await oven.call("POST", "module-configs", {
    ...{ moduleName: "module-builder", key, value, ...(scopeId === undefined ? {} : { scopeId }) },
  });
  expect(status, JSON.stringify(body)).toBe(201);
}

/** Every failure that came before this one was delivered: events of a tenant go in their order. */
async function delivered(): Promise<void> {
  const pending =
    "select 1 from outbox_events where name = 'agents-workflow.execution.failed' and delivered_at is null";
  await expect.poll(async () => (await oven.db.query(pending)).length, { timeout: 20_000 }).toBe(0);
}

it("is off: a failed run begins nothing by itself", async () => {
  const { id } = await oven.failing(1);
  await delivered();
  expect(await repairsOf(id)).toEqual([]);
});

it("begins one repair as the owner for all runs that failed in the same way, and none again for this version", async () => {
  const { id, failed } = await oven.failing(2);
  await setting("REPAIR_AUTOMATICALLY", true, String(id));
  oven.script(...FIXED);
  failed.push(await oven.run(id, { amount: 1 }));
  await expect.poll(async () => (await repairsOf(id))[0]?.status, { timeout: 30_000 }).toBe("asked");
  const [{ executionId } = { executionId: 0 }] = await repairsOf(id);
  const { repair, run } = await oven.repaired(executionId);
  expect(repair).toMatchObject({ automatic: true, baseVersion: 1, runIds: failed });
  const { createdBy } = (await oven.as(oven.ada, "GET", `agent-workflows/${id}`)).body;
  expect(run).toMatchObject({
    ...{ triggeredBy: { kind: "user", id: createdBy }, options: { maxCostMicros: 1_000_000 } },
  });
  await oven.run(id, { amount: 2 });
  await delivered();
  expect(await repairsOf(id)).toHaveLength(1);
  expect((await oven.decide(repair.reviewId, "reject")).status).toBe(200);
  await oven.ended(executionId);
  await oven.run(id, { amount: 3 });
  await delivered();
  expect(await repairsOf(id)).toMatchObject([{ executionId, status: "rejected" }]);
});

it("begins none for tests of a draft", async () => {
  const id = await oven.newWorkflow();
  await setting("REPAIR_AUTOMATICALLY", true, String(id));
  await oven.as(oven.ada, "PUT", `agent-workflows/${id}/draft`, { definition: ORDERS, baseVersion: 1, revision: 0 });
  const input = { amount: 1 };
  const test = await oven.as(oven.ada, "POST", `agent-workflows/${id}/draft/execute?wait=30`, { input });
  expect(test.body).toMatchObject({ status: "failed", triggerEvent: "test" });
  await oven.as(oven.ada, "POST", `agent-workflows/${id}/execute?wait=30`, { input, options: { dryRun: true } });
  await delivered();
  expect(await repairsOf(id)).toEqual([]);
});

it("begins no more a day than it may", async () => {
  await setting("REPAIR_MAX_PER_DAY", 1);
  const id = await oven.newWorkflow();
  await setting("REPAIR_AUTOMATICALLY", true, String(id));
  await oven.run(id, { amount: 1 });
  await delivered();
  expect(await repairsOf(id)).toEqual([]);
});
