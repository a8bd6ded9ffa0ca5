import { installedModules } from "@oven/installation";
import { createRuntime } from "@oven/module-registry";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

describe("triggers of workflows and agent workflows", () => {
  let oven: TestOven;
  beforeAll(async () => {
    oven = await startTestOven({ createRuntime, modules: installedModules({ demo: false }) });
  });
  afterAll(() => oven.stop());

  const definition = { initial: "done", states: { done: { type: "final", output: "$.trigger" } } };
  const emits = {
    initial: "done",
    entry: [
      {
        type: "emit",
        params: { event: "orders.paid", payload: { order: "$.trigger.order", total: "$.trigger.total" } },
      },
    ],
    states: { done: { type: "final" } },
  };

  it.each(["workflow", "agent-workflow"])(
    "an event starts exactly one run of a %s with its payload, and none when the condition fails [004-259]",
    async (kind) => {
      const call = (...args: Parameters<TestOven["call"]>) => oven.call(...args);
      const target = (await call("POST", `${kind}s`, { name: `Ship ${kind}`, definition })).body;
      const source = (await call("POST", "workflows", { name: `Shop ${kind}`, definition: emits })).body;
      const made = await call("POST", "triggers", {
        type: "event",
        name: `On payment ${kind}`,
        target: { kind, workflowId: target.id },
        config: { events: ["orders.paid", "workflows.orders.paid"] },
        filter: { type: "condition", params: { key: "$.total", operator: ">", value: 100 } },
      });
      expect(made.status, JSON.stringify(made.body)).toBe(201);
      const pay = (order: number, total: number) =>
        call("POST", `workflows/${source.id}/execute?wait=20`, { input: { order, total } });
      await pay(1, 250);
      await pay(2, 50);
      const deliveries = async () =>
        (
          await call(
            "GET",
            `trigger-deliveries?filter={"triggerId":${made.body.id}}&sort=${encodeURIComponent('["id","ASC"]')}`,
          )
        ).body.map(({ decision, payload }: { decision: string; payload: object }) => ({ decision, payload }));
      await expect.poll(deliveries).toMatchObject([
        { decision: "started", payload: { order: 1, total: 250 } },
        { decision: "filtered", payload: { order: 2, total: 50 } },
      ]);
      const runs = await call("GET", `${kind === "workflow" ? "workflow" : "agent-workflow"}-executions?range=[0,99]`);
      const started = runs.body.filter((run: { triggerEvent: string | null }) =>
        run.triggerEvent?.endsWith("orders.paid"),
      );
      expect(started).toHaveLength(1);
      await call("DELETE", `triggers/${made.body.id}`);
    },
  );

  it("a deleted workflow takes its triggers with it", async () => {
    const { body } = await oven.call("POST", "agent-workflows", { name: "Gone", definition });
    const target = { kind: "agent-workflow", workflowId: body.id };
    const made = await oven.call("POST", "triggers", { type: "manual", name: "Gone", target });
    await oven.call("DELETE", `agent-workflows/${body.id}`);
    await expect.poll(async () => (await oven.call("GET", `triggers/${made.body.id}`)).status).toBe(404);
  });
});
