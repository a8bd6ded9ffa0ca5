import type { Database } from "@oven/db";
import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { startTriggers, type TestTriggers } from "../triggers/testing/start-triggers.ts";

describe.each(testDatabases(inject("postgresUrl")))("the logs of triggers on $name", ({ open }) => {
  let database: TestDatabase;
  let db: Database;
  let server: TestTriggers;
  beforeAll(async () => {
    database = await open();
    db = database.db;
    server = await startTriggers({ now: new Date() }, db);
  });
  afterAll(async () => {
    await server.stop();
    await database.close();
  });

  const sweep = async () => (await server.oven.call("POST", "retention/run", {})).body.rows;
  /** Until every run that ends by itself has ended. */
  const settled = () =>
    expect
      .poll(() => db.query("select id from workflow_executions where status in ('pending', 'running')"))
      .toEqual([]);
  const age = (table: string, column: string, id: number, days: number) =>
    db.query(`update ${table} set ${column} = now() - make_interval(days => $2) where id = $1`, [id, days]);
  async function fired(triggerId: number, days: number): Promise<number> {
    const { body } = await server.oven.call("POST", `triggers/${triggerId}/fire`, { payload: {} });
    await age("trigger_deliveries", "received_at", body.id, days);
    return body.id;
  }
  const idsOf = async (triggerId: number) => (await server.deliveries(triggerId)).map(({ id }) => id);
  const make = async (workflowId: number, name: string, overlap = "allow") =>
    (await server.make({ type: "manual", name, overlap, target: { kind: "workflow", workflowId } })).id;

  it("lose what arrived 90 days ago, and nothing younger", async () => {
    const trigger = await make(await server.workflow("Ends"), "Old and young");
    const [old, young] = [await fired(trigger, 91), await fired(trigger, 89)];
    await server.oven.call("POST", "trigger-deliveries/replay", { ids: [old] });
    await settled();
    expect(await sweep()).toMatchObject({ trigger_deliveries: 1 });
    const left = await idsOf(trigger);
    expect(left).toContain(young);
    expect(left).not.toContain(old);
    expect(left).toHaveLength(2);
  });

  it("keep what started a run that goes on, and what still waits for it", async () => {
    const trigger = await make(await server.workflow("Waits", true), "Queue", "queue");
    const [running, queued] = [await fired(trigger, 400), await fired(trigger, 400)];
    expect((await server.deliveries(trigger)).map(({ decision }) => decision)).toEqual(["started", "queued"]);
    expect(await sweep()).toMatchObject({ trigger_deliveries: 0 });
    expect(await idsOf(trigger)).toEqual([running, queued]);
    const [{ executionId } = { executionId: 0 }] = await server.deliveries(trigger);
    await server.oven.call("POST", `workflow-executions/${executionId}/cancel`, {});
    await settled();
    expect(await sweep()).toMatchObject({ trigger_deliveries: 1 });
    expect(await idsOf(trigger)).toEqual([queued]);
  });

  it("keep for as long as the tenant says", async () => {
    const trigger = await make(await server.workflow("Ends soon"), "Week");
    const [older, younger] = [await fired(trigger, 8), await fired(trigger, 6)];
    const setting = { moduleName: "module-triggers", key: "RETENTION_TRIGGER_DELIVERIES_DAYS", value: 7 };
    expect((await server.oven.call("POST", "module-configs", { ...setting, value: 0 })).status).toBe(400);
    expect((await server.oven.call("POST", "module-configs", setting)).status).toBe(201);
    await settled();
    await sweep();
    expect(await idsOf(trigger)).toEqual([younger]);
    expect(older).toBeLessThan(younger);
  });

  it("lose events that were posted or given up 30 days ago, and keep those on their way, however old", async () => {
    await server.oven.call("POST", "secrets", { name: "signing", value: "a-key-for-signatures", hosts: [] });
    const posted = { name: "Mine", url: "https://example.com/", events: ["orders.*"], secret: "signing" };
    const { body: subscription } = await server.oven.call("POST", "event-subscriptions", posted);
    const write = async (status: string, days: number) => {
      const [row] = await db.query<{ id: number }>(
        `insert into subscription_deliveries (tenant_id, subscription_id, key, message_id, event, occurred_at, payload, status, next_attempt_at, created_at)
         values (1, $1, gen_random_uuid()::text, 'm', 'orders.paid', now(), '{}', $2, now(), now() - make_interval(days => $3)) returning id`,
        [subscription.id, status, days],
      );
      return row?.id ?? 0;
    };
    const [delivered, dead] = [await write("delivered", 31), await write("failed", 31)];
    const [young, waiting] = [await write("delivered", 29), await write("pending", 400)];
    expect(await sweep()).toMatchObject({ subscription_deliveries: 2 });
    const left = await db.query<{ id: number }>("select id from subscription_deliveries order by id");
    expect(left.map(({ id }) => Number(id))).toEqual([young, waiting]);
    expect([delivered, dead]).not.toContain(young);
  });

  it("take what was attached along, and nothing that a run wrote", async () => {
    const trigger = await make(await server.workflow("Reads"), "Attached");
    const kept = await fired(trigger, 0);
    const [{ key } = { key: "" }] = await server.deliveries(trigger);
    const write = (executionId: number, nodeId: string, item: string, days: number) =>
      db.query(
        `insert into run_blobs (tenant_id, execution_id, node_id, visit, item, media_type, size, sha256, data, created_at)
         values (1, $1, $2, 1, $3, 'text/plain', 0, '', '', now() - make_interval(days => $4))`,
        [executionId, nodeId, item, days],
      );
    await write(0, "trigger-delivery", `${trigger}:${key}`, 400);
    await write(0, "trigger-delivery", `${trigger}:gone`, 400);
    await write(0, "trigger-delivery", `${trigger}:not written yet`, 0);
    await write(987_654, "trigger-delivery", `${trigger}:gone`, 400);
    await settled();
    expect(await sweep()).toMatchObject({ run_blobs: 1 });
    const left = await db.query<{ item: string }>("select item from run_blobs order by id");
    expect(left.map(({ item }) => item)).toEqual([
      `${trigger}:${key}`,
      `${trigger}:not written yet`,
      `${trigger}:gone`,
    ]);
    expect(await idsOf(trigger)).toEqual([kept]);
  });

  it("of another tenant stay when this one's are swept", async () => {
    const trigger = await make(await server.workflow("Theirs"), "Theirs");
    const id = await fired(trigger, 400);
    await settled();
    await db.query("update trigger_deliveries set tenant_id = 2 where id = $1", [id]);
    expect(await sweep()).toMatchObject({ trigger_deliveries: 0 });
  });
});
