import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { BossQueue } from "./boss-queue.ts";

describe.each(testDatabases(inject("postgresUrl")))("the queue on $name", ({ name, open }) => {
  let test: TestDatabase;
  let queue: BossQueue;
  const seen: [number, number][] = [];
  beforeAll(async () => {
    test = await open();
    queue = new BossQueue(test.db, { instanceName: "this-one" });
    await queue.work(async (executionId) => void seen.push([executionId, Date.now()]));
  });
  afterAll(async () => {
    await queue.stop();
    await test.close();
  });

  it("hands a wake-up on at once, and one for later at its time, however seldom it polls", async () => {
    const at = new Date(Date.now() + 1_500);
    await queue.enqueue(1, { at });
    const sent = Date.now();
    await queue.enqueue(2);
    await expect.poll(() => seen.map(([id]) => id), { timeout: 6_000 }).toEqual([2, 1]);
    const [first, second] = seen;
    expect((first?.[1] ?? 0) - sent).toBeLessThan(1_000);
    const late = (second?.[1] ?? 0) - at.getTime();
    expect(late).toBeGreaterThanOrEqual(-50);
    // On PostgreSQL it is found by polling.
    expect(late).toBeLessThan(name === "PGlite" ? 1_000 : 4_000);
  });

  it("knows this process, with its memory", async () => {
    const find = async () => (await queue.instances()).filter((instance) => instance.name === "this-one");
    const [here] = await find();
    expect(here).toMatchObject({ pid: process.pid, live: true, stoppedOn: null, nodeVersion: process.version });
    if (name === "PGlite") expect(here?.metrics?.rss).toBeGreaterThan(10_000_000);
  });
});
