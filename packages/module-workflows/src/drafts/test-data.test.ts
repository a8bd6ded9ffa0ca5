import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { createRuntime, createSystemModule } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { createWorkflowsModule } from "../workflows.module.ts";

const definition = { initial: "end", states: { end: { type: "final" } } };

describe.each(testDatabases(inject("postgresUrl")))("what a workflow is tested with, on $name", ({ open }) => {
  let database: TestDatabase;
  let oven: TestOven;
  let path: string;
  let count = 0;

  beforeAll(async () => {
    database = await open();
    const modules = [createSystemModule(), createRolesModule(), createWorkflowsModule()];
    oven = await startTestOven({ createRuntime, modules, db: database.db });
  });
  afterAll(async () => {
    await oven.stop();
    await database.close();
  });
  beforeEach(async () => {
    const { body } = await oven.call("POST", "workflows", { name: `Tested ${++count}`, definition });
    path = `workflows/${body.id}`;
  });
  const change = (body: object) => oven.call("PATCH", `${path}/test-data`, body);
  const read = async () => (await oven.call("GET", `${path}/test-data`)).body;

  it("is nothing at first, then what was kept, exactly, until it is taken away", async () => {
    expect(await read()).toEqual({ inputs: {}, pins: {} });
    const input = { text: "\u0000\ud800", z: 1, a: null };
    await change({ inputs: { "For Ada": input }, pins: { ask: { output: ["x", null], basis: "b" } } });
    const all = await change({ inputs: { Other: {} } });
    expect(all.body).toEqual({
      inputs: { "For Ada": input, Other: {} },
      pins: { ask: { output: ["x", null], basis: "b" } },
    });
    await change({ inputs: { "For Ada": null }, pins: { ask: null, never: null } });
    expect(await read()).toEqual({ inputs: { Other: {} }, pins: {} });
    const plain = await oven.call("GET", path);
    expect(plain.body).toMatchObject({ version: 1, definition });
  });

  it("keeps what two people change at once", async () => {
    const names = Array.from({ length: 8 }, (_, index) => `input ${index}`);
    await Promise.all(names.map((name) => change({ inputs: { [name]: { name } } })));
    expect(Object.keys((await read()).inputs).toSorted()).toEqual(names);
  });

  it("is bounded in number and size, and a change that is refused changes nothing", async () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`i${index}`, {}]));
    expect((await change({ inputs: many })).status).toBe(200);
    const more = await change({ inputs: { "one more": {} } });
    expect(more).toMatchObject({ status: 422, body: { error: { code: "TEST_DATA_FULL" } } });
    expect((await change({ inputs: { i0: null, "one more": {} } })).status).toBe(200);
    const pins = Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`p${index}`, { output: 1, basis: "" }]));
    expect((await change({ pins })).body.error.code).toBe("TEST_DATA_FULL");
    const large = { output: "x".repeat(1_100_000), basis: "" };
    expect((await change({ pins: { a: large } })).status).toBe(200);
    expect((await change({ pins: { b: large } })).body.error.code).toBe("TEST_DATA_FULL");
    expect(Object.keys((await read()).pins)).toEqual(["a"]);
    for (const bad of [{ inputs: { "": {} } }, { inputs: { x: [] } }, { pins: { x: { output: 1 } } }, { other: 1 }])
      expect((await change(bad)).body.error.code, JSON.stringify(bad)).toBe("INVALID_REQUEST");
  });

  it("is of one tenant and goes with its workflow", async () => {
    await change({ inputs: { mine: {} } });
    const rows = () =>
      database.db.query<{ tenant_id: number }>("select tenant_id from workflow_test_data where workflow_id = $1", [
        path.split("/")[1],
      ]);
    expect(await rows()).toEqual([{ tenant_id: 1 }]);
    expect((await oven.call("DELETE", path)).status).toBe(204);
    expect(await rows()).toEqual([]);
    expect((await oven.call("GET", `${path}/test-data`)).status).toBe(404);
    expect((await change({})).status).toBe(404);
  });
});
