import type { SubscriptionDelivery } from "@oven/contract/trigger";
import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { checkSignature, styleOf } from "@oven/module-registry";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { startTriggers, type TestClock, type TestTriggers } from "../triggers/testing/start-triggers.ts";
import { type Received, type Receiver, startReceiver } from "./testing/start-receiver.ts";

const KEY = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const TOKEN = "a-token-of-the-receiver";

describe.each(testDatabases(inject("postgresUrl")))("event subscriptions on $name", ({ open }) => {
  const clock: TestClock = { now: new Date("2026-11-01T12:00:00Z") };
  let database: TestDatabase;
  let receiver: Receiver;
  let triggers: TestTriggers;
  let count = 0;
  beforeAll(async () => {
    database = await open();
    receiver = await startReceiver();
    triggers = await startTriggers(clock, database.db, { outboundAllow: [receiver.origin] });
    await call("POST", "secrets", { name: "signing", value: KEY, hosts: [] });
    await call("POST", "secrets", { name: "bearer", value: TOKEN, hosts: [new URL(receiver.origin).host] });
  });
  afterAll(async () => {
    await triggers.stop();
    await receiver.close();
    await database.close();
  });
  beforeEach(() => {
    receiver.received = [];
    receiver.answer = (_request, response) => void response.writeHead(204).end();
  });

  const call = (...args: Parameters<TestTriggers["oven"]["call"]>) => triggers.oven.call(...args);
  const make = async (more: object = {}) => {
    const own = `orders.n${++count}`;
    const wanted = { name: own, url: `${receiver.origin}/${own}`, events: [`${own}.*`], secret: "signing", ...more };
    const { status, body } = await call("POST", "event-subscriptions", wanted);
    expect(status, JSON.stringify(body)).toBe(201);
    return { id: body.id as number, event: `${own}.paid` };
  };
  /** A run says that something happened. */
  const emit = async (event: string, payload: object = { id: 7 }) => {
    const definition = {
      initial: "say",
      states: {
        say: { invoke: { src: "core.emit", input: { event, payload }, onDone: "done" } },
        done: { type: "final" },
      },
    };
    const { body } = await call("POST", "workflows", { name: `Says ${event} ${++count}`, definition });
    const run = await call("POST", `workflows/${body.id}/execute?wait=20`, {});
    expect(run.body.status, JSON.stringify(run.body)).toBe("completed");
  };
  const deliveries = async (id: number): Promise<SubscriptionDelivery[]> =>
    (await call("GET", `event-subscriptions/${id}/deliveries?sort=["id","ASC"]`)).body;
  const written = async (id: number, many = 1) => expect.poll(() => deliveries(id)).toHaveLength(many);
  const pass = async (seconds: number) => {
    clock.now = new Date(clock.now.getTime() + seconds * 1_000);
    await triggers.tick();
  };

  /** What came for one subscription; others may be due, too. */
  const of = (event: string) => receiver.received.filter(({ path }) => path === `/${event.replace(".paid", "")}`);

  function expectSigned({ headers, body }: Received): void {
    const style = styleOf({ style: "standard", secret: "signing" });
    if (style === undefined) throw new Error("unsigned");
    checkSignature(style, KEY, { headers, body: Buffer.from(body) }, { now: clock.now, windowSeconds: 300 });
  }

  it("wait as long as the receiver asks, an hour at most", async () => {
    const { id, event } = await make();
    const waits: number[] = [];
    await emit(event);
    await written(id);
    for (const asked of ["600", "999999", "Wed, 01 Jan 2031 00:00:00 GMT"]) {
      receiver.answer = (_request, response) => void response.writeHead(503, { "retry-after": asked }).end();
      await pass(waits.at(-1) ?? 0);
      const [delivery] = await deliveries(id);
      waits.push((Date.parse(delivery?.nextAttemptAt ?? "") - clock.now.getTime()) / 1_000);
    }
    // A date is left alone: it waits as after any third attempt.
    expect(waits).toEqual([600, 3_600, 120]);
    receiver.answer = (_request, response) => void response.writeHead(204).end();
    await call("DELETE", `event-subscriptions/${id}`);
  });

  it("are not changed to sign with a secret that is not there", async () => {
    const { id } = await make();
    const refused = await call("PUT", `event-subscriptions/${id}`, { secret: "no-such-secret" });
    expect(refused.status).toBe(422);
    expect(refused.body.error.code).toBe("SECRET_UNKNOWN");
    expect((await call("GET", `event-subscriptions/${id}`)).body.secret).toBe("signing");
  });

  it("post what happened, signed, once, and without anybody's secrets", async () => {
    const { id, event } = await make({ headers: { authorization: { $secret: "bearer", prefix: "Bearer " } } });
    await emit(event, { id: 7, note: `the token is ${TOKEN}` });
    await emit("orders.other.paid");
    await written(id);
    await triggers.tick();
    await triggers.tick();
    expect(receiver.received).toHaveLength(1);
    const [one] = receiver.received as [Received]; // cast: counted above
    expectSigned(one);
    expect(one.headers.get("authorization")).toBe(`Bearer ${TOKEN}`);
    const body = JSON.parse(one.body);
    expect(body).toMatchObject({ type: event, data: { id: 7 } });
    expect(Date.parse(body.timestamp)).toBeGreaterThan(0);
    expect(one.body).not.toContain(TOKEN);
    const [delivery] = await deliveries(id);
    expect(delivery).toMatchObject({ status: "delivered", attempts: 1, lastStatus: 204, lastError: null });
    expect(one.headers.get("webhook-id")).toBe(delivery?.messageId);
  });

  it("take the values of secrets out of what modules say, too", async () => {
    const { id } = await make({ events: ["workflows.workflow.created"] });
    const definition = { initial: "done", states: { done: { type: "final" } } };
    // Its slug is then the secret's value.
    await call("POST", "workflows", { name: TOKEN.replaceAll("-", " "), definition });
    await written(id);
    await triggers.tick();
    expect((await deliveries(id))[0]?.payload).toMatchObject({ slug: "[secret:bearer]" });
    expect(receiver.received[0]?.body).not.toContain(TOKEN);
    await call("DELETE", `event-subscriptions/${id}`);
  });

  it("try again later and later, eight times, then keep it for a repetition by hand", async () => {
    const { id, event } = await make();
    receiver.answer = (_request, response) => void response.writeHead(503).end();
    await emit(event);
    await written(id);
    await triggers.tick();
    const waits: number[] = [];
    for (let attempt = 1; attempt < 8; attempt++) {
      const [delivery] = await deliveries(id);
      expect(delivery).toMatchObject({ status: "pending", attempts: attempt, lastStatus: 503 });
      const wait = (Date.parse(delivery?.nextAttemptAt ?? "") - clock.now.getTime()) / 1_000;
      waits.push(wait);
      await pass(wait - 1);
      expect(receiver.received).toHaveLength(attempt);
      await pass(1);
    }
    expect(waits).toEqual([5, 30, 120, 600, 1_800, 7_200, 21_600]);
    expect(await deliveries(id)).toMatchObject([
      { status: "dead", attempts: 8, lastError: "The receiver answered 503", nextAttemptAt: null },
    ]);
    await pass(86_400);
    expect(receiver.received).toHaveLength(8);
    receiver.received.slice(-1).forEach((last) => {
      expect(Number(last.headers.get("webhook-timestamp"))).toBeGreaterThan(1_793_500_000 + 31_000);
    });
    receiver.answer = (_request, response) => void response.writeHead(200).end("ok");
    const [dead] = await deliveries(id);
    const again = await call("POST", `event-subscriptions/${id}/deliveries/${dead?.id}/replay`);
    expect([again.status, again.body.replayOf]).toEqual([201, dead?.id]);
    await triggers.tick();
    expect((await deliveries(id))[1]).toMatchObject({ status: "delivered", lastStatus: 200 });
    expect(new Set(receiver.received.map(({ headers }) => headers.get("webhook-id"))).size).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers.get("webhook-signature"))).size).toBeGreaterThan(1);
  });

  it("wait as long as the receiver asks, and stop when it says that it will never take it", async () => {
    const { id, event } = await make();
    receiver.answer = (_request, response) => void response.writeHead(429, { "retry-after": "90" }).end();
    await emit(event);
    await written(id);
    await pass(0);
    expect((await deliveries(id))[0]?.nextAttemptAt).toBe(new Date(clock.now.getTime() + 90_000).toISOString());
    receiver.answer = (_request, response) => void response.writeHead(410).end();
    await pass(90);
    expect((await deliveries(id))[0]).toMatchObject({ status: "dead", attempts: 2, lastStatus: 410 });
  });

  it("a receiver that does not answer holds up nobody else", async () => {
    const slow = await make();
    const quick = await make();
    const hanging: (() => void)[] = [];
    receiver.answer = ({ path }, response) => {
      if (path.endsWith(slow.event.replace(".paid", ""))) hanging.push(() => response.writeHead(204).end());
      else response.writeHead(204).end();
    };
    for (let many = 0; many < 8; many++) await emit(slow.event);
    await written(slow.id, 8);
    const working = triggers.tick();
    await expect.poll(() => hanging.length).toBeGreaterThanOrEqual(5);
    for (let many = 0; many < 3; many++) await emit(quick.event);
    await written(quick.id, 3);
    const other = triggers.tick();
    await expect
      .poll(async () => (await deliveries(quick.id)).map(({ status }) => status))
      .toEqual(["delivered", "delivered", "delivered"]);
    expect((await deliveries(slow.id)).every(({ status }) => status === "pending")).toBe(true);
    expect(hanging.length).toBeLessThan(8);
    receiver.answer = (_request, response) => void response.writeHead(204).end();
    for (const release of hanging) release();
    await Promise.all([working, other]);
    expect((await deliveries(slow.id)).every(({ status }) => status === "delivered")).toBe(true);
    expect(receiver.received).toHaveLength(11);
  });

  it("do not follow a redirect, and do not reach what is not allowed", async () => {
    const { id, event } = await make();
    receiver.answer = (_request, response) => void response.writeHead(307, { location: "/elsewhere" }).end();
    await emit(event);
    await written(id);
    await pass(0);
    expect(receiver.received).toHaveLength(1);
    expect((await deliveries(id))[0]).toMatchObject({ status: "pending", lastStatus: 307 });
    const inside = await make({ url: "http://127.0.0.1:1/" });
    const tested = await call("POST", `event-subscriptions/${inside.id}/test`);
    expect(tested.body).toMatchObject({ status: "dead", lastError: expect.stringContaining("OUTBOUND_REFUSED") });
  });

  it("can be tried out: an example is posted now, once", async () => {
    const { id } = await make();
    const good = await call("POST", `event-subscriptions/${id}/test`);
    expect(good.body).toMatchObject({ event: "event-subscriptions.test", status: "delivered", lastStatus: 204 });
    receiver.answer = (_request, response) => void response.writeHead(500).end();
    expect((await call("POST", `event-subscriptions/${id}/test`)).body).toMatchObject({ status: "dead", attempts: 1 });
    for (const one of receiver.received) expectSigned(one);
  });

  it("switched off, leave out what happens, and send on what was due when on again", async () => {
    const { id, event } = await make();
    receiver.answer = (_request, response) => void response.writeHead(500).end();
    await emit(event, { id: 1 });
    await written(id);
    await triggers.tick();
    await call("PUT", `event-subscriptions/${id}`, { enabled: false });
    receiver.answer = (_request, response) => void response.writeHead(204).end();
    await emit(event, { id: 2 });
    await pass(3_600);
    expect(of(event)).toHaveLength(1);
    await call("PUT", `event-subscriptions/${id}`, { enabled: true });
    await triggers.tick();
    expect(await deliveries(id)).toMatchObject([{ status: "delivered", payload: { id: 1 } }]);
  });

  it("a process that dies while it sends: another one sends it after a minute", async () => {
    const { id, event } = await make();
    await database.db.query(
      `insert into subscription_deliveries (tenant_id, subscription_id, key, message_id, event, occurred_at, payload, attempts, next_attempt_at)
       values (1, $1, 'event:0', 'evt_0', 'orders.lost', $2, '{}', 1, $3)`,
      [id, clock.now.toISOString(), new Date(clock.now.getTime() + 60_000).toISOString()],
    );
    await pass(59);
    expect(of(event)).toHaveLength(0);
    await pass(1);
    expect(of(event)).toHaveLength(1);
    expect(await deliveries(id)).toMatchObject([{ status: "delivered", attempts: 2 }]);
  });

  it.each([
    ["an address that is none", { url: "ftp://example.com/" }, 400],
    ["everything at once", { events: ["*"] }, 400],
    ["a secret that is not there", { secret: "missing" }, 422],
    ["a secret that is sent somewhere", { secret: "bearer" }, 422],
  ])("refuse %s", async (_what, more, status) => {
    const wanted = { name: "bad", url: "https://example.com/", events: ["orders.*"], secret: "signing", ...more };
    expect((await call("POST", "event-subscriptions", wanted)).status).toBe(status);
  });

  it("are changed and deleted, by administrators only", async () => {
    const { id } = await make();
    expect((await call("PUT", `event-subscriptions/${id}`, { name: "New" })).body.name).toBe("New");
    expect((await call("GET", `event-subscriptions/${id}`)).body.name).toBe("New");
    expect((await call("GET", 'event-subscriptions?filter={"name":"New"}')).body).toHaveLength(1);
    expect((await call("DELETE", `event-subscriptions/${id}`)).status).toBe(204);
    expect((await call("GET", `event-subscriptions/${id}`)).status).toBe(404);
    const roles = (await call("GET", "roles")).body as { name: string; permissions: string[] }[];
    const may = roles.filter(({ permissions }) =>
      permissions.some((held) => held === "*" || held.startsWith("event-subs")),
    );
    expect(may.map(({ name }) => name).sort()).toEqual(["admin", "auditor", "owner"]);
  });
});
