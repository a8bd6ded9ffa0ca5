import { createRuntime, createSystemModule } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWorkflowsModule } from "./workflows.module.ts";

const triage = {
  initial: "sort",
  payloadSchema: { type: "object", properties: { total: { type: "number" } }, required: ["total"] },
  context: { limit: 50 },
  states: {
    sort: {
      invoke: {
        src: "core.transform",
        input: { mapping: { text: "Order of {{ $.trigger.total }}", double: { $cel: "trigger.total * 2" } } },
        onDone: [
          {
            target: "large",
            guard: { type: "condition", params: { key: "$.trigger.total", operator: ">", value: "$.limit" } },
          },
          { target: "small" },
        ],
      },
    },
    large: { type: "final", output: "$.sort_output" },
    small: { type: "final", output: { small: "$.sort.text" }, outcome: "small" },
  },
};

describe("workflows over REST", () => {
  let oven: TestOven;
  beforeAll(async () => {
    oven = await startTestOven({
      createRuntime,
      modules: [createSystemModule(), createRolesModule(), createWorkflowsModule()],
    });
  });
  afterAll(() => oven.stop());

  it("runs core nodes, guards and expressions, and shows what happened [004-015] [004-018] [004-020]", async () => {
    const created = await oven.call("POST", "workflows", { name: "Triage", definition: triage });
    expect(created).toMatchObject({ status: 201, body: { slug: "triage", version: 1, enabled: true } });
    const run = await oven.call("POST", "workflows/triage/execute?wait=20", { input: { total: 80 } });
    expect(run).toMatchObject({
      status: 200,
      body: { status: "completed", output: { text: "Order of 80", double: 160 }, workflowVersion: 1 },
    });
    const small = await oven.call("POST", `workflows/${created.body.id}/execute?wait=20`, { input: { total: 8 } });
    expect(small.body).toMatchObject({ status: "completed", outcome: "small", output: { small: "Order of 8" } });
    const detail = await oven.call("GET", `workflow-executions/${run.body.id}`);
    expect(detail.body).toMatchObject({
      context: { trigger: { total: 80 }, limit: 50, sort_output: { double: 160 } },
      nodes: [{ nodeId: "sort", nodeType: "core.transform", status: "completed", visit: 1, attempt: 1 }],
      checkpoint: null,
    });
    const rows = await oven.db.query("select status from node_executions where execution_id = $1", [run.body.id]);
    expect(rows).toEqual([{ status: "completed" }]);
  });

  it("tells which names people take for each other, of those that one sees", async () => {
    for (const [slug, name] of [
      ["pay-out", "Pay out"],
      ["pay-out-2", "P\u0430y out"],
      ["pay-out-3", "Pay in"],
    ])
      await oven.call("POST", "workflows", { name, slug, definition: triage });
    const { status, body } = await oven.call("GET", "workflow-lookalikes");
    expect([status, body.map((names: string[]) => names.toSorted())]).toEqual([200, [["Pay out", "P\u0430y out"]]]);
    await oven.db.query("update workflows set tenant_id = 77 where slug = 'pay-out-2'");
    expect((await oven.call("GET", "workflow-lookalikes")).body).toEqual([]);
  });

  it("does not begin a run before the transaction it was started in is over", async () => {
    await oven.call("POST", "workflows", { name: "Joined", definition: triage });
    const start = () => oven.call("POST", "workflows/joined/execute", { input: { total: 80 } });
    const [row] = await oven.db.jointly(async () => {
      const { body } = await start();
      return oven.db.query("select status, lease_owner from workflow_executions where id = $1", [body.id]);
    });
    expect(row).toEqual({ status: "pending", lease_owner: null });
  });
});
