import { migrate } from "@oven/db";
import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { defineModule, type ModuleDefinition } from "../define/define-module.ts";
import type { UnwrittenEvent } from "../define/listener.ts";
import type { ServiceMap } from "../define/services.ts";
import { Outbox } from "./outbox.ts";

const event = (name: string, n: number, orderKey?: string) => ({
  name,
  tenantId: 1,
  actor: { kind: "system" as const, id: null },
  payload: { n },
  ...(orderKey === undefined ? {} : { orderKey }),
});

describe.each(testDatabases(inject("postgresUrl")))("the outbox on $name", ({ name, open }) => {
  let test: TestDatabase;
  beforeEach(async () => {
    test = await open();
    await migrate(test.db, [{ name: "module-registry", folder: new URL("../../migrations", import.meta.url) }]);
  });
  afterEach(() => test.close());

  function outboxOf(listeners: ModuleDefinition["events"]["listeners"]): Outbox {
    const module = defineModule({
      name: "module-test",
      namespace: "test",
      description: "",
      dependencies: [],
      events: { emits: {}, listeners },
    });
    return new Outbox(test.db, [module], {} as ServiceMap); // cast: these listeners use no service
  }

  function outboxWith(listeners: Record<string, (n: number) => unknown>): Outbox {
    return outboxOf(
      Object.fromEntries(
        Object.entries(listeners).map(([pattern, listener]) => [
          pattern,
          async (received) => void (await listener(Number(received.payload.n))),
        ]),
      ),
    );
  }

  it("delivers what was committed, once, and nothing that was rolled back", async () => {
    const seen: number[] = [];
    const outbox = outboxWith({ "a.*": (n) => seen.push(n) });
    await test.db.transaction((tx) => outbox.write(tx, [event("a.b", 1), event("c.d", 2), event("a.c", 3)]));
    const rolledBack = test.db.transaction(async (tx) => {
      await outbox.write(tx, [event("a.b", 4)]);
      throw new Error("no");
    });
    await expect(rolledBack).rejects.toThrow("no");
    await outbox.deliverDue();
    await outbox.deliverDue();
    expect(seen).toEqual([1, 3]);
  });

  it("is shared by processes: each event is delivered by one of them, and those of a run in order", async () => {
    const seen: string[] = [];
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const slow = (who: string) => async (n: number) => {
      seen.push(`${who}${n}`);
      if (n === 1) await gate;
    };
    const [one, other] = [outboxWith({ "a.*": slow("one ") }), outboxWith({ "a.*": slow("other ") })];
    await test.db.transaction((tx) =>
      one.write(tx, [event("a.b", 1, "run:7"), event("a.b", 2, "run:7"), event("a.b", 3)]),
    );
    const first = one.deliverDue();
    await expect.poll(() => seen).toEqual(["one 1"]);
    await other.deliverDue();
    // What waits behind the first stays there; what does not has been delivered.
    expect(seen).toEqual(["one 1", "other 3"]);
    release();
    await first;
    await other.deliverDue();
    expect(seen).toEqual(["one 1", "other 3", "one 2"]);
  });

  it("has delivered an event when all its listeners had it, in whatever order they come to an end", async () => {
    const seen: string[] = [];
    let fails = true;
    const outbox = outboxWith({
      "a.*": (n) => seen.push(`quick ${n}`),
      "a.b": async (n) => {
        if (fails) throw new Error("not yet");
        await Promise.resolve();
        seen.push(`slow ${n}`);
      },
    });
    const delivered = () => test.db.query("select id from outbox_events where delivered_at is not null");
    await test.db.transaction((tx) => outbox.write(tx, [event("a.b", 1)]));
    await outbox.deliverDue();
    expect([seen, await delivered()]).toEqual([["quick 1"], []]);
    fails = false;
    await test.db.query("update outbox_deliveries set next_attempt_at = now() where delivered_at is null");
    await outbox.deliverDue();
    expect([seen, (await delivered()).length]).toEqual([["quick 1", "slow 1"], 1]);
    const open = "select listener from outbox_deliveries where delivered_at is null";
    expect(await test.db.query(open)).toEqual([]);
  });

  // On PostgreSQL it looks every five seconds.
  it.runIf(name === "PGlite")("tries again when it is time, though it rests while nothing happens", async () => {
    let fails = true;
    const seen: number[] = [];
    const outbox = outboxWith({
      "a.*": (n) => {
        if (fails) throw new Error("not yet");
        seen.push(n);
      },
    });
    await test.db.transaction((tx) => outbox.write(tx, [event("a.b", 1)]));
    await outbox.deliverDue();
    fails = false;
    // From here on nothing is written: its first look finds nothing that is due, and it would rest for a minute.
    outbox.start();
    await expect.poll(() => seen, { timeout: 4_000 }).toEqual([1]);
    await outbox.stop();
  });

  it("settles what is done without waiting for a slow listener, and writes what nobody takes as delivered", async () => {
    const gate = Promise.withResolvers<void>();
    const outbox = outboxWith({ "a.*": () => gate.promise, "a.b": () => {} });
    await test.db.transaction((tx) => outbox.write(tx, [event("a.b", 1), event("c.d", 2)]));
    const pending = async () =>
      (await test.db.query<{ name: string }>("select name from outbox_events where delivered_at is null")).map(
        ({ name }) => name,
      );
    expect(await pending()).toEqual(["a.b"]);
    const delivering = outbox.deliverDue();
    const deliveries = () =>
      test.db.query("select listener, delivered_at is not null as done from outbox_deliveries order by listener");
    await expect.poll(deliveries).toEqual([
      { listener: "module-test:a.*", done: false },
      { listener: "module-test:a.b", done: true },
    ]);
    gate.resolve();
    await delivering;
    expect((await deliveries()).every(({ done }) => done)).toBe(true);
    expect(await pending()).toEqual([]);
  });

  it("keeps later events of a run behind one that waits for its next attempt, and lets other runs pass", async () => {
    const seen: number[] = [];
    const outbox = outboxWith({
      "a.*": (n) => {
        if (n === 1) throw new Error("not yet");
        seen.push(n);
      },
    });
    await test.db.transaction((tx) => outbox.write(tx, [event("a.b", 1, "run:1"), event("a.b", 2, "run:1")]));
    await outbox.deliverDue();
    await test.db.transaction((tx) => outbox.write(tx, [event("a.b", 3, "run:1"), event("a.b", 4, "run:2")]));
    await outbox.deliverDue();
    expect(seen).toEqual([4]);
  });

  it("lets a listener that fails a hundred times over hold up nobody else", async () => {
    const seen: number[] = [];
    const outbox = outboxWith({
      "bad.*": () => {
        throw new Error("always");
      },
      "good.*": (n) => seen.push(n),
    });
    const bad = Array.from({ length: 105 }, (_, n) => event("bad.thing", n));
    await test.db.transaction((tx) => outbox.write(tx, [...bad, event("good.thing", 1), event("good.thing", 2)]));
    await outbox.deliverDue();
    await test.db.query("update outbox_deliveries set next_attempt_at = now() + interval '1 hour'");
    await outbox.deliverDue();
    expect(seen).toEqual([1, 2]);
    const [tried] = await test.db.query(
      "select count(*)::int as rows from outbox_deliveries where last_error = 'always'",
    );
    expect(tried).toEqual({ rows: 105 });
  });

  it("holds back later events of the same run while one fails, records the error and delivers in order afterwards", async () => {
    const seen: number[] = [];
    let failing = true;
    const outbox = outboxWith({
      "*": (n) => {
        if (n === 1 && failing) throw new Error("mail server is down");
        seen.push(n);
      },
    });
    await test.db.transaction((tx) =>
      outbox.write(tx, [event("x", 1, "run:1"), event("x", 2, "run:1"), event("x", 3, "run:2")]),
    );
    await outbox.deliverDue();
    expect(seen).toEqual([3]);
    expect(
      await test.db.query("select attempts, last_error from outbox_deliveries where last_error is not null"),
    ).toEqual([{ attempts: 1, last_error: "mail server is down" }]);
    failing = false;
    await test.db.query("update outbox_deliveries set next_attempt_at = now()");
    await outbox.deliverDue();
    expect(seen).toEqual([3, 1, 2]);
  });

  describe("with listeners that say what concerns them", () => {
    let seen: string[];
    let asked: UnwrittenEvent[];
    const choosy = (who: string, concerns: (n: number) => boolean) => ({
      handle: async ({ payload }: { payload: { n?: unknown } }) => void seen.push(`${who} ${payload.n}`),
      concerns: (event: UnwrittenEvent) => {
        asked.push(event);
        return concerns(Number(event.payload.n));
      },
    });
    beforeEach(() => {
      [seen, asked] = [[], []];
    });
    const read = async () => ({
      open: (await test.db.query("select name from outbox_events where delivered_at is null")).length,
      deliveries: (await test.db.query("select listener from outbox_deliveries")).length,
    });

    it("writes an event that concerns none as delivered, and calls nobody", async () => {
      const outbox = outboxOf({ "a.b": choosy("even", (n) => n % 2 === 0), "a.*": choosy("big", (n) => n > 10) });
      await test.db.transaction((tx) => outbox.write(tx, [event("a.b", 1), event("a.b", 3, "run:1")]));
      expect(await read()).toEqual({ open: 0, deliveries: 0 });
      await outbox.deliverDue();
      expect([seen, await read()]).toEqual([[], { open: 0, deliveries: 0 }]);
      expect(asked[0]).toEqual(event("a.b", 1));
    });

    it("delivers one that concerns any to all that take its name", async () => {
      const outbox = outboxOf({ "a.b": choosy("even", (n) => n % 2 === 0), "a.*": choosy("big", (n) => n > 10) });
      await test.db.transaction((tx) => outbox.write(tx, [event("a.b", 2), event("a.c", 2), event("a.c", 11)]));
      await outbox.deliverDue();
      expect(seen.sort()).toEqual(["big 11", "big 2", "even 2"]);
    });

    it("takes one that does not say so, or cannot, for concerned", async () => {
      const outbox = outboxOf({
        "a.b": () => Promise.resolve(),
        "c.d": choosy("lost", () => {
          throw new Error("not ready");
        }),
      });
      expect([outbox.hasMatchingListener(event("a.b", 1)), outbox.hasMatchingListener(event("c.d", 1))]).toEqual([
        true,
        true,
      ]);
      expect(outbox.hasMatchingListener(event("e.f", 1))).toBe(false);
    });

    it("asks one that was subscribed, too, and not about what it does not take", async () => {
      const outbox = outboxOf({});
      const never = choosy("never", () => false);
      outbox.subscribe("test:never", (name) => name === "a.b", never);
      expect([outbox.hasMatchingListener(event("a.b", 1)), outbox.hasMatchingListener(event("a.c", 1))]).toEqual([
        false,
        false,
      ]);
      expect(asked).toHaveLength(1);
      expect([outbox.hasListeners("a.b"), outbox.hasListeners("a.c")]).toEqual([true, false]);
      outbox.subscribe("test:all", (name) => name === "a.b", never.handle);
      expect(outbox.hasMatchingListener(event("a.b", 1))).toBe(true);
    });
  });
});
