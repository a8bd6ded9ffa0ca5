import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { createRuntime, createSystemModule } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createWorkflowsModule } from "../workflows.module.ts";

describe.each(testDatabases(inject("postgresUrl")))("finding runs on $name", ({ open }) => {
  let test: TestDatabase;
  let oven: TestOven;
  let ids: number[] = [];
  beforeAll(async () => {
    test = await open();
    const modules = [createSystemModule(), createRolesModule(), createWorkflowsModule()];
    oven = await startTestOven({ createRuntime, db: test.db, modules });
    const definition = { initial: "done", states: { done: { type: "final" } } };
    const { body: workflow } = await oven.call("POST", "workflows", { name: "Found", definition });
    for (const input of [{ name: "Ada 100%" }, { name: "Grace" }, { name: "Edsger" }]) {
      const { body } = await oven.call("POST", `workflows/${workflow.id}/execute?wait=20`, { input });
      ids.push(body.id);
    }
    ids = ids.toSorted((a, b) => a - b);
    // One day each, of 1, 2 and 3 minutes; dollars as many as minutes; the last one by somebody else.
    await test.db.query(
      `update workflow_executions set created_at = '2026-03-01T00:00:00Z'::timestamptz + make_interval(days => n::int),
         started_at = '2026-03-01T00:00:00Z', completed_at = '2026-03-01T00:00:00Z'::timestamptz + make_interval(mins => n::int),
         cost_micros = n * 1000000,
         triggered_by = case when n = 3 then '{"kind":"user","id":77}'::json else '{"kind":"api-key","id":7}'::json end
       from unnest($1::bigint[]) with ordinality as t (run, n) where id = t.run`,
      [ids],
      "spread-runs",
    );
  });
  afterAll(async () => {
    await oven.stop();
    await test.close();
  });

  const list = (filter: object) =>
    oven.call("GET", `workflow-executions?filter=${encodeURIComponent(JSON.stringify(filter))}`);
  const minute = 60_000;

  it.each<[string, object, number[]]>([
    ["from a date on", { createdAt_gte: "2026-03-03T00:00:00Z" }, [2, 3]],
    ["before a date", { createdAt_lt: "2026-03-03T00:00:00Z" }, [1]],
    ["by how long they took", { durationMs_gte: 2 * minute }, [2, 3]],
    ["by how long they took at most", { durationMs_gte: 1.5 * minute, durationMs_lte: 2.5 * minute }, [2]],
    ["by what they cost", { costMicros_gte: 2_000_000, costMicros_lt: 3_000_000 }, [2]],
    ["by words of their input", { input: "gRACE" }, [2]],
    ["by words that mean something to SQL", { input: "100%" }, [1]],
    ["by no such words", { input: "1%0" }, []],
    ["by who started them", { caller: "user:77" }, [3]],
    ["by what kind of caller it was", { caller: "api-key" }, [1, 2]],
    [
      "by all of that at once",
      { caller: "api-key:7", input: "a", durationMs_gte: minute, status: "completed" },
      [1, 2],
    ],
  ])("finds them %s", async (_name, filter, expected) => {
    const { status, body } = await list(filter);
    expect([status, body.map(({ id }: { id: number }) => ids.indexOf(id) + 1)]).toEqual([200, expected]);
  });

  it.each([
    [0, 0, [1], "0-0/2"],
    [1, 1, [2], "1-1/2"],
    [8, 9, [], "*/2"],
  ])("tells from %i to %i how many have words of the input in all", async (first, last, expected, contentRange) => {
    const query = new URLSearchParams({
      filter: JSON.stringify({ input: "a", caller: "api-key" }),
      sort: '["costMicros","ASC"]',
      range: JSON.stringify([first, last]),
    });
    const { body, headers } = await oven.call("GET", `workflow-executions?${query}`);
    expect(body.map(({ id }: { id: number }) => ids.indexOf(id) + 1)).toEqual(expected);
    expect(headers.get("content-range")).toContain(contentRange);
  });

  it.each([
    { durationMs_gte: "1" },
    { durationMs_lte: -1 },
    { input: 5 },
    { caller: "Ada" },
    { createdAt_gte: "soon" },
  ])("refuses %o", async (filter) => {
    expect((await list(filter)).body.error).toMatchObject({ code: "INVALID_LIST_QUERY", path: "$query.filter" });
  });
});
