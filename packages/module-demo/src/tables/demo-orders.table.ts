import { createdAtColumn, idColumn, tenantColumn } from "@oven/db";
import { integer, pgTable, text, uniqueIndex } from "@oven/db/pg-core";

/** Orders of an invented shop. */
export const demoOrders = pgTable(
  "demo_orders",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    orderNumber: integer("order_number").notNull(),
    customer: text("customer").notNull(),
    item: text("item").notNull(),
    totalCents: integer("total_cents").notNull(),
    status: text("status").$type<"processing" | "late" | "delivered">().notNull(),
    /** Dates as text, `2026-03-02`: they are only shown. */
    promisedFor: text("promised_for").notNull(),
    expectedFor: text("expected_for").notNull(),
    refundedCents: integer("refunded_cents").notNull().default(0),
    refundReason: text("refund_reason"),
    /** Idempotency key of the refund, so that the same call never pays twice. */
    refundKey: text("refund_key"),
    createdAt: createdAtColumn(),
  },
  (table) => [uniqueIndex("demo_orders_tenant_number").on(table.tenantId, table.orderNumber)],
);
