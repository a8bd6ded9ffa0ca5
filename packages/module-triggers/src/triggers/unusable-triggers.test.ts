import type { Json, JsonObject } from "@oven/contract";
import type { Trigger } from "@oven/contract/trigger";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTriggers, type TestTriggers } from "./testing/start-triggers.ts";

const NEEDS_TOPIC: JsonObject = {
  type: "object",
  properties: { topic: { type: "string" }, count: { type: "integer" } },
  required: ["topic"],
};
const NEEDS_MORE: JsonObject = { ...NEEDS_TOPIC, required: ["topic", "count"] };

describe("a trigger whose workflow was changed", () => {
  let triggers: TestTriggers;
  beforeAll(async () => {
    triggers = await startTriggers(undefined);
  });
  afterAll(() => triggers.stop());

  const call = (...args: Parameters<TestTriggers["oven"]["call"]>) => triggers.oven.call(...args);
  const toDefinition = (payloadSchema: JsonObject): JsonObject => ({
    initial: "done",
    payloadSchema,
    states: { done: { type: "final" } },
  });
  const topics = async (): Promise<number> =>
    (await call("POST", "workflows", { name: "Topics", definition: toDefinition(NEEDS_TOPIC) })).body.id;
  const publish = async (workflowId: number, payloadSchema: JsonObject) => {
    const { status } = await call("PUT", `workflows/${workflowId}`, { definition: toDefinition(payloadSchema) });
    expect(status).toBe(200);
  };
  const nightly = (workflowId: number, more: object = {}): Promise<Trigger> =>
    triggers.make({
      type: "schedule",
      name: "Nightly",
      target: { kind: "workflow", workflowId },
      config: { cron: "0 3 * * *" },
      input: { topic: "news" },
      ...more,
    });
  const problemOf = async (id: number): Promise<Trigger["problem"]> =>
    (await call("GET", `triggers/${id}`)).body.problem;
  const told = async (triggerId: number): Promise<Json[]> =>
    (
      await triggers.db.query<{ payload: JsonObject }>(
        "select payload from outbox_events where name = 'triggers.trigger.unusable' order by id",
      )
    )
      .map(({ payload }) => payload)
      .filter((payload) => payload.triggerId === triggerId);
  const message = "The workflow needs count, which this trigger does not hand over";

  it("is flagged and told of once, until its input fits again", async () => {
    const workflowId = await topics();
    const { id, runsAs, problem } = await nightly(workflowId);
    expect([problem, typeof runsAs]).toEqual([null, "number"]);
    await publish(workflowId, NEEDS_MORE);
    await expect.poll(() => problemOf(id)).toMatchObject({ path: "$.input", message });
    const [listed] = (await call("GET", `triggers?filter={"workflowId":${workflowId}}`)).body;
    expect(listed.problem).toMatchObject({ message });
    await publish(workflowId, { ...NEEDS_MORE, required: ["count"] });
    await publish(workflowId, { ...NEEDS_MORE, required: ["count", "topic", "more"] });
    await expect.poll(async () => (await problemOf(id))?.message).toContain("needs count, more");
    expect(await told(id)).toMatchObject([
      {
        name: "Nightly",
        kind: "workflow",
        workflowId,
        workflowName: "Topics",
        version: 2,
        ownerId: runsAs,
        problem: { message },
      },
    ]);
    const saved = await call("PUT", `triggers/${id}`, { input: { topic: "news", count: 1, more: true } });
    expect([saved.status, saved.body.problem]).toEqual([200, null]);
  });

  it("is freed by a version that takes it, and flagged again by one that is restored", async () => {
    const workflowId = await topics();
    const { id } = await nightly(workflowId);
    await publish(workflowId, NEEDS_MORE);
    await expect.poll(() => problemOf(id)).not.toBeNull();
    await publish(workflowId, NEEDS_TOPIC);
    await expect.poll(() => problemOf(id)).toBeNull();
    const versions = (await call("GET", `workflows/${workflowId}/versions`)).body;
    const second = versions.find(({ version }: { version: number }) => version === 2);
    expect((await call("POST", `workflows/${workflowId}/versions/${second.id}/restore`)).status).toBe(200);
    await expect.poll(() => problemOf(id)).toMatchObject({ message });
    expect(await told(id)).toMatchObject([{ version: 2 }, { version: 4 }]);
  });

  it("says which fixed value the workflow does not take any more", async () => {
    const workflowId = await topics();
    const { id } = await nightly(workflowId);
    await publish(workflowId, { ...NEEDS_TOPIC, properties: { topic: { enum: ["sports"] } } });
    await expect.poll(() => problemOf(id)).toMatchObject({ path: "$.input.topic" });
  });

  it("tells nobody while it is switched off, and keeps a flag when it is", async () => {
    const workflowId = await topics();
    const { id } = await nightly(workflowId, { enabled: false });
    await publish(workflowId, NEEDS_MORE);
    await expect.poll(() => problemOf(id)).toMatchObject({ message });
    expect(await told(id)).toEqual([]);
    expect((await call("PUT", `triggers/${id}`, { enabled: true })).status).toBe(400);
    expect((await call("PUT", `triggers/${id}`, { name: "Later" })).body.problem).toMatchObject({ message });
  });
});
