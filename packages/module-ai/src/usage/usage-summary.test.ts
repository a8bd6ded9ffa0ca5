import { SYSTEM_PRINCIPAL } from "@oven/contract";
import type { UsageSummary } from "@oven/contract/ai";
import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { startAi, type TestAi } from "../model/testing/start-ai.ts";
import { recordUsage, type UsageEntry } from "./record-usage.ts";

describe.each(testDatabases(inject("postgresUrl")))("usage on $name", ({ open }) => {
  let database: TestDatabase;
  let ai: TestAi;

  beforeAll(async () => {
    database = await open();
    ai = await startAi({ db: database.db });
    const log = async (created: string, modelId: string, workflow: string | undefined, change: Partial<UsageEntry>) => {
      const caller = {
        tenantId: 1,
        userId: null,
        keyId: 4,
        ...(workflow === undefined ? {} : { workflow, agent: "3" }),
      };
      await recordUsage(ai.db, {
        ...{ model: { providerId: "openai", modelId, simulated: false, alias: null }, caller },
        ...{ operation: "generate", source: "provider", estimated: false, fallbackFrom: null },
        ...{
          tokenUsage: { input: 100, output: 10, total: 110, cached: 40, reasoning: 5 },
          costMicros: 7,
          latencyMs: 200,
        },
        ...{ status: "ok", error: null },
        ...change,
      });
      await ai.db.query("update ai_usage_logs set created_at = $1 where id = (select max(id) from ai_usage_logs)", [
        created,
      ]);
    };
    await log("2026-01-30T23:59:59Z", "a", "agent-workflow:7", {});
    await log("2026-01-31T00:00:00Z", "a", "agent-workflow:7", { latencyMs: 400, costMicros: 8 });
    await log("2026-01-31T10:00:00Z", "b", "workflow:2", { costMicros: 100 });
    await log("2026-01-31T11:00:00Z", "b", undefined, {
      status: "error",
      error: "X: y",
      latencyMs: 9_000,
      costMicros: 0,
    });
  });
  afterAll(async () => {
    await ai.stop();
    await database.close();
  });

  const summary = (query: object, principal = SYSTEM_PRINCIPAL) =>
    ai.invoke<UsageSummary[]>("GET", "ai-usage-logs/summary", { query }, principal);

  test("sums by day in UTC, in order, with the mean time of answered calls", async () => {
    expect(await summary({})).toEqual([
      {
        ...{ key: "2026-01-30", calls: 1, errors: 0, input: 100, output: 10, cached: 40, reasoning: 5 },
        ...{ costMicros: 7, latencyMs: 200 },
      },
      {
        ...{ key: "2026-01-31", calls: 3, errors: 1, input: 300, output: 30, cached: 120, reasoning: 15 },
        ...{ costMicros: 108, latencyMs: 300 },
      },
    ]);
  });

  test("sums by model and by workflow, dearest first, with calls of no workflow apart", async () => {
    expect((await summary({ by: "model" })).map(({ key, costMicros }) => [key, costMicros])).toEqual([
      ["openai:b", 100],
      ["openai:a", 15],
    ]);
    expect((await summary({ by: "workflow" })).map(({ key, calls }) => [key, calls])).toEqual([
      ["workflow:2", 1],
      ["agent-workflow:7", 2],
      [null, 1],
    ]);
  });

  test("can be narrowed to a time, a workflow and an agent", async () => {
    const calls = async (query: object) => (await summary(query)).reduce((sum, row) => sum + row.calls, 0);
    expect(await calls({ from: "2026-01-31T00:00:00Z" })).toBe(3);
    expect(await calls({ to: "2026-01-31T00:00:00Z" })).toBe(1);
    expect(await calls({ workflow: "agent-workflow:7" })).toBe(2);
    expect(await calls({ agent: "3" })).toBe(3);
    await expect(summary({ by: "colour" })).rejects.toMatchObject({ status: 400 });
    await expect(summary({ from: "tomorrow" })).rejects.toMatchObject({ status: 400 });
  });

  test("shows nothing of another tenant", async () => {
    expect(await summary({}, { ...SYSTEM_PRINCIPAL, tenantId: 2 })).toEqual([]);
  });

  test("the list is filtered by what a call was made for", async () => {
    for (const [filter, found] of [
      [{ workflow: "agent-workflow:7" }, 2],
      [{ agent: "3", modelId: "b" }, 1],
      [{ keyId: 4 }, 4],
      [{ status: "error" }, 1],
      [{ source: "cache" }, 0],
      [{ q: "X: y" }, 1],
    ] as const) {
      const rows = await ai.invoke<object[]>("GET", "ai-usage-logs", { query: { filter: JSON.stringify(filter) } });
      expect(rows, JSON.stringify(filter)).toHaveLength(found);
    }
  });
});
