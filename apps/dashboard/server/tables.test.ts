import { installedModules } from "@oven/installation";
import { createRuntime } from "@oven/module-registry";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { insertKey } from "./testing/strangers.ts";

describe("tables in a whole installation", () => {
  let oven: TestOven;
  const keys = { viewer: "", operator: "", elsewhere: "" };

  beforeAll(async () => {
    oven = await startTestOven({ createRuntime, modules: installedModules({ demo: false }) });
    const all = { "*": ["*"] };
    keys.viewer = (await insertKey(oven.db, { tenantId: 1, permissions: all, role: "viewer" })).key;
    keys.operator = (await insertKey(oven.db, { tenantId: 1, permissions: all, role: "operator" })).key;
    keys.elsewhere = (await insertKey(oven.db, { tenantId: 2, permissions: all, role: "owner" })).key;
    await make("orders", [{ name: "total", type: "number" }]);
  });
  afterAll(() => oven.stop());

  const make = async (slug: string, columns: object[], key?: string) => {
    const answer = await oven.call("POST", "tables", { name: slug, slug, columns }, key === undefined ? {} : { key });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  };
  const rowsOf = async (table: string) => (await oven.call("GET", `tables/${table}/rows?range=[0,999]`)).body;
  const workflow = async (name: string, states: object) => {
    const definition = { initial: "step", states };
    const answer = await oven.call("POST", "workflows", { name, definition });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body.id;
  };

  it("are another tenant's to see in no way", async () => {
    const [row] = (await oven.call("POST", "tables/orders/rows", { rows: [{ total: 1 }] })).body.rows;
    const { key } = { key: keys.elsewhere };
    expect((await oven.call("GET", "tables", undefined, { key })).body).toEqual([]);
    const { id } = (await oven.call("GET", "tables/orders")).body;
    for (const [method, path, body] of [
      ["GET", `tables/${id}`],
      ["GET", "tables/orders/rows"],
      ["GET", `tables/${id}/rows/${row.id}`],
      ["GET", `tables/${id}/export`],
      ["PATCH", `tables/${id}/rows/${row.id}`, { version: 1, values: { total: 2 } }],
      ["POST", `tables/${id}/rows`, { rows: [{ total: 3 }] }],
      ["POST", `tables/${id}/rows/delete`, { rows: [{ id: row.id, version: 1 }] }],
      ["POST", `tables/${id}/import`, { data: "dG90YWwKMQo=", dryRun: false }],
      ["DELETE", `tables/${id}`],
    ] as const)
      expect([path, (await oven.call(method, path, body, { key })).status]).toEqual([path, 404]);
    await make("theirs", [{ name: "other", type: "reference", references: "theirs" }], key);
    const foreign = { rows: [{ other: row.id }] };
    expect((await oven.call("POST", "tables/theirs/rows", foreign, { key })).body.error.code).toBe("REFERENCE_MISSING");
    expect(await rowsOf("orders")).toMatchObject([{ id: row.id, version: 1, values: { total: 1 } }]);
  });

  it("are read by viewers and written by operators, who change no columns", async () => {
    const add = (key: string) => oven.call("POST", "tables/orders/rows", { rows: [{ total: 5 }] }, { key });
    expect((await oven.call("GET", "tables/orders/rows", undefined, { key: keys.viewer })).status).toBe(200);
    expect((await add(keys.viewer)).status).toBe(403);
    expect((await add(keys.operator)).status).toBe(201);
    const table = { name: "x", columns: [] };
    expect((await oven.call("POST", "tables", table, { key: keys.operator })).status).toBe(403);
    const tool = { name: "x", table: "orders", description: "x", actions: ["find"] };
    expect((await oven.call("POST", "table-tools", tool, { key: keys.operator })).status).toBe(403);
  });

  it("are written by no run whose starter may not", async () => {
    const id = await workflow("Writes", {
      step: { invoke: { src: "tables.insert", input: { table: "orders", rows: [{ total: 9 }] }, onDone: "done" } },
      done: { type: "final" },
    });
    const before = (await rowsOf("orders")).length;
    const operator = await oven.call("POST", `workflows/${id}/execute?wait=20`, { input: {} }, { key: keys.operator });
    expect(operator.body.status).toBe("completed");
    const bound = await insertKey(oven.db, { tenantId: 1, permissions: { workflows: ["execute", "read"] } });
    const run = await oven.call("POST", `workflows/${id}/execute?wait=20`, { input: {} }, { key: bound.key });
    expect(JSON.stringify(run.body)).toContain("FORBIDDEN");
    expect(await rowsOf("orders")).toHaveLength(before + 1);
  });

  it("start runs when rows change: once for each change, by columns and filter", async () => {
    await make("leads", [
      { name: "email", type: "text" },
      { name: "state", type: "text" },
    ]);
    const id = await workflow("Greets", {
      step: {
        invoke: { src: "core.transform", input: { mapping: { said: "$.trigger.values.email" } }, onDone: "done" },
      },
      done: { type: "final", output: "$.step_output" },
    });
    const trigger = await oven.call("POST", "triggers", {
      type: "table-row",
      name: "New leads",
      target: { kind: "workflow", workflowId: id },
      config: { table: "leads", changes: ["inserted", "updated"], columns: ["state"] },
      filter: { type: "condition", params: { key: "$.values.state", operator: "==", value: "new" } },
    });
    expect(trigger.status, JSON.stringify(trigger.body)).toBe(201);
    const deliveries = async () =>
      (await oven.call("GET", `trigger-deliveries?filter={"triggerId":${trigger.body.id}}&sort=["id","ASC"]`)).body;
    const rows = [
      { email: "a", state: "new" },
      { email: "b", state: "old" },
    ];
    const added = (await oven.call("POST", "tables/leads/rows", { rows })).body.rows;
    await oven.call("POST", "tables/orders/rows", { rows: [{ total: 7 }] });
    await expect
      .poll(async () => (await deliveries()).map(({ decision }: { decision: string }) => decision))
      .toEqual(["started", "filtered"]);
    const [{ executionId }] = await deliveries();
    await expect
      .poll(async () => (await oven.call("GET", `workflow-executions/${executionId}`)).body)
      .toMatchObject({ status: "completed", output: { said: "a" } });
    // Another column is not what it waits for.
    await oven.call("PATCH", `tables/leads/rows/${added[1].id}`, { version: 1, values: { email: "c" } });
    await oven.call("PATCH", `tables/leads/rows/${added[1].id}`, { version: 2, values: { state: "new" } });
    await expect.poll(async () => (await deliveries()).length).toBe(3);
    expect((await deliveries())[2]).toMatchObject({
      decision: "started",
      payload: { before: { state: "old" }, values: { email: "c", state: "new" }, changed: ["state"], run: null },
    });
  });

  it("start no endless chain of runs that write what starts them", async () => {
    await make("loop", [{ name: "n", type: "number" }]);
    const id = await workflow("Loops", {
      step: { invoke: { src: "tables.insert", input: { table: "loop", rows: [{ n: 1 }] }, onDone: "done" } },
      done: { type: "final" },
    });
    const trigger = await oven.call("POST", "triggers", {
      type: "table-row",
      name: "Again",
      target: { kind: "workflow", workflowId: id },
      config: { table: "loop" },
    });
    expect(trigger.status).toBe(201);
    await oven.call("POST", "tables/loop/rows", { rows: [{ n: 0 }] });
    const decisions = async () =>
      (
        await oven.call(
          "GET",
          `trigger-deliveries?filter={"triggerId":${trigger.body.id}}&range=[0,99]&sort=["id","ASC"]`,
        )
      ).body.map(({ decision }: { decision: string }) => decision);
    await expect.poll(async () => (await decisions()).at(-1), { timeout: 20_000 }).toBe("refused");
    expect((await decisions()).filter((one: string) => one === "started").length).toBeLessThan(20);
  });
});
