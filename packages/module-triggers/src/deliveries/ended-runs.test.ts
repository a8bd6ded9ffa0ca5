import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { startTriggers, type TestTriggers } from "../triggers/testing/start-triggers.ts";

const LISTENER = "module-triggers:workflows.execution.completed";

describe.each(testDatabases(inject("postgresUrl")))("the end of a run on $name", ({ open }) => {
  let database: TestDatabase;
  let triggers: TestTriggers;
  beforeAll(async () => {
    database = await open();
    triggers = await startTriggers(undefined, database.db);
  });
  afterAll(async () => {
    await triggers.stop();
    await database.close();
  });

  /** Whom the end of a run was handed to; "nobody": it was written as delivered. */
  const handedOn = async (executionId: number | null | undefined) => {
    const read = () =>
      database.db.query<{ open: boolean; listener: string | null }>(
        `select e.delivered_at is null as open, d.listener from outbox_events e
         left join outbox_deliveries d on d.event_id = e.id
         where e.order_key = 'execution:' || $1::text and e.name = 'workflows.execution.completed'`,
        [executionId],
      );
    await expect.poll(async () => (await read()).map(({ open }) => open)).toEqual([false]);
    return (await read())[0]?.listener ?? "nobody";
  };
  /** What was decided of it: whoever fires is answered before, where that takes longer. */
  const fire = async (id: number) => {
    const { body } = await triggers.oven.call("POST", `triggers/${id}/fire`, { payload: {} });
    const read = async () => (await triggers.deliveries(id)).find((delivery) => delivery.id === body.id);
    await expect.poll(async () => (await read())?.decision ?? "received").not.toBe("received");
    return read();
  };

  it("is told where a trigger started it, for what waits behind it", async () => {
    const target = { kind: "workflow", workflowId: await triggers.workflow("Slow", true) };
    const { id } = await triggers.make({ type: "manual", name: "One by one", target, overlap: "queue" });
    const [first, second] = [await fire(id), await fire(id)];
    expect([first?.decision, second?.decision]).toEqual(["started", "queued"]);
    await triggers.oven.call("POST", `workflow-executions/${first?.executionId}/events`, {
      event: "go",
      payload: null,
    });
    expect(await handedOn(first?.executionId)).toBe(LISTENER);
    // Long before it would be looked at anyway.
    const decisions = async () => (await triggers.deliveries(id)).map(({ decision }) => decision);
    await expect.poll(decisions).toEqual(["started", "started"]);
  });

  it("is told to nobody where a key or another run started it", async () => {
    const workflowId = await triggers.workflow("Quick");
    const { body: run } = await triggers.oven.call("POST", `workflows/${workflowId}/execute?wait=20`, { input: {} });
    expect([run.status, await handedOn(run.id)]).toEqual(["completed", "nobody"]);
    const definition = {
      initial: "sub",
      states: {
        sub: { invoke: { src: "core.callWorkflow", input: { workflow: "quick", input: {} }, onDone: "done" } },
        done: { type: "final" },
      },
    };
    const { body: caller } = await triggers.oven.call("POST", "workflows", { name: "Caller", definition });
    const target = { kind: "workflow", workflowId: caller.id };
    const { id } = await triggers.make({ type: "manual", name: "Calls", target });
    const executionId = (await fire(id))?.executionId;
    expect(await handedOn(executionId)).toBe(LISTENER);
    const [part] = await database.db.query<{ id: number; by: string }>(
      "select id, triggered_by ->> 'kind' as by from workflow_executions where parent_id = $1",
      [executionId],
    );
    expect([part?.by, await handedOn(part?.id)]).toEqual(["user", "nobody"]);
  });
});
