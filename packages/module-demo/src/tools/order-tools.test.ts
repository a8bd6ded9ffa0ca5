import { type Json, type Principal, SYSTEM_PRINCIPAL } from "@oven/contract";
import { type Database, migrate } from "@oven/db";
import { eq } from "@oven/db/drizzle";
import { createTestPglite } from "@oven/db/testing";
import type { ServiceMap } from "@oven/module-registry";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seedShop } from "../seed-shop.ts";
import { demoOrders } from "../tables/demo-orders.table.ts";
import { createOrderTools } from "./order-tools.ts";

let db: Database;
const tools = createOrderTools(() => db);

beforeAll(async () => {
  db = await createTestPglite();
  await migrate(db, [{ name: "module-demo", folder: new URL("../../migrations", import.meta.url) }]);
  await seedShop(db);
});

afterAll(() => db.close());

async function call(
  id: string,
  args: Record<string, string | number>,
  key = "k1",
  principal: Principal = SYSTEM_PRINCIPAL,
): Promise<Json> {
  const tool = tools.find((candidate) => candidate.id === id);
  if (tool === undefined) throw new Error(`no tool ${id}`);
  const services = {} as ServiceMap; // cast: these tools use no other module
  const input = tool.input.parse(args);
  const result = await tool.run({
    input,
    principal,
    signal: AbortSignal.timeout(5_000),
    idempotencyKey: key,
    services,
  });
  tool.output.parse(result);
  return result;
}

async function refundOf(orderNumber: number): Promise<number | undefined> {
  const [order] = await db.orm.select().from(demoOrders).where(eq(demoOrders.orderNumber, orderNumber));
  return order?.refundedCents;
}

test("an order and the policy can be read; an unknown order is said to be unknown", async () => {
  expect(await call("orders.get", { orderId: 8841 })).toMatchObject({
    customer: "Ada Lindqvist",
    status: "late",
    refundableCents: 18_900,
  });
  expect(await call("orders.policy", { topic: "delivery" })).toMatchObject({
    passages: [{ title: "Late deliveries" }, { title: "Tracking" }],
  });
  await expect(call("orders.get", { orderId: 1 })).rejects.toMatchObject({ code: "ORDER_UNKNOWN", status: 404 });
});

test("a refund is written once: the same call answers the same, another one is refused", async () => {
  const refund = { orderId: 9001, amountCents: 1_000, reason: "late" };
  expect(await call("orders.refund", refund, "first")).toEqual({ orderId: 9001, refundedCents: 1_000, reason: "late" });
  expect(await call("orders.refund", refund, "first")).toEqual({ orderId: 9001, refundedCents: 1_000, reason: "late" });
  await expect(call("orders.refund", { ...refund, amountCents: 2_000 }, "second")).rejects.toMatchObject({
    code: "ORDER_ALREADY_REFUNDED",
  });
  expect(await refundOf(9001)).toBe(1_000);
});

test("two refunds of an order at once pay one of them", async () => {
  const pay = (key: string) => call("orders.refund", { orderId: 8842, amountCents: 100, reason: "late" }, key);
  const outcomes = await Promise.allSettled([pay("a"), pay("b")]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});

test("more than the order cost is not paid, and another tenant sees no order", async () => {
  const refund = { orderId: 8843, amountCents: 4_201, reason: "late" };
  await expect(call("orders.refund", refund)).rejects.toMatchObject({ code: "REFUND_TOO_LARGE" });
  const stranger = { ...SYSTEM_PRINCIPAL, tenantId: 2 };
  await expect(call("orders.get", { orderId: 8843 }, "k", stranger)).rejects.toMatchObject({ code: "ORDER_UNKNOWN" });
  expect(await refundOf(8843)).toBe(0);
});

test("a refund needs a person and a permission of its own; reading does not", () => {
  const declared = tools.map(({ id, permission, needsApproval, effect }) => [
    id,
    permission,
    needsApproval ?? false,
    effect,
  ]);
  expect(declared).toEqual([
    ["orders.get", "orders.read", false, "pure"],
    ["orders.policy", "orders.read", false, "pure"],
    ["orders.refund", "orders.refund", true, "at-most-once"],
  ]);
});

test("seeding again keeps what people changed", async () => {
  await db.orm.update(demoOrders).set({ customer: "Somebody else" }).where(eq(demoOrders.orderNumber, 8843));
  await seedShop(db);
  expect(await call("orders.get", { orderId: 8843 })).toMatchObject({ customer: "Somebody else" });
});
