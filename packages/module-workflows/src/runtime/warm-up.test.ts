import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { ReviewedOven } from "../reviews/testing/reviewed-oven.ts";

describe.each(testDatabases(inject("postgresUrl")))("a worker that warms up, on $name", ({ open }) => {
  let test: TestDatabase;
  let house: ReviewedOven;
  beforeAll(async () => {
    test = await open();
    house = await ReviewedOven.start(test.db);
  });
  afterAll(async () => {
    await house.oven.stop();
    await test.close();
  });

  /** How many rows each table has; what processes tell of themselves goes on meanwhile. */
  async function countRows(): Promise<Record<string, number>> {
    const tables = await test.db.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
    );
    const counts: Record<string, number> = {};
    for (const { name } of tables) {
      const [row] = await test.db.query<{ rows: number }>(`select count(*)::int as rows from ${name}`);
      counts[name] = row?.rows ?? -1;
    }
    return counts;
  }

  it("goes through a paused run of each kind to its end, and writes nothing", async () => {
    const { run } = await house.ask({});
    const before = { rows: await countRows(), run: await house.run(run) };
    expect(await house.platform.warmUp()).toEqual(["completed"]);
    expect({ rows: await countRows(), run: await house.run(run) }).toEqual(before);
  });

  it("works on what comes while it does", async () => {
    const warming = house.platform.warmUp();
    const { run, review } = await house.ask({});
    await house.oven.call("POST", `reviews/${review}/decide`, { action: "approve" });
    await expect.poll(async () => (await house.run(run)).status).toBe("completed");
    expect(await warming).toEqual(["completed"]);
  });
});
