import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTriggers, type TestTriggers } from "./triggers/testing/start-triggers.ts";

const AT_LEAST_ONE = { type: "condition", params: { key: "$.count", operator: ">=", value: 1 } };

describe("triggers", () => {
  let triggers: TestTriggers;
  let workflowId: number;
  beforeAll(async () => {
    triggers = await startTriggers(undefined);
    workflowId = await triggers.workflow("Count");
  });
  afterAll(() => triggers.stop());

  const call = (...args: Parameters<TestTriggers["oven"]["call"]>) => triggers.oven.call(...args);
  const manual = (more: object = {}) =>
    triggers.make({ type: "manual", name: "By hand", target: { kind: "workflow", workflowId }, ...more });
  const output = async (id: number | null) => {
    await expect.poll(async () => (await call("GET", `workflow-executions/${id}`)).body.status).toBe("completed");
    return (await call("GET", `workflow-executions/${id}`)).body.output;
  };

  it("lists its kinds with their settings", async () => {
    const { body } = await call("GET", "trigger-types");
    expect(body.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining(["manual", "schedule", "event"]));
    expect(body[1].configSchema.properties.cron).toMatchObject({ type: "string" });
  });

  it("are refused when each of their firings would be, until their input holds what the workflow needs", async () => {
    const payloadSchema = { type: "object", properties: { topic: { type: "string" } }, required: ["topic"] };
    const definition = { initial: "done", payloadSchema, states: { done: { type: "final" } } };
    const { body: workflow } = await call("POST", "workflows", { name: "Topics", definition });
    const target = { kind: "workflow", workflowId: workflow.id };
    const nightly = { type: "schedule", name: "Nightly", target, config: { cron: "0 3 * * *" } };
    const refused = await call("POST", "triggers", nightly);
    expect([refused.status, refused.body.error]).toMatchObject([400, { code: "INVALID_TRIGGER", path: "$.input" }]);
    const wrong = await call("POST", "triggers", { ...nightly, input: { topic: 7 } });
    expect(wrong.body.error).toMatchObject({ code: "INVALID_TRIGGER", path: "$.input.topic" });
    const made = await call("POST", "triggers", { ...nightly, input: { topic: "news" } });
    expect(made.status).toBe(201);
    const emptied = await call("PUT", `triggers/${made.body.id}`, { input: {} });
    expect(emptied.body.error).toMatchObject({ code: "INVALID_TRIGGER", path: "$.input" });
    // Switched off it may be unfinished.
    expect((await call("PUT", `triggers/${made.body.id}`, { input: {}, enabled: false })).status).toBe(200);
    expect((await call("PUT", `triggers/${made.body.id}`, { enabled: true })).status).toBe(400);
  });

  it("fired by hand, start a run with what arrived, or with what the author made of it", async () => {
    const plain = await manual();
    const fired = await call("POST", `triggers/${plain.id}/fire`, { payload: { count: 2 } });
    expect([fired.status, fired.body.decision]).toEqual([201, "started"]);
    expect(await output(fired.body.executionId)).toEqual({ count: 2 });
    const text = await call("POST", `triggers/${plain.id}/fire`, { payload: "a text" });
    expect(await output(text.body.executionId)).toEqual({ event: "a text" });
    const mapped = await manual({ input: { total: { $cel: "ctx.count * 2" }, from: "$.trigger.who" } });
    const made = await call("POST", `triggers/${mapped.id}/fire`, { payload: { count: 2, who: "Ada" } });
    expect(await output(made.body.executionId)).toEqual({ total: 4, from: "Ada" });
  });

  it("ask their filter first, and say why nothing was started [000-008] [000-215]", async () => {
    const { id } = await manual({ filter: AT_LEAST_ONE });
    const fire = async (payload: unknown) => (await call("POST", `triggers/${id}/fire`, { payload })).body;
    expect(await fire({ count: 1 })).toMatchObject({ decision: "started", reason: null });
    expect(await fire({ count: 0 })).toMatchObject({
      decision: "filtered",
      reason: "The filter said no",
      executionId: null,
    });
    expect(await fire({})).toMatchObject({
      decision: "filtered",
      reason: "The filter said no; nothing arrived at $.count",
    });
    expect((await triggers.deliveries(id)).map(({ decision }) => decision)).toEqual([
      "started",
      "filtered",
      "filtered",
    ]);
  });

  it("are refused with a filter or an input that cannot be read", async () => {
    const bad = (more: object) =>
      call("POST", "triggers", { type: "manual", name: "x", target: { kind: "workflow", workflowId }, ...more });
    const filter = await bad({ filter: { type: "cel", params: { expression: "ctx.(" } } });
    expect(filter.body.error).toMatchObject({ code: "INVALID_TRIGGER", path: "$.filter" });
    const input = await bad({ input: { x: "{{ $.y" } });
    expect(input.body.error).toMatchObject({ code: "INVALID_TRIGGER", path: "$.input" });
    const type = await bad({ type: "telepathy" });
    expect(type.body.error).toMatchObject({ code: "TRIGGER_TYPE_UNKNOWN", fix: expect.stringContaining("schedule") });
    expect((await bad({ target: { kind: "workflow", workflowId: 99_999 } })).status).toBe(404);
  });

  it("switched off, or of a workflow that is, skip and say so [004-106]", async () => {
    const off = await manual({ enabled: false });
    expect((await call("POST", `triggers/${off.id}/fire`, {})).body).toMatchObject({
      decision: "skipped",
      reason: "The trigger is switched off",
    });
    const disabled = await triggers.workflow("Disabled");
    const { id } = await manual({ target: { kind: "workflow", workflowId: disabled } });
    await call("PUT", `workflows/${disabled}`, { enabled: false });
    const { body } = await call("POST", `triggers/${id}/fire`, {});
    expect(body).toMatchObject({ decision: "skipped", reason: expect.stringContaining("WORKFLOW_DISABLED") });
    await call("DELETE", `workflows/${disabled}`);
    await expect.poll(async () => (await call("GET", `triggers/${id}`)).status).toBe(404);
  });

  it("can be tried out without starting anything", async () => {
    const { id } = await manual({ filter: AT_LEAST_ONE, input: { n: "$.count" } });
    const test = async (body: object) => (await call("POST", `triggers/${id}/test`, body)).body;
    expect(await test({ payload: { count: 3 } })).toEqual({
      decision: "started",
      reason: null,
      input: { n: 3 },
      problems: [],
    });
    expect((await test({})).decision).toBe("filtered");
    const past = (await call("POST", `triggers/${id}/fire`, { payload: { count: 7 } })).body;
    expect(await test({ deliveryId: past.id })).toMatchObject({ decision: "started", input: { n: 7 } });
    expect(await triggers.deliveries(id)).toHaveLength(1);
    const picky = await call("POST", "workflows", {
      name: "Picky",
      definition: {
        initial: "done",
        payloadSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
        states: { done: { type: "final" } },
      },
    });
    const { id: other } = await manual({ target: { kind: "workflow", workflowId: picky.body.id } });
    const asked = (await call("POST", `triggers/${other}/test`, { payload: { count: 1 } })).body;
    expect(asked).toMatchObject({ decision: "refused", reason: expect.stringContaining("INVALID_INPUT") });
    expect(asked.problems).toEqual([{ path: "$.name", message: expect.stringContaining("required property") }]);
    await call("PUT", `workflows/${picky.body.id}`, { enabled: false });
    expect((await call("POST", `triggers/${other}/test`, { payload: { name: "x" } })).body.decision).toBe("skipped");
    expect(await triggers.deliveries(other)).toEqual([]);
  });

  it("repeat one past delivery, or many", async () => {
    const { id } = await manual({ input: { n: "$.count" } });
    const [one, two] = [
      (await call("POST", `triggers/${id}/fire`, { payload: { count: 1 } })).body,
      (await call("POST", `triggers/${id}/fire`, { payload: { count: 2 } })).body,
    ];
    const again = await call("POST", `trigger-deliveries/${one.id}/replay`);
    expect(again.body).toMatchObject({ decision: "started", replayOf: one.id, payload: { count: 1 } });
    expect(again.body.executionId).not.toBe(one.executionId);
    const both = await call("POST", "trigger-deliveries/replay", { ids: [one.id, two.id] });
    expect(both.body.map(({ replayOf }: { replayOf: number }) => replayOf)).toEqual([one.id, two.id]);
    const none = await call("POST", "trigger-deliveries/replay", { ids: [one.id, 999_999] });
    expect(none.status).toBe(404);
    expect(await triggers.deliveries(id)).toHaveLength(5);
  });

  it("on an event, start one run with its payload, and none when the condition fails [004-118]", async () => {
    const source = await triggers.workflow("Source");
    const watcher = await triggers.make({
      type: "event",
      name: "After source",
      target: { kind: "workflow", workflowId },
      config: { events: ["workflows.execution.completed"] },
      filter: { type: "condition", params: { key: "$.workflowId", operator: "==", value: source } },
    });
    const other = await triggers.workflow("Other source");
    const run = (await call("POST", `workflows/${source}/execute?wait=10`, {})).body;
    await call("POST", `workflows/${other}/execute?wait=10`, {});
    await expect
      .poll(async () => (await triggers.deliveries(watcher.id)).map(({ decision }) => decision).sort())
      .toEqual(["filtered", "started"]);
    const delivery = (await triggers.deliveries(watcher.id)).find(({ decision }) => decision === "started");
    const started = (await call("GET", `workflow-executions/${delivery?.executionId}`)).body;
    expect(started).toMatchObject({ triggerEvent: "workflows.execution.completed", input: { id: run.id } });
    await call("DELETE", `triggers/${watcher.id}`);
  });

  it("are not started by the runs of their own workflow, and not for ever by each other's", async () => {
    const [ping, pong] = [await triggers.workflow("Ping"), await triggers.workflow("Pong")];
    const onEnd = (name: string, of: number, starts: number) =>
      triggers.make({
        type: "event",
        name,
        target: { kind: "workflow", workflowId: starts },
        config: { events: ["workflows.execution.*"] },
        filter: {
          type: "all",
          guards: [
            { type: "condition", params: { key: "$.workflowId", operator: "==", value: of } },
            { type: "condition", params: { key: "$.status", operator: "==", value: "completed" } },
          ],
        },
      });
    const own = await onEnd("own", ping, ping);
    const first = await onEnd("first", ping, pong);
    const second = await onEnd("second", pong, ping);
    await call("POST", `workflows/${ping}/execute?wait=10`, {});
    await expect
      .poll(async () => {
        const both = [...(await triggers.deliveries(first.id)), ...(await triggers.deliveries(second.id))];
        return both.filter(({ decision }) => decision === "refused").map(({ reason }) => reason);
      })
      .toEqual(["More than 5 triggers have started each other in a row"]);
    expect((await triggers.deliveries(own.id)).filter(({ decision }) => decision !== "filtered")).toEqual([]);
    for (const { id } of [own, first, second]) await call("DELETE", `triggers/${id}`);
  });

  it("run with the rights of whoever saved them, as they are now", async () => {
    const invite = async (email: string, roles: string[]) => {
      const { link } = (await call("POST", "invitations", { email, roles })).body;
      const token = new URL(link).searchParams.get("token");
      const joined = await call("POST", "invitations/accept", { token, name: email, password: "a long password" });
      return joined.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    };
    const cookie = await invite("ed@example.com", ["editor"]);
    const as = { key: null, headers: { cookie, origin: "http://localhost:3000" } };
    const made = await call(
      "POST",
      "triggers",
      { type: "manual", name: "Ed's", target: { kind: "workflow", workflowId } },
      as,
    );
    expect(made.status).toBe(201);
    const users = (await call("GET", "users")).body;
    const ed = users.find(({ email }: { email: string }) => email === "ed@example.com");
    expect((await call("POST", `triggers/${made.body.id}/fire`, {})).body.decision).toBe("started");
    await call("PUT", `users/${ed.id}`, { roles: ["viewer"] });
    expect((await call("POST", `triggers/${made.body.id}/fire`, {})).body).toMatchObject({
      decision: "refused",
      reason: expect.stringContaining("workflows.execute"),
    });
    await call("PUT", `users/${ed.id}`, { disabled: true });
    expect((await call("POST", `triggers/${made.body.id}/fire`, {})).body).toMatchObject({
      decision: "refused",
      reason: expect.stringContaining("may not sign in"),
    });
    await call("PUT", `triggers/${made.body.id}`, { name: "Mine now" });
    expect((await call("POST", `triggers/${made.body.id}/fire`, {})).body.decision).toBe("started");
  });
});
