import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startNotifications, type TestNotifications } from "./deliveries/testing/start-notifications.ts";

describe("what people were told", () => {
  let server: TestNotifications;
  beforeAll(async () => {
    server = await startNotifications({ now: new Date() });
  });
  afterAll(() => server.stop());

  const told = async (key: string, days: number) =>
    server.db.query(
      `insert into notifications (tenant_id, user_id, rule_key, event_key, kind, subject, text, link, created_at)
       values (1, 1, 'rule:1', $1, 'run.failed', 's', 't', '/', now() - make_interval(days => $2))`,
      [key, days],
    );
  const message = async (key: string, status: string, days: number) =>
    server.db.query(
      `insert into notification_deliveries (tenant_id, rule_key, event_key, channel, recipient, kind, subject, text, link, facts, status, next_attempt_at, created_at)
       values (1, 'rule:1', $1, 'email', 'a@example.com', 'run.failed', 's', 't', '/', '{}', $2, now(), now() - make_interval(days => $3))`,
      [key, status, days],
    );
  const keysOf = async (table: string) =>
    (await server.db.query<{ event_key: string }>(`select event_key from ${table} order by 1`)).map(
      ({ event_key }) => event_key,
    );

  it("goes after 90 days, and messages that are still to be sent stay", async () => {
    await told("old", 91);
    await told("young", 89);
    await message("sent", "sent", 91);
    await message("failed", "failed", 91);
    await message("young", "sent", 89);
    await message("waits", "pending", 400);
    const { body } = await server.oven.call("POST", "retention/run", {});
    const ofRuns = { run_scores: 0, run_migration_items: 0 };
    expect(body.rows).toEqual({ ...ofRuns, notifications: 1, notification_deliveries: 2 });
    expect(await keysOf("notifications")).toEqual(["young"]);
    expect(await keysOf("notification_deliveries")).toEqual(["waits", "young"]);
  });

  it("goes after as many days as the tenant says", async () => {
    const setting = { moduleName: "module-notifications", key: "NOTIFY_KEEP_DAYS", value: 10 };
    expect((await server.oven.call("POST", "module-configs", setting)).status).toBe(201);
    await told("eleven", 11);
    await told("nine", 9);
    await server.oven.call("POST", "retention/run", {});
    expect(await keysOf("notifications")).toEqual(["nine"]);
  });

  it("forgets the deadlines of reviews that are gone", async () => {
    await server.db.query("insert into notification_review_deadlines (review_id, tenant_id) values (987654, 1)");
    await server.tick();
    expect(await server.db.query("select review_id from notification_review_deadlines")).toEqual([]);
  });
});
