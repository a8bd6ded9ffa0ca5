import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { connectDatabase } from "./connect.ts";
import { isConnectionLost } from "./connection-lost.ts";
import type { Database } from "./database.ts";
import { createTestPostgres, openTcpGate, type TcpGate } from "./testing.ts";

describe("a database that goes away", () => {
  let test: { url: string; drop: () => Promise<void> };
  let gate: TcpGate;
  let db: Database;
  beforeEach(async () => {
    test = await createTestPostgres(inject("postgresUrl"));
    gate = await openTcpGate(test.url);
    db = await connectDatabase({ url: gate.url, dataDir: "unused" });
    await db.query("create table kept (id int primary key)");
  });
  afterEach(async () => {
    await db.close();
    await gate.close();
    await test.drop();
  });

  const put = (id: number) => ({ name: "put", sql: "insert into kept values ($1::int) returning id", params: [id] });
  const unavailable = { code: "DATABASE_UNAVAILABLE", status: 503, retryable: true };

  it("is said to be unavailable by every way in, and serves again by itself", async () => {
    expect(await db.batch([put(1)])).toEqual([true]);
    await gate.shut();
    await expect(db.query("select 1")).rejects.toMatchObject(unavailable);
    await expect(db.transaction((tx) => tx.query("select 1"))).rejects.toMatchObject(unavailable);
    await expect(db.batch([put(2)])).rejects.toMatchObject(unavailable);
    await expect(db.listen("x", () => undefined)).rejects.toMatchObject(unavailable);
    await expect(db.orm.execute(sql`select 1`)).rejects.toSatisfy(isConnectionLost);
    expect(await db.isReachable()).toBe(false);
    await gate.open();
    expect(await db.isReachable()).toBe(true);
    expect(await db.query("select id from kept")).toEqual([{ id: 1 }]);
    expect(await db.batch([put(2)])).toEqual([true]);
  });

  it("in the middle of a transaction leaves nothing of it", async () => {
    const attempt = db.transaction(async (tx) => {
      await tx.query("insert into kept values (1)");
      await gate.shut();
      await tx.query("insert into kept values (2)");
    });
    await expect(attempt).rejects.toMatchObject(unavailable);
    await gate.open();
    expect(await db.query("select id from kept")).toEqual([]);
  });

  it("names no statement when the server ends a batch", async () => {
    const sleep = { name: "sleep", sql: "select pg_sleep(60)", params: [] };
    await db.batch([put(1)]);
    const attempt = db.batch([put(2), sleep]);
    const settled = expect(attempt).rejects.toMatchObject(unavailable);
    const end = "select pg_terminate_backend(pid) from pg_stat_activity where query like 'select pg_sleep%'";
    await expect.poll(async () => (await db.query(end)).length).toBe(1);
    await settled;
    expect(await db.query("select id from kept")).toEqual([{ id: 1 }]);
    expect(await db.batch([put(3)])).toEqual([true]);
  });

  it("still hears notifications afterwards", async () => {
    const heard: string[] = [];
    await db.listen("news", (payload) => heard.push(payload));
    await gate.shut();
    await gate.open();
    const told = async () => {
      await db.query("select pg_notify('news', 'again')");
      return heard.includes("again");
    };
    await expect.poll(told, { interval: 50 }).toBe(true);
  });
});

it("goes to the direct address for all that a pooler would break", async () => {
  const { url, drop } = await createTestPostgres(inject("postgresUrl"));
  const pooled = await openTcpGate(url);
  const direct = await openTcpGate(url);
  const db = await connectDatabase({ url: pooled.url, directUrl: direct.url, dataDir: "unused" });
  expect(db.native).toMatchObject({ connectionString: direct.url });
  await db.query("select 1", [], "never-prepared");
  const prepared = "select count(*) as n from pg_prepared_statements where name = 'never-prepared'";
  expect(await db.query(prepared)).toEqual([{ n: 0 }]);
  const heard = Promise.withResolvers<string>();
  await direct.shut();
  await expect(db.listen("news", heard.resolve)).rejects.toMatchObject({ code: "DATABASE_UNAVAILABLE" });
  await expect(db.batch([{ name: "one", sql: "select 1", params: [] }])).rejects.toMatchObject({
    code: "DATABASE_UNAVAILABLE",
  });
  await direct.open();
  await db.listen("news", heard.resolve);
  await db.query("select pg_notify('news', 'hello')");
  expect(await heard.promise).toBe("hello");
  expect(await db.batch([{ name: "one", sql: "select 1", params: [] }])).toEqual([true]);
  await db.close();
  await Promise.all([pooled.close(), direct.close()]);
  await drop();
});
