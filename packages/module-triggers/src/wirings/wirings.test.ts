import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from "vitest";
import { startTriggers, type TestTriggers } from "../triggers/testing/start-triggers.ts";

const SOON = { timeout: 120_000 };
const END = { initial: "done", states: { done: { type: "final" } } };

describe.each(testDatabases(inject("postgresUrl")))("event wirings on $name", ({ open }) => {
  let database: TestDatabase;
  let server: TestTriggers;
  beforeAll(async () => {
    database = await open();
    server = await startTriggers(undefined, database.db);
  });
  afterEach(async () => {
    for (const { id } of (await call("GET", "event-wirings")).body) await call("DELETE", `event-wirings/${id}`);
  });
  afterAll(async () => {
    await server.stop();
    await database.close();
  });

  const call = (...args: Parameters<TestTriggers["oven"]["call"]>) => server.oven.call(...args);
  const copies = {
    name: "Copies",
    event: "workflows.workflow.created",
    action: "workflows.workflows.create",
    condition: { type: "cel", params: { expression: "trigger.name.startsWith('Source')" } },
    input: { name: "Copy of {{ $.trigger.name }}", definition: { $literal: END } },
  };
  const names = async () =>
    (await call("GET", "workflows?range=[0,99]")).body.map(({ name }: { name: string }) => name);
  const happen = (name: string) => call("POST", "workflows", { name, definition: END });

  it("let an event make a module's action happen, with the input that was mapped, if the condition holds [004-260]", async () => {
    const made = await call("POST", "event-wirings", copies);
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    expect(made.body).toMatchObject({ ...copies, enabled: true });
    await happen("Source one");
    await happen("Other");
    await expect.poll(names, SOON).toContain("Copy of Source one");
    await expect
      .poll(async () => (await server.deliveries(made.body.triggerId)).map(({ decision }) => decision).toSorted(), SOON)
      .toEqual(["filtered", "filtered", "started"]);
    expect(await names()).not.toContain("Copy of Other");
    const [started] = (await server.deliveries(made.body.triggerId)).filter(({ decision }) => decision === "started");
    await expect
      .poll(async () => (await call("GET", `workflow-executions/${started?.executionId}`)).body.status, SOON)
      .toBe("completed");
  });

  it("let an outcome that arrives later score the run that it is about", async () => {
    const payloadSchema = { type: "object" };
    const refund = (await call("POST", "workflows", { name: "Refund", definition: { ...END, payloadSchema } })).body.id;
    const { body: run } = await call("POST", `workflows/${refund}/execute?wait=20`, { input: { order: 8841 } });
    expect(run.status).toBe("completed");
    const made = await call("POST", "event-wirings", {
      name: "Disputes",
      event: "shop.refund.disputed",
      action: "workflows.workflows.score",
      input: {
        ...{ id: "refund", name: "outcome", value: 0, comment: "refund disputed" },
        correlation: { field: "order", value: "$.trigger.order" },
      },
    });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const input = { event: "shop.refund.disputed", payload: { order: 8841 } };
    const tell = {
      initial: "tell",
      states: { tell: { invoke: { src: "core.emit", input, onDone: "done" } }, ...END.states },
    };
    const shop = (await call("POST", "workflows", { name: "Shop", definition: tell })).body.id;
    await call("POST", `workflows/${shop}/execute?wait=20`, {});
    const scores = async () => (await call("GET", `workflow-executions/${run.id}/scores`)).body;
    await expect.poll(scores, SOON).toMatchObject([{ name: "outcome", value: 0, source: "event" }]);
  });

  it("are changed, switched off, listed and deleted with what they are made of", async () => {
    const { body } = await call("POST", "event-wirings", copies);
    const changed = await call("PUT", `event-wirings/${body.id}`, {
      name: "Second copies",
      input: { ...copies.input, name: "Second of {{ $.trigger.name }}" },
      condition: null,
      event: "workflows.workflow.updated",
    });
    expect(changed.body).toMatchObject({
      name: "Second copies",
      event: "workflows.workflow.updated",
      action: copies.action,
      condition: null,
    });
    expect((await call("GET", "event-wirings")).body).toEqual([changed.body]);
    const { id } = (await happen("Changing")).body;
    await call("PUT", `workflows/${id}`, { description: "changed" });
    await expect.poll(names, SOON).toContain("Second of Changing");
    await call("PUT", `event-wirings/${body.id}`, { enabled: false });
    expect((await call("GET", `triggers/${body.triggerId}`)).body.enabled).toBe(false);
    expect((await call("DELETE", `event-wirings/${body.id}`)).status).toBe(204);
    for (const path of [`event-wirings/${body.id}`, `triggers/${body.triggerId}`, `workflows/${body.workflowId}`])
      expect((await call("GET", path)).status, path).toBe(404);
  });

  it.each<[string, object, string]>([
    ["an action that is not installed", { action: "no.such.action" }, "$.action"],
    ["an input that the action does not have", { input: { ...copies.input, nosuch: 1 } }, "$.input.nosuch"],
    ["a condition that cannot be read", { condition: { type: "cel", params: { expression: "((" } } }, "$.filter"],
  ])("refuse %s, and leave nothing behind", async (_what, wrong, path) => {
    const before = await names();
    const refused = await call("POST", "event-wirings", { ...copies, ...wrong });
    expect([refused.status, refused.body.error.code, refused.body.error.path]).toEqual([400, "INVALID_TRIGGER", path]);
    expect(await names()).toEqual(before);
    expect((await call("GET", "event-wirings")).body).toEqual([]);
  });

  it("need the right to make workflows, too", async () => {
    const { key } = (
      await call("POST", "api-keys", { name: "triggers only", permissions: ["triggers.*", "workflows.execute"] })
    ).body;
    expect((await call("POST", "event-wirings", copies, { key })).status).toBe(403);
    const { body } = await call("POST", "event-wirings", copies);
    const path = `event-wirings/${body.id}`;
    expect((await call("PUT", path, { enabled: false }, { key })).body.enabled).toBe(false);
    expect((await call("PUT", path, { input: { name: "x" } }, { key })).status).toBe(403);
    expect((await call("DELETE", path, undefined, { key })).status).toBe(204);
    expect((await call("GET", `workflows/${body.workflowId}`)).status).toBe(200);
    expect((await call("GET", `triggers/${body.triggerId}`)).status).toBe(404);
  });

  it("say so when their workflow was drawn anew", async () => {
    const { body } = await call("POST", "event-wirings", copies);
    await call("PUT", `workflows/${body.workflowId}`, { definition: END });
    expect((await call("GET", `event-wirings/${body.id}`)).body).toMatchObject({
      name: "Copies",
      action: null,
      input: {},
    });
    expect((await call("GET", "event-wirings")).body).toHaveLength(1);
    const renamed = await call("PUT", `event-wirings/${body.id}`, { name: "Renamed" });
    expect([renamed.status, renamed.body.error.path]).toEqual([400, "$.action"]);
    const anew = { action: copies.action, input: copies.input };
    expect((await call("PUT", `event-wirings/${body.id}`, anew)).body).toMatchObject(anew);
    expect((await call("DELETE", `event-wirings/${body.id}`)).status).toBe(204);
  });
});
