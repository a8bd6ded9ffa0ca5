import type { TriggerDelivery } from "@oven/contract/trigger";
import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { startTriggers, type TestClock, type TestTriggers } from "../triggers/testing/start-triggers.ts";
import { MAX_HELD_EVENTS } from "./held-rows.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

describe.each(testDatabases(inject("postgresUrl")))("shaping on $name", ({ name, open }) => {
  const clock: TestClock = { now: new Date("2026-10-23T12:00:00Z") };
  let database: TestDatabase;
  let first: TestTriggers;
  /** Another server of the same installation; PGlite is one process's. */
  let second: TestTriggers;
  let workflowId: number;
  beforeAll(async () => {
    database = await open();
    first = await startTriggers(clock, database.db);
    second = name === "PostgreSQL" ? await startTriggers(clock, database.db) : first;
    workflowId = await first.workflow("Shaped");
  });
  afterAll(async () => {
    if (second !== first) await second.stop();
    await first.stop();
    await database.close();
  });

  const make = async (shaping: object, more: object = {}) =>
    (await first.make({ type: "manual", name: "Shaped", target: { kind: "workflow", workflowId }, shaping, ...more }))
      .id;
  const fire = async (id: number, payload: unknown, on = first): Promise<TriggerDelivery> =>
    (await on.oven.call("POST", `triggers/${id}/fire`, { payload })).body;
  /** All servers look, after so much time. */
  const pass = async (milliseconds: number) => {
    clock.now = new Date(clock.now.getTime() + milliseconds);
    await Promise.all([...new Set([first, second])].map((one) => one.tick()));
  };
  const decisions = async (id: number) => (await first.deliveries(id)).map(({ decision }) => decision);
  /** The inputs of the runs of a trigger, in the order in which they were started. */
  const inputs = async (id: number) => {
    const runs = (await first.deliveries(id)).filter(({ decision }) => decision === "started");
    return Promise.all(
      runs.map(
        async ({ executionId }) => (await first.oven.call("GET", `workflow-executions/${executionId}`)).body.input,
      ),
    );
  };

  it("starts nothing for a second event with the same key, until the time is over", async () => {
    const id = await make({ dedupe: { key: "ctx.order", withinMs: MINUTE } });
    const one = await fire(id, { order: 1 });
    expect(one.decision).toBe("started");
    expect(await fire(id, { order: 1 })).toMatchObject({
      decision: "skipped",
      reason: `Delivery ${one.id} had the same key within 1 min`,
      executionId: null,
    });
    expect((await fire(id, { order: "1" })).decision).toBe("started");
    await pass(MINUTE - 1);
    expect((await fire(id, { order: 1 })).decision).toBe("skipped");
    await pass(1);
    expect((await fire(id, { order: 1 })).decision).toBe("started");
  });

  it("does not turn a repetition away when the first one came to nothing, nor what a person repeats", async () => {
    const id = await make(
      { dedupe: { key: "ctx.order", withinMs: MINUTE } },
      { input: { n: { $cel: "10 / ctx.by" } } },
    );
    const broken = await fire(id, { order: 1, by: 0 });
    expect(broken.decision).toBe("refused");
    const good = await fire(id, { order: 1, by: 2 });
    expect(good.decision).toBe("started");
    const again = await first.oven.call("POST", `trigger-deliveries/${good.id}/replay`);
    expect(again.body.decision).toBe("started");
  });

  it("refuses an event without the key, and says which", async () => {
    const id = await make({ debounce: { key: "ctx.order", quietMs: MINUTE } });
    expect(await fire(id, { order: null })).toMatchObject({
      decision: "refused",
      reason: "The key of debounce, ctx.order, came to nothing",
    });
    expect((await fire(id, {})).decision).toBe("refused");
  });

  it("starts one run with the last event of each key once it was quiet", async () => {
    const id = await make({ debounce: { key: "ctx.page", quietMs: MINUTE } });
    const a = await fire(id, { page: "a", n: 1 });
    expect(a).toMatchObject({ decision: "held", heldUntil: new Date(clock.now.getTime() + MINUTE).toISOString() });
    await fire(id, { page: "b", n: 2 });
    await pass(40 * SECOND);
    const last = await fire(id, { page: "a", n: 3 }, second);
    await pass(20 * SECOND);
    expect(await inputs(id)).toEqual([{ page: "b", n: 2 }]);
    await pass(40 * SECOND);
    expect(await inputs(id)).toEqual([
      { page: "b", n: 2 },
      { page: "a", n: 3 },
    ]);
    const [merged, , started] = await first.deliveries(id);
    expect(merged).toMatchObject({
      decision: "merged",
      mergedInto: last.id,
      executionId: started?.executionId,
      reason: "A later event took its place",
    });
    await pass(10 * MINUTE);
    expect(await decisions(id)).toEqual(["merged", "started", "started"]);
  });

  it("does not wait for quiet longer than maxMs", async () => {
    const id = await make({ debounce: { quietMs: MINUTE, maxMs: 90 * SECOND } });
    for (let n = 0; n < 4; n++) {
      await fire(id, { n });
      await pass(30 * SECOND);
    }
    expect(await inputs(id)).toEqual([{ n: 2 }]);
    expect(await decisions(id)).toEqual(["merged", "merged", "started", "held"]);
  });

  it("hands the events of a batch over in their order, when enough came or when the time is over", async () => {
    const id = await make(
      { batch: { count: 3, withinMs: MINUTE } },
      { filter: { type: "cel", params: { expression: "ctx.n >= 0" } } },
    );
    await fire(id, { n: 1 });
    expect((await fire(id, { n: -1 })).decision).toBe("filtered");
    await fire(id, { n: 2 });
    const full = await fire(id, { n: 3 });
    expect(full.decision).toBe("merged");
    await fire(id, { n: 4 });
    await pass(0);
    expect(await inputs(id)).toEqual([{ events: [{ n: 1 }, { n: 2 }, { n: 3 }] }]);
    await pass(MINUTE - 1);
    expect(await inputs(id)).toHaveLength(1);
    await pass(1);
    expect((await inputs(id))[1]).toEqual({ events: [{ n: 4 }] });
    const rows = await first.deliveries(id);
    const batch = rows.find(({ id }) => id === full.mergedInto);
    expect(batch?.decision).toBe("started");
    expect(rows.filter(({ mergedInto }) => mergedInto === batch?.id).map(({ executionId }) => executionId)).toEqual(
      Array(3).fill(batch?.executionId),
    );
    // Repeated by a person: the batch as it was, one event as a batch of one.
    const again = (await first.oven.call("POST", `trigger-deliveries/${batch?.id}/replay`)).body;
    const alone = (await first.oven.call("POST", `trigger-deliveries/${full.id}/replay`)).body;
    expect([again.decision, alone.decision]).toEqual(["started", "started"]);
    expect((await inputs(id)).slice(2)).toEqual([{ events: [{ n: 1 }, { n: 2 }, { n: 3 }] }, { events: [{ n: 3 }] }]);
  });

  it("starts one run for each full batch when events arrive at two servers at once", async () => {
    const id = await make({ batch: { count: 3, withinMs: MINUTE } });
    const servers = [first, second];
    await Promise.all(Array.from({ length: 31 }, (_, n) => fire(id, { n }, servers[n % 2])));
    await pass(0);
    const full = (await inputs(id)) as { events: { n: number }[] }[];
    expect(full.map(({ events }) => events.length)).toEqual(Array(10).fill(3));
    await pass(MINUTE);
    const all = ((await inputs(id)) as { events: { n: number }[] }[]).flatMap(({ events }) => events.map(({ n }) => n));
    expect(all.sort((one, other) => one - other)).toEqual(Array.from({ length: 31 }, (_, n) => n));
  });

  it("leaves out what comes above the rate, in each window of that length", async () => {
    const id = await make({ rate: { key: "ctx.who", count: 2, perMs: MINUTE } });
    const ask = async (who: string) => (await fire(id, { who })).decision;
    expect(await ask("a")).toBe("started");
    await pass(40 * SECOND);
    expect([await ask("a"), await ask("a"), await ask("b")]).toEqual(["started", "skipped", "started"]);
    expect((await first.deliveries(id))[2]?.reason).toBe("More than 2 runs in 1 min");
    await pass(20 * SECOND);
    // The first one is over, the second is not.
    expect([await ask("a"), await ask("a")]).toEqual(["started", "skipped"]);
  });

  it("lets what comes above the rate wait for its turn, whatever server it arrived at", async () => {
    const id = await make({ rate: { count: 2, perMs: MINUTE, over: "wait" } });
    const servers = [first, second];
    await Promise.all(Array.from({ length: 5 }, (_, n) => fire(id, { n }, servers[n % 2])));
    const count = async () => (await inputs(id)).length;
    expect(await count()).toBe(2);
    await pass(MINUTE - 1);
    expect(await count()).toBe(2);
    await pass(1);
    expect(await count()).toBe(4);
    expect((await fire(id, { n: 5 })).decision).toBe("held");
    await pass(MINUTE);
    expect(await count()).toBe(6);
  });

  it("keeps what it holds when its server is gone", async () => {
    const id = await make({ batch: { count: 9, withinMs: MINUTE } });
    const gone = await startTriggers(clock, database.db);
    await fire(id, { n: 1 }, gone);
    await fire(id, { n: 2 }, gone);
    await gone.stop();
    await pass(MINUTE);
    expect(await inputs(id)).toEqual([{ events: [{ n: 1 }, { n: 2 }] }]);
  });

  it("starts nothing of what was held when it is switched off", async () => {
    const id = await make({ debounce: { quietMs: MINUTE } });
    await fire(id, { n: 1 });
    await first.oven.call("PUT", `triggers/${id}`, { enabled: false });
    expect(await first.deliveries(id)).toMatchObject([
      { decision: "skipped", reason: "The trigger was switched off while it was held", heldUntil: null },
    ]);
    await first.oven.call("PUT", `triggers/${id}`, { enabled: true });
    await pass(MINUTE);
    expect(await decisions(id)).toEqual(["skipped"]);
  });

  it("keeps its order behind a run that is under way, and goes on to gather meanwhile", async () => {
    const waiting = await first.workflow("Waiting", true);
    const target = { kind: "workflow", workflowId: waiting };
    const id = await make({ batch: { count: 2, withinMs: MINUTE } }, { target, overlap: "queue" });
    for (let n = 0; n < 6; n++) await fire(id, { n });
    await pass(0);
    const batches = (await first.deliveries(id)).filter(({ key }) => key.startsWith("batch:"));
    expect(batches.map(({ decision }) => decision)).toEqual(["started", "queued", "received"]);
  });

  it("gathers what arrives, keeps the rate of what it gathered, and merges events that come again into nothing", async () => {
    const id = await make({
      dedupe: { key: "ctx.n", withinMs: 10 * MINUTE },
      batch: { count: 2, withinMs: MINUTE },
      rate: { count: 1, perMs: 5 * MINUTE, over: "wait" },
    });
    for (const n of [1, 1, 2, 3, 2, 4]) await fire(id, { n });
    await pass(0);
    expect(await inputs(id)).toHaveLength(1);
    await pass(5 * MINUTE);
    expect(await inputs(id)).toEqual([{ events: [{ n: 1 }, { n: 2 }] }, { events: [{ n: 3 }, { n: 4 }] }]);
    expect((await decisions(id)).filter((decision) => decision === "skipped")).toHaveLength(2);
  });

  it("closes a batch before it is larger than a run takes", async () => {
    const id = await make({ batch: { count: 100, withinMs: MINUTE } });
    for (let n = 0; n < 3; n++) await fire(id, { n, text: "x".repeat(500_000) });
    expect(await decisions(id)).toEqual(["merged", "merged", "held", "received"]);
    await pass(MINUTE);
    const runs = (await inputs(id)) as { events: { n: number }[] }[];
    expect(runs.map(({ events }) => events.map(({ n }) => n))).toEqual([[0, 1], [2]]);
  });

  it("holds so many events and no more: a webhook is told to come later, and may", async () => {
    const { id, token } = await first.make({
      type: "webhook",
      name: "Full",
      target: { kind: "workflow", workflowId },
      config: { deliveryId: "x-id" },
      shaping: { debounce: { key: "ctx.body.n", quietMs: MINUTE } },
    });
    const until = new Date(clock.now.getTime() + MINUTE).toISOString();
    await database.db.query(
      `insert into trigger_deliveries (tenant_id, trigger_id, key, payload, decision, hold_kind, held_key, held_until, next_attempt_at)
       select 1, $1, 'k' || n, '{}', 'held', 'debounce', 'k' || n, $2::timestamptz, $2::timestamptz from generate_series(1, $3::int) n`,
      [id, until, MAX_HELD_EVENTS],
    );
    const send = () =>
      first.oven.handle(
        new Request(`http://localhost:3000/api/hooks/${token}`, {
          method: "POST",
          headers: { "content-type": "application/json", "x-id": "one" },
          body: JSON.stringify({ n: 1 }),
        }),
      );
    const full = await send();
    expect([full.status, full.headers.get("retry-after")]).toEqual([429, "1"]);
    expect(((await full.json()) as { error: { message: string } }).error.message).toBe(
      `The trigger holds ${MAX_HELD_EVENTS} events already`,
    );
    await database.db.query("delete from trigger_deliveries where trigger_id = $1 and decision = 'held'", [id]);
    const taken = await send();
    expect([taken.status, (await taken.json()) as object]).toMatchObject([202, { decision: "held" }]);
  });

  it("asks for the run in the name of everybody who fired an event of its batch", async () => {
    const id = await make({ batch: { count: 2, withinMs: MINUTE } });
    const [owner] = (await first.oven.call("GET", "users")).body;
    const byKey = await fire(id, { n: 1 });
    await database.db.query("update trigger_deliveries set fired_by = $2 where id = $1", [byKey.id, owner.id + 1_000]);
    await fire(id, { n: 2 });
    await pass(0);
    const run = (await first.deliveries(id)).find(({ key }) => key.startsWith("batch:"))?.executionId;
    const [row] = await database.db.query<{ principal: { requesters: number[] } }>(
      "select principal from workflow_executions where id = $1",
      [run],
    );
    expect(row?.principal.requesters.toSorted((one, other) => one - other)).toEqual([owner.id, owner.id + 1_000]);
  });

  it("is refused when it cannot work", async () => {
    const refused = async (shaping: object, more: object = {}) => {
      const body = { type: "manual", name: "x", target: { kind: "workflow", workflowId }, shaping, ...more };
      return (await first.oven.call("POST", "triggers", body)).body.error;
    };
    const batch = { count: 2, withinMs: MINUTE };
    expect(await refused({ batch, debounce: { quietMs: MINUTE } })).toMatchObject({ path: "$.shaping.batch" });
    expect(await refused({ dedupe: { key: "ctx.(", withinMs: MINUTE } })).toMatchObject({
      code: "INVALID_TRIGGER",
      path: "$.shaping.dedupe.key",
    });
    expect(await refused({ batch }, { type: "mcp" })).toMatchObject({
      code: "INVALID_TRIGGER",
      path: "$.shaping.batch",
    });
    expect(await refused({ debounce: { quietMs: MINUTE, maxMs: SECOND } })).toMatchObject({
      path: "$.shaping.debounce.maxMs",
    });
  });
});
