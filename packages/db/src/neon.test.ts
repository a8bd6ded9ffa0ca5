import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { neonConfig } from "@neondatabase/serverless";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import type { Database } from "./database.ts";
import { NEON } from "./neon-driver.ts";
import { isNeonUrl, toDirectNeonUrl } from "./neon-url.ts";
import { openPostgres } from "./postgres-database.ts";
import { createTestPostgres } from "./testing.ts";

describe("a Neon address", () => {
  it.each([
    ["postgres://u:p@ep-cool-1.eu-central-1.aws.neon.tech/db?sslmode=require", true],
    ["postgres://u:p@neon.tech/db", true],
    ["postgres://u:p@notneon.tech/db", false],
    ["postgres://u:p@neon.tech.example/db", false],
    ["postgres://neon.tech@db.example/db", false],
  ])("%s: %s", (url, expected) => {
    expect(isNeonUrl(url)).toBe(expected);
  });

  it("without its pooler is the direct one", () => {
    expect(toDirectNeonUrl("postgres://u:p@ep-cool-1-pooler.eu.aws.neon.tech/db?sslmode=require")).toBe(
      "postgres://u:p@ep-cool-1.eu.aws.neon.tech/db?sslmode=require",
    );
    const direct = "postgres://u:p@ep-cool-1.eu.aws.neon.tech/db";
    expect(toDirectNeonUrl(direct)).toBe(direct);
  });
});

/** What Neon's own proxy does: each WebSocket becomes a TCP connection to the database. */
function startProxy(host: string, port: number): { server: WebSocketServer; sockets: Set<WebSocket> } {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  const sockets = new Set<WebSocket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    const tcp = connect(port, host);
    tcp.on("data", (chunk) => socket.send(chunk));
    socket.on("message", (data: Buffer) => tcp.write(data));
    tcp.on("close", () => socket.close());
    tcp.on("error", () => socket.terminate());
    socket.on("close", () => {
      sockets.delete(socket);
      tcp.destroy();
    });
  });
  return { server, sockets };
}

describe("a database over Neon's driver", () => {
  let proxy: ReturnType<typeof startProxy>;
  let test: { url: string; drop: () => Promise<void> };
  let db: Database;
  const before = { ...pick() };

  function pick() {
    const { wsProxy, useSecureWebSocket, pipelineTLS, pipelineConnect } = neonConfig;
    return { wsProxy, useSecureWebSocket, pipelineTLS, pipelineConnect };
  }

  beforeAll(async () => {
    test = await createTestPostgres(inject("postgresUrl"));
    const { hostname, port } = new URL(test.url);
    proxy = startProxy(hostname, Number(port));
    await once(proxy.server, "listening");
    const { port: proxyPort } = proxy.server.address() as AddressInfo; // cast: it listens on TCP
    Object.assign(neonConfig, {
      wsProxy: () => `127.0.0.1:${proxyPort}/v1`,
      useSecureWebSocket: false,
      pipelineTLS: false,
      pipelineConnect: false,
    });
    db = await openPostgres({ connectionString: test.url, driver: NEON, poolSize: 3 });
    await db.query("create table put (id bigint primary key, value json)");
  });
  afterAll(async () => {
    await db.close();
    proxy.server.close();
    await test.drop();
    Object.assign(neonConfig, before);
  });

  const put = (id: number, value: string) => ({
    name: "put",
    sql: "insert into put (id, value) values ($1::bigint, $2::json) on conflict do nothing returning id",
    params: [id, value],
  });

  it("runs queries and transactions over WebSockets only", async () => {
    expect(proxy.sockets.size).toBeGreaterThan(0);
    expect(await db.query("select $1::bigint as id", [2 ** 40])).toEqual([{ id: 2 ** 40 }]);
    const attempt = db.transaction(async (tx) => {
      await tx.query("insert into put values (1, '{}')");
      throw new Error("changed my mind");
    });
    await expect(attempt).rejects.toThrow("changed my mind");
    expect(await db.query("select id from put")).toEqual([]);
  });

  it("runs the engine's batches, and names what fails", async () => {
    expect(await db.batch([put(2, '"a"'), put(2, '"b"'), put(3, '"\\ud800"')])).toEqual([true, false, true]);
    await expect(db.batch([put(4, "1"), put(5, "not json")])).rejects.toMatchObject({ name: "BatchError", index: 1 });
    expect(await db.query("select id from put order by id")).toEqual([{ id: 2 }, { id: 3 }]);
  });

  it("plans the engine's statements once", async () => {
    await db.query("create table setting (name text, value text)");
    const show = (name: string) => ({
      name: `show-${name}`,
      sql: `insert into setting values ('${name}', current_setting('${name}'))`,
      params: [],
    });
    await db.batch([show("plan_cache_mode"), show("jit")]);
    expect(await db.query("select value from setting order by name")).toEqual([
      { value: "off" },
      { value: "force_generic_plan" },
    ]);
  });

  it("delivers notifications, also after every connection was cut", async () => {
    const received: string[] = [];
    await db.listen("news", (payload) => received.push(payload));
    const hears = (payload: string) =>
      expect
        .poll(
          async () => {
            await db.query("select pg_notify('news', $1)", [payload]).catch((error: { code: string }) => {
              expect(error.code).toBe("DATABASE_UNAVAILABLE");
            });
            return received.includes(payload);
          },
          { interval: 50 },
        )
        .toBe(true);
    await hears("one");
    for (const socket of proxy.sockets) socket.terminate();
    await hears("two");
    expect(await db.batch([put(9, "1")])).toEqual([true]);
  });

  it("gives the queue a way to run its SQL, several statements in one text too", async () => {
    if (!("executeSql" in db.native)) throw new Error("Neon's database offers no SQL port");
    expect(await db.native.executeSql("select 1 as a; select 2 as a")).toEqual({ rows: [{ a: 1 }, { a: 2 }] });
    expect(await db.native.executeSql("select $1::int as a", [3])).toMatchObject({ rows: [{ a: 3 }] });
  });
});
