import { SYSTEM_PRINCIPAL } from "@oven/contract";
import type { LoggedEvent } from "@oven/contract/system";
import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { defineModule, type ModuleDeps } from "../define/define-module.ts";
import { createSystemModule } from "../routes.ts";
import { createRuntime, type Runtime } from "../runtime.ts";
import { EventRetention } from "./event-retention.ts";

const DAY = 86_400_000;

describe.each(testDatabases(inject("postgresUrl")))("the log of events on $name", ({ open }) => {
  let database: TestDatabase;
  let runtime: Runtime;
  let deps: ModuleDeps;
  /** What the two listeners are to fail with. */
  let failing: Record<string, string> = {};
  const seen: string[] = [];
  const listener = (id: string) => async (event: { payload: Record<string, unknown> }) => {
    if (failing[id] !== undefined) throw new Error(failing[id]);
    seen.push(`${id} ${event.payload.n}`);
  };
  beforeAll(async () => {
    database = await open();
    const tests = defineModule({
      name: "module-test",
      namespace: "test",
      description: "",
      dependencies: [],
      events: {
        emits: { "test.thing.happened": z.looseObject({ n: z.int() }).describe("When a thing happened") },
        listeners: { "test.thing.*": listener("some"), "test.*": listener("all") },
      },
      services: async (given) => {
        deps = given;
        return { authenticate: async () => ({ principal: SYSTEM_PRINCIPAL, via: "bearer" as const }) };
      },
    });
    const environment = {
      publicUrl: "http://localhost:3000",
      dataDir: "unused",
      secret: "s".repeat(32),
      demo: false,
      bootstrapApiKey: undefined,
      outboundAllow: [],
      production: false,
    };
    runtime = await createRuntime({ db: database.db, modules: [createSystemModule(), tests], environment });
  });
  afterAll(async () => {
    await runtime.stop();
    await database.close();
  });

  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
  const call = async (method: string, path: string, body?: object): Promise<{ status: number; body: any }> => {
    const response = await runtime.fetch(
      new Request(`http://localhost:3000/api/${path}`, {
        method,
        headers: { "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
    return { status: response.status, body: await response.json() };
  };
  async function emit(name: string, n: number, more: { tenantId?: number; orderKey?: string } = {}): Promise<number> {
    const event = { name, tenantId: 1, actor: { kind: "system" as const, id: null }, payload: { n }, ...more };
    await database.db.transaction((tx) => deps.services.events.write(tx, [event]));
    deps.services.events.wake();
    const [row] = await database.db.query<{ id: number }>("select max(id) as id from outbox_events");
    return row?.id ?? 0;
  }
  const get = async (id: number): Promise<LoggedEvent> => (await call("GET", `events/${id}`)).body;
  const list = async (filter: object): Promise<number[]> =>
    (await call("GET", `events?filter=${encodeURIComponent(JSON.stringify(filter))}&range=[0,99]`)).body.map(
      ({ id }: LoggedEvent) => id,
    );
  const delivered = (id: number) => expect.poll(async () => (await get(id)).deliveredAt).not.toBeNull();

  it("shows what happened and who had it, to its own tenant", async () => {
    const id = await emit("test.thing.happened", 1, { orderKey: "execution:42" });
    await delivered(id);
    expect(await get(id)).toMatchObject({
      name: "test.thing.happened",
      payload: { n: 1 },
      executionId: 42,
      deliveries: [
        { listener: "module-test:test.*", status: "delivered", attempts: 1, lastError: null },
        { listener: "module-test:test.thing.*", status: "delivered", attempts: 1, lastError: null },
      ],
    });
    const theirs = await emit("test.thing.happened", 2, { tenantId: 2 });
    expect((await call("GET", `events/${theirs}`)).status).toBe(404);
    expect((await call("POST", `events/${theirs}/retry`, {})).status).toBe(404);
    expect(await list({})).not.toContain(theirs);
  });

  it("is filtered by name, pattern, time and run", async () => {
    const [one, two] = [await emit("test.thing.happened", 3, { orderKey: "execution:7" }), await emit("test.other", 4)];
    expect(await list({ name: "test.other" })).toEqual([two]);
    expect(await list({ pattern: "test.thing.*", executionId: 7 })).toEqual([one]);
    expect(await list({ pattern: "test_thing.*" })).toEqual([]);
    expect(await list({ pattern: "test.*" })).toEqual(expect.arrayContaining([one, two]));
    expect(await list({ to: "2020-01-01T00:00:00Z" })).toEqual([]);
    expect(await list({ from: "2020-01-01T00:00:00Z", name: "test.other" })).toEqual([two]);
    for (const filter of [{ from: "soon" }, { executionId: "x" }, { failed: "yes" }, { pattern: 7 }, { payload: 1 }]) {
      const { status, body } = await call("GET", `events?filter=${JSON.stringify(filter)}`);
      expect([status, body.error.code]).toEqual([400, "INVALID_LIST_QUERY"]);
    }
  });

  it("shows a listener that was given up on, and delivers to it anew, without the others", async () => {
    failing = { some: "mail server is down" };
    const id = await emit("test.thing.happened", 5);
    const waiting = async () => (await get(id)).deliveries.find(({ listener: name }) => name.endsWith("thing.*"));
    await expect.poll(waiting).toMatchObject({ status: "pending", attempts: 1, lastError: "mail server is down" });
    await database.db.query(
      "update outbox_deliveries set attempts = 7, next_attempt_at = now() where event_id = $1 and delivered_at is null",
      [id],
    );
    deps.services.events.wake();
    await expect.poll(waiting).toMatchObject({ status: "failed", attempts: 8 });
    await delivered(id);
    expect(await list({ failed: true })).toEqual([id]);
    failing = {};
    const ignored = await call("POST", `events/${id}/retry`, { listener: "module-test:test.*" });
    expect(ignored.body.deliveredAt).not.toBeNull();
    expect((await call("POST", `events/${id}/retry`, {})).status).toBe(200);
    await delivered(id);
    expect(await waiting()).toMatchObject({ status: "delivered", attempts: 1 });
    expect(seen.filter((entry) => entry.endsWith(" 5")).sort()).toEqual(["all 5", "some 5"]);
    expect(await list({ failed: true })).toEqual([]);
  });

  it("hides the values of secrets", async () => {
    await call("POST", "secrets", { name: "shop", value: "sk-canary-0123456789", hosts: ["api.example.com"] });
    const event = { name: "test.other", tenantId: 1, actor: { kind: "system" as const, id: null } };
    await database.db.transaction((tx) =>
      deps.services.events.write(tx, [{ ...event, payload: { said: "with sk-canary-0123456789" } }]),
    );
    const { body } = await call("GET", `events?sort=["id","DESC"]&range=[0,0]`);
    expect(JSON.stringify(body)).not.toContain("sk-canary");
    expect(body[0].payload.said).toContain("with ");
  });

  it("lists what modules emit, with schemas", async () => {
    const { body } = await call("GET", "event-types");
    expect(body).toContainEqual({
      name: "test.thing.happened",
      module: "module-test",
      description: "When a thing happened",
      payloadSchema: expect.objectContaining({ type: "object", required: ["n"] }),
    });
  });

  it("keeps what was delivered for 30 days, or as the tenant says, and what was not delivered", async () => {
    const retention = new EventRetention(database.db.system, deps.services.config);
    const [old, open] = [await emit("test.thing.happened", 6), await emit("test.thing.happened", 7)];
    await delivered(old);
    await delivered(open);
    await database.db.query("update outbox_events set delivered_at = null where id = $1", [open]);
    await retention.sweep(new Date(Date.now() + 29 * DAY));
    expect((await get(old)).id).toBe(old);
    await call("POST", "module-configs", {
      moduleName: "module-registry",
      key: "RETENTION_EVENTS_DAYS",
      value: 60,
    });
    await retention.sweep(new Date(Date.now() + 59 * DAY));
    expect((await get(old)).id).toBe(old);
    expect(await retention.sweep(new Date(Date.now() + 61 * DAY))).toBeGreaterThan(0);
    expect((await call("GET", `events/${old}`)).status).toBe(404);
    const [rest] = await database.db.query("select count(*)::int as rows from outbox_deliveries where event_id = $1", [
      old,
    ]);
    expect(rest).toEqual({ rows: 0 });
  });
});
