import { DEFAULT_TENANT } from "@oven/contract";
import type { Database } from "@oven/db";
import { demoOrders } from "./tables/demo-orders.table.ts";
import { demoPolicies } from "./tables/demo-policies.table.ts";

const ORDERS = [
  {
    orderNumber: 8841,
    customer: "Ada Lindqvist",
    item: "Cast-iron bread oven",
    totalCents: 18_900,
    status: "late" as const,
    promisedFor: "2 March",
    expectedFor: "9 March",
  },
  {
    orderNumber: 8842,
    customer: "Marek Nowak",
    item: "Rye starter kit",
    totalCents: 2_450,
    status: "delivered" as const,
    promisedFor: "3 March",
    expectedFor: "3 March",
  },
  {
    orderNumber: 8843,
    customer: "Inês Carvalho",
    item: "Proofing basket, set of two",
    totalCents: 4_200,
    status: "processing" as const,
    promisedFor: "12 March",
    expectedFor: "12 March",
  },
  {
    orderNumber: 9001,
    customer: "Tomás Silva",
    item: "Stone mill",
    totalCents: 64_900,
    status: "late" as const,
    promisedFor: "27 February",
    expectedFor: "11 March",
  },
];

const POLICIES = [
  {
    topic: "delivery",
    title: "Late deliveries",
    passage:
      "When an order is more than three days late, the customer may choose between a full refund and 15 % off the next order.",
  },
  {
    topic: "delivery",
    title: "Tracking",
    passage: "Every parcel has a tracking link in the confirmation mail; it is updated once a day.",
  },
  {
    topic: "refunds",
    title: "How refunds are paid",
    passage: "Refunds go back to the card that paid, within five working days, and are approved by a person.",
  },
  {
    topic: "damage",
    title: "Damaged goods",
    passage: "What arrives damaged is replaced free of charge; a photo is enough, nothing has to be sent back.",
  },
];

/** Adds what is missing; what people changed stays as it is. */
export async function seedShop(db: Database): Promise<void> {
  const tenantId = DEFAULT_TENANT;
  await db.orm
    .insert(demoOrders)
    .values(ORDERS.map((order) => ({ ...order, tenantId })))
    .onConflictDoNothing();
  await db.orm
    .insert(demoPolicies)
    .values(POLICIES.map((policy) => ({ ...policy, tenantId })))
    .onConflictDoNothing();
}
