import { OvenError, SHARED_TENANT } from "@oven/contract";
import type { Database } from "@oven/db";
import { and, eq, inArray, isNull, sql } from "@oven/db/drizzle";
import { defineTool, type ToolDefinition } from "@oven/module-registry";
import { z } from "zod";
import { demoOrders } from "../tables/demo-orders.table.ts";
import { demoPolicies } from "../tables/demo-policies.table.ts";

const OrderNumber = z.int().positive().describe("The order's number, such as 8841");
const TOPICS = ["delivery", "refunds", "damage"] as const;

const OrderSchema = z.strictObject({
  orderId: z.int(),
  customer: z.string(),
  item: z.string(),
  totalCents: z.int(),
  status: z.enum(["processing", "late", "delivered"]),
  promisedFor: z.string(),
  expectedFor: z.string(),
  refundableCents: z.int(),
});

/** @param database the open database; asked for at each call */
export function createOrderTools(database: () => Database): ToolDefinition[] {
  const getOrder = defineTool({
    id: "orders.get",
    title: "Look an order up",
    description:
      "Reads one order: customer, item, price in cents, delivery status and dates, and what may still be refunded",
    input: z.strictObject({ orderId: OrderNumber }),
    output: OrderSchema,
    effect: "pure",
    permission: "orders.read",
    async run({ input, principal }) {
      const order = await findOrder(database(), principal.tenantId, input.orderId);
      const { customer, item, totalCents, status, promisedFor, expectedFor, refundedCents } = order;
      const refundableCents = totalCents - refundedCents;
      return {
        orderId: order.orderNumber,
        customer,
        item,
        totalCents,
        status,
        promisedFor,
        expectedFor,
        refundableCents,
      };
    },
  });

  const findPolicy = defineTool({
    id: "orders.policy",
    title: "Read the shop's policy",
    description: "Reads what the shop promises its customers about one topic",
    input: z.strictObject({ topic: z.enum(TOPICS) }),
    output: z.strictObject({ passages: z.array(z.strictObject({ title: z.string(), text: z.string() })) }),
    effect: "pure",
    permission: "orders.read",
    async run({ input, principal }) {
      const rows = await database()
        .orm.select()
        .from(demoPolicies)
        .where(
          and(eq(demoPolicies.topic, input.topic), inArray(demoPolicies.tenantId, [principal.tenantId, SHARED_TENANT])),
        )
        .orderBy(demoPolicies.id);
      return { passages: rows.map(({ title, passage }) => ({ title, text: passage })) };
    },
  });

  const refundOrder = defineTool({
    id: "orders.refund",
    title: "Refund an order",
    description: "Pays money of an order back to the customer, once. A person must approve the exact amount",
    input: z.strictObject({
      orderId: OrderNumber,
      amountCents: z.int().positive().describe("What to pay back, in cents"),
      reason: z.string().min(1).max(500),
    }),
    output: z.strictObject({ orderId: z.int(), refundedCents: z.int(), reason: z.string() }),
    effect: "at-most-once",
    needsApproval: true,
    tags: ["money"],
    permission: "orders.refund",
    async run({ input, principal, idempotencyKey }) {
      const { orderId, amountCents, reason } = input;
      const order = await findOrder(database(), principal.tenantId, orderId);
      if (order.refundKey === idempotencyKey)
        return { orderId, refundedCents: order.refundedCents, reason: order.refundReason ?? reason };
      if (amountCents > order.totalCents) throw tooMuch(amountCents, order.totalCents);
      const written = await database()
        .orm.update(demoOrders)
        .set({ refundedCents: amountCents, refundReason: reason, refundKey: idempotencyKey })
        .where(
          and(
            eq(demoOrders.id, order.id),
            isNull(demoOrders.refundKey),
            sql`${demoOrders.totalCents} >= ${amountCents}`,
          ),
        )
        .returning({ id: demoOrders.id });
      if (written.length === 0) throw alreadyRefunded(orderId);
      return { orderId, refundedCents: amountCents, reason };
    },
  });

  return [getOrder, findPolicy, refundOrder];
}

async function findOrder(db: Database, tenantId: number, orderNumber: number): Promise<typeof demoOrders.$inferSelect> {
  const [order] = await db.orm
    .select()
    .from(demoOrders)
    .where(and(eq(demoOrders.orderNumber, orderNumber), eq(demoOrders.tenantId, tenantId)));
  if (order !== undefined) return order;
  throw new OvenError("ORDER_UNKNOWN", `There is no order ${orderNumber}`, {
    status: 404,
    fix: "Ask the customer for the number on the confirmation; the demo shop has 8841, 8842, 8843 and 9001",
  });
}

function tooMuch(amountCents: number, totalCents: number): OvenError {
  return new OvenError(
    "REFUND_TOO_LARGE",
    `A refund of ${amountCents} cents is more than the order's ${totalCents} cents`,
    {
      path: "$.amountCents",
      fix: `Refund at most ${totalCents} cents`,
    },
  );
}

function alreadyRefunded(orderId: number): OvenError {
  return new OvenError("ORDER_ALREADY_REFUNDED", `Order ${orderId} has been refunded before`, {
    status: 409,
    fix: "Tell the customer that the refund is on its way",
  });
}
