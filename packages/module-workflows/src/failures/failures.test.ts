import type { FailureGroup } from "@oven/contract/run";
import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { createRuntime, createSystemModule } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createWorkflowsModule } from "../workflows.module.ts";

/** Fails with a message that has the order in it. */
const fragile = (message: string) => ({
  initial: "check",
  payloadSchema: { type: "object" },
  states: {
    check: { invoke: { src: "core.fail", input: { message, code: "ORDER_LOST" }, onDone: "done" } },
    done: { type: "final" },
  },
});
const repaired = {
  initial: "check",
  payloadSchema: { type: "object" },
  states: {
    check: { invoke: { src: "core.transform", input: { mapping: { ok: "$.trigger.order" } }, onDone: "done" } },
    done: { type: "final" },
  },
};

describe.each(testDatabases(inject("postgresUrl")))("failed runs by what failed, on $name", ({ open }) => {
  let test: TestDatabase;
  let oven: TestOven;
  beforeAll(async () => {
    test = await open();
    const modules = [createSystemModule(), createRolesModule(), createWorkflowsModule()];
    oven = await startTestOven({ createRuntime, db: test.db, modules });
  });
  afterAll(async () => {
    await oven.stop();
    await test.close();
  });

  async function publish(name: string, definition: object): Promise<number> {
    const { status, body } = await oven.call("POST", "workflows", { name, definition });
    expect(status, JSON.stringify(body)).toBe(201);
    return body.id;
  }
  async function fail(workflow: number, order: number): Promise<number> {
    const { body } = await oven.call("POST", `workflows/${workflow}/execute?wait=20`, { input: { order } });
    expect(body.status, JSON.stringify(body)).toBe("failed");
    return body.id;
  }
  const failures = async (query: string): Promise<FailureGroup[]> => {
    const { status, body } = await oven.call("GET", `workflow-executions/failures?${query}`);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.partial).toBe(false);
    return body.groups;
  };

  it("are one group where only numbers differ, over versions, and another where the message does", async () => {
    const workflow = await publish("Orders", fragile("Order {{ $.trigger.order }} was lost"));
    const first = await fail(workflow, 8841);
    await fail(workflow, 17);
    await oven.call("PUT", `workflows/${workflow}`, { definition: fragile("Order {{ $.trigger.order }} was lost!") });
    const other = await fail(workflow, 3);
    await oven.call("PUT", `workflows/${workflow}`, { definition: fragile("Order {{ $.trigger.order }} was lost") });
    const last = await fail(workflow, 5);
    const [newest, older, ...rest] = await failures("workflow=orders");
    expect(rest).toEqual([]);
    expect(newest).toMatchObject({
      ...{ nodeId: "check", message: "Order # was lost", runs: 3, versions: [1, 3] },
      newest: { id: last, message: "Order 5 was lost" },
      workflow: { kind: "workflow", id: workflow, name: "Orders", version: 3 },
    });
    expect(newest?.open).toEqual([last, first + 1, first]);
    expect(Date.parse(newest?.firstAt ?? "")).toBeLessThan(Date.parse(newest?.lastAt ?? ""));
    expect(older).toMatchObject({ message: "Order # was lost!", runs: 1, open: [other] });
  });

  it("are tried again all at once on a repaired version, and those that cannot be are named", async () => {
    const workflow = await publish("Repaired", fragile("No order {{ $.trigger.order }}"));
    const ids = [await fail(workflow, 1), await fail(workflow, 2)];
    await oven.call("PUT", `workflows/${workflow}`, { definition: repaired });
    const [group] = await failures("workflow=repaired");
    expect(group?.open).toEqual(ids.toReversed());
    const { body } = await oven.call("POST", "workflow-executions/redrive", {
      ids: [...(group?.open ?? []), 999_999],
      version: "current",
    });
    expect(body.retried.map(({ id }: { id: number }) => id)).toEqual(group?.open);
    expect(body.refused).toMatchObject([{ id: 999_999, code: "NOT_FOUND" }]);
    expect(await failures("workflow=repaired")).toMatchObject([{ runs: 2, open: [] }]);
  });

  it("leave out what is older, of other tenants, and tests of drafts", async () => {
    const workflow = await publish("Old", fragile("Too old"));
    const id = await fail(workflow, 1);
    const seen = async () => (await failures("workflow=old&days=7")).length;
    expect(await seen()).toBe(1);
    const set = (what: string) => oven.db.query(`update workflow_executions set ${what} where id = $1`, [id]);
    await set("created_at = now() - interval '8 days'");
    expect([await seen(), (await failures("workflow=old&days=30")).length]).toEqual([0, 1]);
    await set("created_at = now(), workflow_version = -1");
    expect(await seen()).toBe(0);
    await set("workflow_version = 1, tenant_id = 2");
    expect(await seen()).toBe(0);
    expect((await oven.call("GET", "workflow-executions/failures?workflow=nothing")).status).toBe(404);
  });
});
