import { createTestPglite } from "@oven/db/testing";
import { describe, expect, it } from "vitest";
import { startTriggers } from "../triggers/testing/start-triggers.ts";
import { startReceiver } from "./testing/start-receiver.ts";

/** Beyond the time that a server takes to start here. */
const AHEAD_SECONDS = 3;
/** Before the first sweep after the start. */
const LATE_MS = 1_800;

describe("what is due by time alone on an embedded database", () => {
  it("is sent and started at its time, though nothing wakes who looks for it", async () => {
    const db = await createTestPglite();
    const receiver = await startReceiver();
    // Without its loops: nothing is sent before the other one is there.
    const before = await startTriggers({ now: new Date() }, db);
    await before.oven.call("POST", "secrets", { name: "signing", value: `whsec_${"M".repeat(32)}`, hosts: [] });
    const [subscription] = await db.query<{ id: number }>(
      `insert into event_subscriptions (tenant_id, name, url, events, secret) values (1, 's', $1, '["orders.paid"]', 'signing') returning id`,
      [`${receiver.origin}/hook`],
    );
    const workflowId = await before.workflow("Report");
    const target = { kind: "workflow", workflowId };
    const dueAt = new Date(Date.now() + AHEAD_SECONDS * 1_000);
    const config = { at: dueAt.toISOString() };
    const { id } = await before.make({ type: "schedule", name: "Once", target, config });
    await db.query(
      `insert into subscription_deliveries (tenant_id, subscription_id, key, message_id, event, occurred_at, payload, attempts, next_attempt_at)
       values (1, $1, 'k', 'm', 'orders.paid', now(), '{}', 1, $2)`,
      [subscription?.id, dueAt.toISOString()],
    );
    await before.oven.stop();
    const after = await startTriggers(undefined, db, { outboundAllow: [receiver.origin] });
    const left = dueAt.getTime() - Date.now();
    await expect.poll(() => receiver.received.length, { timeout: left + LATE_MS }).toBe(1);
    await expect
      .poll(async () => (await after.deliveries(id)).map(({ decision }) => decision), { timeout: LATE_MS })
      .toEqual(["started"]);
    expect(Date.now() - dueAt.getTime()).toBeGreaterThanOrEqual(0);
    await after.stop();
    await receiver.close();
    await db.close();
  });
});
