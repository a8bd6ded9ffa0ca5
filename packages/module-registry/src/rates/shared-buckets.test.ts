import { connectDatabase } from "@oven/db";
import { createTestPostgres, testDatabases } from "@oven/db/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { createRates } from "./rates.ts";
import { SharedBuckets } from "./shared-buckets.ts";

const postgresUrl = inject("postgresUrl");

async function takeAll(buckets: readonly SharedBuckets[], key: string, perMinute: number, times: number) {
  const asked = Array.from({ length: times }, (_, index) => buckets[index % buckets.length]?.take(key, perMinute));
  const waits = await Promise.all(asked);
  return waits.filter((wait) => wait === 0).length;
}

/** What a rate brings while a test runs, which may be long on a busy machine. */
const filledSince = (begun: number, perMinute: number) => ((performance.now() - begun) * perMinute) / 60_000 + 1;

describe.each(testDatabases(postgresUrl))("buckets that processes share, on $name", ({ open }) => {
  let database: Awaited<ReturnType<typeof open>>;
  beforeEach(async () => {
    database = await open();
  });
  afterEach(() => database.close());
  const processes = (count: number) => Array.from({ length: count }, () => new SharedBuckets(database.db));
  /** Lets time go by in the database: the row was written that much earlier. */
  const goBy = (seconds: number) =>
    database.db.query("update rate_buckets set at = at - make_interval(secs => $1)", [seconds]);

  it("give a low rate exactly, however many ask at once", async () => {
    expect(await takeAll(processes(3), "a", 4, 90)).toBe(4);
    const wait = await new SharedBuckets(database.db).take("a", 4);
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(15_000);
    expect(await takeAll(processes(1), "b", 4, 40)).toBe(4);
  });

  it("give a high rate and at most a second's worth more for each process", async () => {
    const begun = performance.now();
    const admitted = await takeAll(processes(4), "a", 1_200, 4_000);
    expect(admitted).toBeGreaterThanOrEqual(1_200);
    expect(admitted).toBeLessThanOrEqual(1_200 + 4 * 20 + filledSince(begun, 1_200));
  });

  it("pay what was admitted on credit: one after the other are no more than at once", async () => {
    const begun = performance.now();
    const buckets = new SharedBuckets(database.db);
    let admitted = 0;
    for (let count = 0; count < 1_600; count++) if ((await buckets.take("a", 1_200)) === 0) admitted++;
    expect(admitted).toBeGreaterThanOrEqual(1_200);
    expect(admitted).toBeLessThanOrEqual(1_200 + 20 + filledSince(begun, 1_200));
  });

  it("fill in evenly, and never hold more than a minute's worth", async () => {
    let now = 0;
    const begun = performance.now();
    const buckets = new SharedBuckets(database.db, () => now);
    const other = new SharedBuckets(database.db);
    expect(await takeAll([buckets], "a", 600, 700)).toBeGreaterThanOrEqual(600);
    await goBy(2);
    now += 2_000;
    const second = await takeAll([buckets, other], "a", 600, 100);
    expect(second).toBeGreaterThanOrEqual(10);
    expect(second).toBeLessThanOrEqual(20 + 2 * 10 + filledSince(begun, 600));
    await goBy(3_600);
    now += 3_600_000;
    const third = await takeAll([new SharedBuckets(database.db)], "a", 600, 700);
    expect(third).toBeGreaterThanOrEqual(600);
    expect(third).toBeLessThanOrEqual(610 + filledSince(begun, 600));
  });

  it("ask the database once for all that wait, and not for what they know is refused", async () => {
    let statements = 0;
    const counting = new SharedBuckets({
      query: (...asked) => {
        statements++;
        return database.db.query(...asked);
      },
    });
    expect(await takeAll([counting], "a", 4, 500)).toBe(4);
    expect(statements).toBeLessThanOrEqual(2);
    for (let count = 0; count < 100; count++) expect(await counting.take("a", 4)).toBeGreaterThan(0);
    expect(statements).toBeLessThanOrEqual(2);
    // A high rate pays one statement for many requests.
    statements = 0;
    for (let count = 0; count < 1_000; count++) expect(await counting.take("b", 60_000)).toBe(0);
    expect(statements).toBeLessThanOrEqual(3);
  });

  it("say what is wrong with the database to each who waits, and count on afterwards", async () => {
    let isAway = true;
    const buckets = new SharedBuckets({
      query: async (...asked) => {
        if (isAway) throw new Error("the database is away");
        return database.db.query(...asked);
      },
    });
    await expect(buckets.take("a", 4)).rejects.toThrow("the database is away");
    isAway = false;
    expect(await takeAll([buckets], "a", 4, 40)).toBe(4);
  });
});

describe.runIf(postgresUrl !== undefined)("the rates of an installation", () => {
  let test: { url: string; drop: () => Promise<void> };
  beforeAll(async () => {
    test = await createTestPostgres(postgresUrl ?? "");
  });
  afterAll(() => test.drop());

  it("are one for all processes on one PostgreSQL", async () => {
    const databases = await Promise.all([1, 2].map(() => connectDatabase({ url: test.url, dataDir: "unused" })));
    const [one, other] = databases.map((db) => createRates(db));
    const waits = await Promise.all(Array.from({ length: 20 }, (_, index) => (index % 2 ? one : other)?.take("k", 4)));
    expect(waits.filter((wait) => wait === 0)).toHaveLength(4);
    for (const db of databases) await db.close();
  });
});
