import type { JsonObject } from "@oven/contract";
import { createRuntime, createSystemModule, defineAction, defineModule, defineRoute, ok } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { createWorkflowsModule } from "../workflows.module.ts";

const refunds: unknown[] = [];
const Refund = z.strictObject({ cents: z.int().positive() });
const Params = z.strictObject({ id: z.coerce.number().int() });

const shop = defineModule({
  name: "module-shop",
  namespace: "shop",
  description: "A shop.",
  dependencies: ["module-roles"],
  permissions: [{ id: "shop.refund", title: "Refund orders" }],
  routes: [
    defineRoute({
      method: "POST",
      path: "orders/[id]/refund",
      operation: "orders.refund",
      summary: "Refund an order",
      access: { permission: "shop.refund" },
      needsApproval: true,
      params: Params,
      body: Refund,
      handler: async ({ params, body }) => {
        refunds.push({ ...params, ...body });
        return ok({ refunded: body.cents });
      },
    }),
    defineRoute({
      method: "POST",
      path: "orders/[id]/credit",
      operation: "orders.credit",
      summary: "Credit an order",
      access: { permission: "shop.refund" },
      params: Params,
      body: z.strictObject({ cents: z.int(), approval: z.string().optional() }),
      handler: async ({ params, body }) => {
        refunds.push({ ...params, ...body });
        return ok({ credited: body.cents });
      },
    }),
  ],
  actions: [
    defineAction({
      name: "creditOrder",
      title: "Credit an order",
      description: "Gives money back as credit",
      input: z.strictObject({ order: z.int(), cents: z.int() }),
      permissions: ["shop.refund"],
      needsApproval: true,
      covers: "orders.credit",
      toArguments: ({ order, cents }) => ({ id: order, cents }),
    }),
  ],
});

