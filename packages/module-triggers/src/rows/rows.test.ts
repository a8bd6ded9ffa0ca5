import { connectDatabase, type Database } from "@oven/db";
import { createTestPostgres } from "@oven/db/testing";
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";
import { startTriggers, type TestClock, type TestTriggers } from "../triggers/testing/start-triggers.ts";

const MINUTE = 60_000;
const READER = `row_reader_${process.pid}_${Math.random().toString(36).slice(2, 8)}`;

describe("rows of a PostgreSQL database", () => {
  const clock: TestClock = { now: new Date("2026-10-23T12:00:00Z") };
  let server: { url: string; drop: () => Promise<void> };
  let shop: Database;
  let triggers: TestTriggers;
  let workflowId: number;
  beforeAll(async () => {
    server = await createTestPostgres(inject("postgresUrl"), { migrated: false });
    shop = await connectDatabase({ url: server.url, dataDir: "" });
    await shop.query(`create role ${READER} login password 'only-for-this-test'`);
    await shop.query("create schema shop");
    await shop.query(`create table shop.orders (id bigint primary key, "from" text, updated_at timestamptz)`);
    await shop.query("create table shop.secrets (id bigint)");
    await shop.query(`grant usage on schema shop to ${READER}`);
    await shop.query(`grant select on shop.orders to ${READER}`);
    const url = new URL(server.url);
    url.username = READER;
    url.password = "only-for-this-test";
    vi.stubEnv("OVEN_SQL_URL", url.toString());
    triggers = await startTriggers(clock);
    workflowId = await triggers.workflow("Orders");
  });
  afterAll(async () => {
    await triggers.stop();
    vi.unstubAllEnvs();
    await shop.query(`drop owned by ${READER}`);
    await shop.query(`drop role ${READER}`);
    await shop.close();
    await server.drop();
  });

  const make = async (config: object) =>
    (
      await triggers.make({
        type: "sql-row",
        name: "Orders",
        target: { kind: "workflow", workflowId },
        config: { table: "shop.orders", ...config },
      })
    ).id;
  const insert = (...ids: number[]) =>
    shop.query(`insert into shop.orders select id, 'Ada', '2026-01-01T00:00:00.123456Z' from unnest($1::bigint[]) id`, [
      ids,
    ]);
  const pass = async (milliseconds: number) => {
    clock.now = new Date(clock.now.getTime() + milliseconds);
    await triggers.tick();
  };
  const ids = async (id: number) =>
    (await triggers.deliveries(id)).map(({ payload }) => (payload as { id: number }).id); // cast: a row

  it("start one run each, in their order, but those that were there", async () => {
    await insert(1, 2);
    const id = await make({ cursor: "id" });
    await pass(0);
    expect(await ids(id)).toEqual([]);
    await insert(11, 9, 10);
    await pass(MINUTE);
    expect(await ids(id)).toEqual([9, 10, 11]);
    expect((await triggers.deliveries(id))[0]).toMatchObject({
      decision: "started",
      payload: { id: 9, from: "Ada", updated_at: "2026-01-01T00:00:00.123456Z" },
    });
    await pass(MINUTE);
    expect(await ids(id)).toHaveLength(3);
    await triggers.oven.call("DELETE", `triggers/${id}`);
  });

  it("are told apart where they have the same time, come in several looks, and come again when they change", async () => {
    const id = await make({ cursor: "updated_at", key: "id", existing: "take", maxRows: 2 });
    await pass(0);
    await pass(1_000);
    await pass(1_000);
    expect(await ids(id)).toEqual([1, 2, 9, 10, 11]);
    await shop.query("update shop.orders set updated_at = '2026-01-02' where id = 2");
    await pass(MINUTE);
    expect(await ids(id)).toEqual([1, 2, 9, 10, 11, 2]);
    // A crash before the position was written down: the same rows are read again, and are known.
    await triggers.db.query("update triggers set state = '{}', due_at = $2 where id = $1", [
      id,
      clock.now.toISOString(),
    ]);
    for (let look = 0; look < 4; look++) await pass(1_000);
    expect(await ids(id)).toHaveLength(6);
    await triggers.oven.call("DELETE", `triggers/${id}`);
  });

  it("of a table that the login may not read are refused, and a name is never SQL", async () => {
    const id = await make({ table: "shop.secrets", cursor: "id" });
    await pass(0);
    expect((await triggers.oven.call("GET", `triggers/${id}`)).body.lastError).toContain("permission denied");
    const body = { type: "sql-row", name: "x", target: { kind: "workflow", workflowId } };
    for (const config of [
      { table: 'orders"; drop table orders; --', cursor: "id" },
      { table: "shop.orders", cursor: 'id" desc --' },
    ])
      expect((await triggers.oven.call("POST", "triggers", { ...body, config })).status).toBe(400);
  });
});