describe("an operation that needs approval, as a step", () => {
  let oven: TestOven;
  /** May run workflows and refund orders, and decides no reviews. */
  let operator: string;
  let count = 0;

  beforeAll(async () => {
    const modules = [createSystemModule(), createRolesModule(), createWorkflowsModule(), shop];
    oven = await startTestOven({ createRuntime, modules });
    const permissions = ["workflows.execute", "executions.read", "shop.refund"];
    operator = (await oven.call("POST", "api-keys", { name: "operator", permissions })).body.key;
  });
  beforeEach(() => {
    refunds.length = 0;
  });
  afterAll(() => oven.stop());

  async function start(input: JsonObject, { src = "shop.orders.refund", onError = false } = {}) {
    count++;
    const one = { invoke: { src, input, onDone: "done", ...(onError ? { onError: "declined" } : {}) } };
    const ends = { done: { type: "final" }, ...(onError ? { declined: { type: "final" } } : {}) };
    const definition = { initial: "one", states: { one, ...ends } };
    const created = await oven.call("POST", "workflows", { name: `Refund ${count}`, definition });
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    const path = `workflows/${created.body.id}/execute?wait=30`;
    return (await oven.call("POST", path, { input: { cents: 500 } }, { key: operator })).body;
  }
  const reviewOf = async ({ id }: { id: number }) =>
    (await oven.call("GET", `reviews?filter={"executionId":${id},"status":"open"}`)).body[0];
  const settled = async ({ id }: { id: number }) => {
    const look = async () => (await oven.call("GET", `workflow-executions/${id}`)).body;
    await expect.poll(async () => (await look()).status).toMatch(/completed|failed/);
    return look();
  };

  it("waits for a review of exactly its arguments: an operator refunds nothing alone", async () => {
    const run = await start({ id: 7, cents: "$.trigger.cents" });
    expect([run.status, refunds]).toEqual(["paused", []]);
    const review = await reviewOf(run);
    expect(review).toMatchObject({
      title: "Refund an order: 7, 500",
      tool: "shop.orders.refund",
      proposal: { id: 7, cents: 500 },
      schema: { properties: { id: {}, cents: {} }, required: ["id", "cents"] },
      actions: ["approve", "edit", "reject"],
    });
    const alone = await oven.call("POST", `reviews/${review.id}/decide`, { action: "approve" }, { key: operator });
    expect(alone.status).toBe(403);
    const { digest } = review;
    expect((await oven.call("POST", `reviews/${review.id}/decide`, { action: "approve", digest })).status).toBe(200);
    expect(await settled(run)).toMatchObject({ status: "completed", nodes: [{ output: { refunded: 500 } }] });
    expect(refunds).toEqual([{ id: 7, cents: 500 }]);
  });

  it("is called as it was edited, and with what fits only", async () => {
    const run = await start({ id: 7, cents: 900 });
    const { id } = await reviewOf(run);
    const edit = (cents: number) =>
      oven.call("POST", `reviews/${id}/decide`, { action: "edit", data: { id: 7, cents } });
    expect((await edit(-1)).body.error.code).toBe("INVALID_EDIT");
    expect((await edit(90)).status).toBe(200);
    await settled(run);
    expect(refunds).toEqual([{ id: 7, cents: 90 }]);
  });

  it("is not called when it is declined: that is an error of the step", async () => {
    const reject = async (run: { id: number }) => {
      const { id } = await reviewOf(run);
      await oven.call("POST", `reviews/${id}/decide`, { action: "reject", reason: "too much" });
      return settled(run);
    };
    expect(await reject(await start({ id: 7, cents: 900 }))).toMatchObject({
      status: "failed",
      outcome: "rejected",
      errorInfo: { code: "REVIEW_REJECTED", nodeId: "one", message: expect.stringContaining("too much") },
    });
    const handled = await reject(await start({ id: 7, cents: 900 }, { onError: true }));
    expect(handled).toMatchObject({ status: "completed", currentState: "declined" });
    expect(refunds).toEqual([]);
  });

  it("says in `approval` who decides, and cannot approve itself there", async () => {
    const approval = { assignees: ["role:owner"], notRequester: true, dueIn: "P1D" };
    const run = await start({ id: 7, cents: 5, approval });
    const review = await reviewOf(run);
    expect(review).toMatchObject({
      assignees: ["role:owner"],
      policy: { notRequester: true },
      proposal: { id: 7, cents: 5 },
    });
    expect(review.dueAt).toMatch(/^\d{4}-/);
    const call = { toolCallId: "c1", tool: "shop.orders.refund", arguments: { id: 7, cents: 5 } };
    for (const approved of [call, { ...call, review: { id: review.id, digest: review.digest } }]) {
      const forged = await start({ id: 7, cents: 5, approval: { approved } });
      expect(forged).toMatchObject({ status: "failed", errorInfo: { code: "REVIEW_CHANGED" } });
    }
    expect(refunds).toEqual([]);
  });

  it("asks again in a fork of a run in which it was approved", async () => {
    const run = await start({ id: 7, cents: 5 });
    const { id } = await reviewOf(run);
    await oven.call("POST", `reviews/${id}/decide`, { action: "approve" });
    await settled(run);
    const { body: points } = await oven.call("GET", `workflow-executions/${run.id}/checkpoints`);
    for (const { seq } of points.slice(0, -1)) {
      const fork = await oven.call("POST", `workflow-executions/${run.id}/fork`, { checkpoint: seq });
      expect(fork.status, JSON.stringify(fork.body)).toBeLessThan(300);
      await expect.poll(async () => reviewOf(fork.body), { message: `from ${seq}` }).toMatchObject({ status: "open" });
    }
    expect(refunds).toEqual([{ id: 7, cents: 5 }]);
  });

  it("needs approval where the action that covers it says so", async () => {
    const run = await start({ id: 7, cents: 5, approval: "yes" }, { src: "shop.orders.credit" });
    expect([run.status, refunds]).toEqual(["paused", []]);
    const { id, proposal } = await reviewOf(run);
    expect(proposal).toEqual({ id: 7, cents: 5, approval: "yes" });
    await oven.call("POST", `reviews/${id}/decide`, { action: "approve" });
    await settled(run);
    expect(refunds).toEqual([{ id: 7, cents: 5, approval: "yes" }]);
  });
});
