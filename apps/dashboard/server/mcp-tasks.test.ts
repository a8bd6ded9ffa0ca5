import { McpEnvelopeSchema, McpTaskSchema, TASKS_EXTENSION } from "@oven/contract/mcp";
import { createTestPglite } from "@oven/db/testing";
import { installedModules } from "@oven/installation";
import { TEST_KEY } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type McpEndpoint, openMcpEndpoint } from "./testing/mcp-endpoint.ts";
import { insertKey } from "./testing/strangers.ts";
import { connectTasks, type FollowedTask, type TaskClient } from "./testing/task-client.ts";

const WAITING = {
  initial: "parcel",
  states: {
    parcel: {
      label: "Wait for the parcel",
      invoke: { src: "core.waitForEvent", input: { event: "parcel.arrived" }, onDone: "done" },
    },
    done: { type: "final", output: { weight: "$.parcel.payload.weight" } },
  },
};
const ASKING = {
  initial: "ask",
  states: {
    ask: {
      label: "Ask for the refund",
      invoke: { src: "agent.humanReview", input: { title: "Refund 12 euros?", show: "12 euros" }, onDone: "done" },
    },
    done: { type: "final", output: { said: "$.ask" } },
  },
};
const FAILING = {
  initial: "break",
  states: {
    break: { invoke: { src: "core.fail", input: { message: "no parcel" }, onDone: "done" } },
    done: { type: "final" },
  },
};
const NOT_FOUND = { code: -32_602, message: expect.stringContaining("Task not found") };

const modules = () => installedModules({ demo: false });

describe("a workflow's call as a task of an MCP client", () => {
  let endpoint: McpEndpoint;

  beforeAll(async () => {
    endpoint = await openMcpEndpoint({ modules: modules() });
    for (const [slug, definition] of Object.entries({ waiting: WAITING, asking: ASKING, failing: FAILING }))
      await exportWorkflow(endpoint, slug, definition);
  });
  afterAll(() => endpoint.close());

  const runs = async () => endpoint.oven.db.query("select id from agent_workflow_executions");

  it("answers at once with the handle, says the step, and then what the call would have answered", async () => {
    const { call, get } = await connectTasks(endpoint, "waiting");
    const created = await call();
    expect(created).toMatchObject({ resultType: "task", status: "working", ttlMs: null, pollIntervalMs: 1_000 });
    const { id } = runIn(created.structuredContent);
    expect(created.structuredContent).toEqual({
      status: expect.stringMatching(/pending|running|paused/),
      run: { id, url: expect.stringContaining(`/${id}/show`) },
    });
    const { taskId } = created;
    await expect.poll(async () => (await get(taskId)).statusMessage).toMatch(/^Wait for the parcel/);
    const { _meta, ...working } = await get(taskId);
    expect(McpTaskSchema.parse(working)).toMatchObject({ status: "working", taskId });
    expect(_meta?.["oven/envelope"]).toMatchObject({ run: { id } });

    const sent = await endpoint.oven.call("POST", `agent-workflow-executions/${id}/events`, {
      event: "parcel.arrived",
      payload: { weight: 7 },
    });
    expect(sent.status, JSON.stringify(sent.body)).toBeLessThan(300);
    const { result, ...task } = await untilOver(get, taskId);
    expect(task.status).toBe("completed");
    expect(task.pollIntervalMs).toBeUndefined();
    // Half a year after its end, by the setting's default.
    expect(task.ttlMs).toBeGreaterThanOrEqual(180 * 86_400_000);
    const plain = await endpoint.connect("waiting");
    const asCalled = await plain.callTool({ name: "get_run", arguments: { id } });
    expect(result).toEqual({ structuredContent: asCalled.structuredContent, content: asCalled.content });
    expect(result?.structuredContent).toMatchObject({ status: "completed", output: { weight: 7 } });
  });

  it("has an error as the result of a run that fails, as the call has", async () => {
    const { call, get } = await connectTasks(endpoint, "failing");
    const task = await untilOver(get, (await call()).taskId);
    expect(task).toMatchObject({ status: "completed", statusMessage: expect.stringContaining("no parcel") });
    expect(task.result).toMatchObject({ isError: true, structuredContent: { status: "failed" } });
  });

  it("answers without a task when the arguments are refused, and starts no run", async () => {
    await exportWorkflow(endpoint, "strict", {
      ...WAITING,
      payloadSchema: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
    });
    const before = await runs();
    const { call } = await connectTasks(endpoint, "strict");
    expect(await call({ n: "seven" })).toMatchObject({ isError: true });
    expect(await runs()).toEqual(before);
  });

  describe("that waits for a review", () => {
    async function asked(follower: TaskClient): Promise<{ taskId: string; key: string; task: FollowedTask }> {
      const { taskId } = await follower.call();
      await expect.poll(async () => (await follower.get(taskId)).status).toBe("input_required");
      const task = await follower.get(taskId);
      const [key = ""] = Object.keys(task.inputRequests ?? {});
      return { taskId, key, task };
    }
    const accept = (key: string, content: Record<string, string>) => ({ [key]: { action: "accept", content } });

    it("asks as the call does, and goes on with the answer", async () => {
      const follower = await connectTasks(endpoint, "asking");
      const { taskId, key, task } = await asked(follower);
      expect(task.statusMessage).toBe("Refund 12 euros?");
      expect(task.inputRequests?.[key]).toMatchObject({
        method: "elicitation/create",
        params: { message: expect.stringContaining("12 euros"), requestedSchema: { required: ["action"] } },
      });
      expect(await follower.update(taskId, accept(key, { action: "approve" }))).toEqual({});
      const done = await untilOver(follower.get, taskId);
      expect(done).toMatchObject({ status: "completed", result: { structuredContent: { status: "completed" } } });
    });

    it("does not read answers to what is not asked, and leaves it open when the user declines", async () => {
      const follower = await connectTasks(endpoint, "asking");
      const { taskId, key } = await asked(follower);
      const other = key.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
      await follower.update(taskId, accept(other, { action: "approve" }));
      await follower.update(taskId, accept("review-1", { action: "approve" }));
      await follower.update(taskId, { [key]: { action: "decline" } });
      expect(await follower.get(taskId)).toMatchObject({
        status: "input_required",
        inputRequests: { [key]: expect.anything() },
      });
      await expect(follower.update(taskId, accept(key, { action: "reject" }))).rejects.toThrow(/reason/i);
      await follower.update(taskId, accept(key, { action: "reject", reason: "too much" }));
      await expect.poll(async () => (await follower.get(taskId)).status).not.toBe("input_required");
    });

    it("asks anew when somebody else has changed what is proposed, and does not take the answer to what it was", async () => {
      const invoke = { ...ASKING.states.ask.invoke, input: { title: "Refund?", show: "12 euros", approvals: 2 } };
      const states = { ...ASKING.states, ask: { ...ASKING.states.ask, invoke } };
      await exportWorkflow(endpoint, "asking-two", { ...ASKING, states });
      const follower = await connectTasks(endpoint, "asking-two");
      const { taskId, key, task } = await asked(follower);
      const { pending } = McpEnvelopeSchema.required({ pending: true }).parse(task._meta?.["oven/envelope"]);
      const [workflow] = await endpoint.oven.db.query<{ tenantId: number }>(
        `select tenant_id as "tenantId" from agent_workflows where slug = 'asking-two'`,
      );
      const permissions = { reviews: ["read", "decide"] };
      const { key: other } = await insertKey(endpoint.oven.db, { tenantId: workflow?.tenantId ?? 0, permissions });
      const { reviewId, digest } = pending;
      const edit = { action: "edit", digest, data: "1200 euros" };
      const edited = await endpoint.oven.call("POST", `reviews/${reviewId}/decide`, edit, { key: other });
      expect(edited.status, JSON.stringify(edited.body)).toBe(200);
      await follower.update(taskId, accept(key, { action: "approve" }));
      const again = await follower.get(taskId);
      expect(again.status).toBe("input_required");
      const [[nextKey = "", question] = []] = Object.entries(again.inputRequests ?? {});
      expect(nextKey).not.toBe(key);
      expect(question?.params.message).toContain("1200 euros");
      await follower.update(taskId, accept(nextKey, { action: "approve" }));
      expect(await untilOver(follower.get, taskId)).toMatchObject({ status: "completed" });
    });

    it("is working for clients that cannot ask, or may not decide", async () => {
      const mute = await connectTasks(endpoint, "asking", { asks: false });
      const { taskId } = await mute.call();
      await expect
        .poll(async () => (await mute.get(taskId)).statusMessage)
        .toBe("Ask for the refund waits for a person");
      const task = await mute.get(taskId);
      expect(task).toMatchObject({ status: "working", _meta: { "oven/envelope": { status: "paused" } } });
      expect(task.inputRequests).toBeUndefined();

      const key = await endpoint.keyWith(["agent-workflows.execute"]);
      const caller = await connectTasks(endpoint, "asking", { key });
      const called = await caller.call();
      await expect.poll(async () => (await caller.get(called.taskId)).statusMessage).toMatch(/waits for a person/);
      const refused = await caller.get(called.taskId);
      expect(refused.status).toBe("working");
      const { pending } = McpEnvelopeSchema.required({ pending: true }).parse(refused._meta?.["oven/envelope"]);
      const guessed = `review-${pending.reviewId}-${pending.digest}`;
      await caller.update(called.taskId, accept(guessed, { action: "approve" }));
      expect((await endpoint.oven.call("GET", `reviews/${pending.reviewId}`)).body.status).toBe("open");
    });
  });

  it("cancels the run, once, and says so", async () => {
    const { call, get, cancel } = await connectTasks(endpoint, "waiting");
    const { taskId, structuredContent } = await call();
    expect(await cancel(taskId)).toEqual({});
    expect(await untilOver(get, taskId)).toMatchObject({ status: "cancelled" });
    expect(await get(taskId)).not.toHaveProperty("result");
    const run = await endpoint.oven.call("GET", `agent-workflow-executions/${runIn(structuredContent).id}`);
    expect(run.body.status).toBe("cancelled");
    expect(await cancel(taskId)).toEqual({});
  });

  it("is not found for another key, for another tenant, nor under another name", async () => {
    const owner = await connectTasks(endpoint, "waiting");
    const { taskId, structuredContent } = await owner.call();
    const { id } = runIn(structuredContent);
    const key = await endpoint.keyWith(["agent-workflows.execute", "reviews.decide"]);
    const other = await connectTasks(endpoint, "waiting", { key });
    for (const request of [other.get, other.cancel, (task: string) => other.update(task, {})])
      await expect(request(taskId)).rejects.toMatchObject(NOT_FOUND);
    // A right to read all runs is one to follow this one, and none to cancel it.
    const reader = await endpoint.keyWith(["agent-workflows.execute", "executions.read"]);
    const reading = await connectTasks(endpoint, "waiting", { key: reader });
    expect(await reading.get(taskId)).toMatchObject({ status: "working" });
    await expect(reading.cancel(taskId)).rejects.toMatchObject(NOT_FOUND);

    await endpoint.oven.db.query("update agent_workflows set tenant_id = 0 where slug = 'waiting'");
    await endpoint.oven.db.query("update mcp_server_definitions set tenant_id = 0 where slug = 'waiting'");
    const rights = ["read", "execute", "cancel"];
    const { key: abroad } = await insertKey(endpoint.oven.db, {
      tenantId: 7,
      permissions: { executions: rights, "agent-workflows": rights },
    });
    const stranger = await connectTasks(endpoint, "waiting", { key: abroad });
    for (const request of [stranger.get, stranger.cancel])
      await expect(request(taskId)).rejects.toMatchObject(NOT_FOUND);
    for (const made of [`${id}`, `run-${id}`, taskId.replace(/^run-\d+/, `run-${id - 1}`), taskId.slice(0, -1)])
      await expect(owner.get(made)).rejects.toMatchObject(NOT_FOUND);
    expect(await owner.get(taskId)).toMatchObject({ status: "working" });
  });

  it("follows runs that a trigger starts, for the client that called it", async () => {
    const linear = await endpoint.oven.call("POST", "workflows", { name: "Parcels", definition: WAITING });
    const target = { kind: "workflow", workflowId: linear.body.id };
    const made = await endpoint.oven.call("POST", "triggers", { type: "mcp", name: "Take a parcel", target });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const permissions = ["triggers.fire"];
    const [key, otherKey] = [await endpoint.keyWith(permissions), await endpoint.keyWith(permissions)];
    const server = `triggers/${made.body.id}`;
    const caller = await connectTasks(endpoint, server, { key, tool: "take_a_parcel" });
    const { taskId, structuredContent } = await caller.call();
    expect(await caller.get(taskId)).toMatchObject({ status: "working" });
    const other = await connectTasks(endpoint, server, { key: otherKey, tool: "take_a_parcel" });
    await expect(other.get(taskId)).rejects.toMatchObject(NOT_FOUND);
    await endpoint.oven.call("POST", `workflow-executions/${runIn(structuredContent).id}/events`, {
      event: "parcel.arrived",
      payload: { weight: 9 },
    });
    expect(await untilOver(caller.get, taskId)).toMatchObject({
      status: "completed",
      result: { structuredContent: { output: { weight: 9 } } },
    });
  });

  it("changes nothing for clients that do not declare it, and for older revisions", async () => {
    const owner = await connectTasks(endpoint, "waiting");
    const { taskId } = await owner.call();
    const plain = await endpoint.connect("waiting");
    const AnySchema = McpTaskSchema.loose();
    await expect(plain.request({ method: "tasks/get", params: { taskId } }, AnySchema)).rejects.toMatchObject({
      code: -32_021,
      data: { requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } },
    });
    const listen = async (follower: typeof plain) =>
      follower.request({ method: "subscriptions/listen", params: { notifications: { taskIds: [taskId] } } }, AnySchema);
    await expect(listen(plain)).rejects.toMatchObject({ code: -32_021 });
    await expect(listen(owner.client)).rejects.not.toMatchObject({ code: -32_021 });
    const done = await (await endpoint.connect("asking")).callTool({ name: "asking", arguments: {} });
    expect(done.structuredContent).toMatchObject({ status: "paused", pending: { title: "Refund 12 euros?" } });
    expect(done).not.toHaveProperty("taskId");

    const capabilities = { extensions: { [TASKS_EXTENSION]: {} } };
    const older = await endpoint.connect("asking", { mode: "legacy", capabilities });
    expect(older.getServerCapabilities()?.extensions).toBeUndefined();
    const answered = await older.callTool({ name: "asking", arguments: {} });
    expect(answered.structuredContent).toMatchObject({ status: "paused" });
    expect(answered).not.toHaveProperty("taskId");
    await expect(older.request({ method: "tasks/get", params: { taskId } }, AnySchema)).rejects.toMatchObject({
      code: -32_601,
    });
    expect(owner.client.getServerCapabilities()?.extensions).toEqual({ [TASKS_EXTENSION]: {} });
  });
});

describe("a task over a restart of the server", () => {
  it("is followed, answered and completed by the next process", async () => {
    const db = await createTestPglite();
    const first = await openMcpEndpoint({ modules: modules(), db });
    await exportWorkflow(first, "asking", ASKING);
    const { taskId } = await (await connectTasks(first, "asking")).call();
    await first.close();
    const second = await openMcpEndpoint({ modules: modules(), db });
    try {
      const { get, update } = await connectTasks(second, "asking");
      await expect.poll(async () => (await get(taskId)).status).toBe("input_required");
      const [key = ""] = Object.keys((await get(taskId)).inputRequests ?? {});
      await update(taskId, { [key]: { action: "accept", content: { action: "approve" } } });
      expect(await untilOver(get, taskId)).toMatchObject({
        status: "completed",
        result: { structuredContent: { status: "completed" } },
      });
    } finally {
      await second.close();
      await db.close();
    }
  });
});

async function exportWorkflow({ oven }: McpEndpoint, slug: string, definition: object): Promise<void> {
  const body = { name: slug, slug, definition, mcpExport: true };
  const { status, body: answer } = await oven.call("POST", "agent-workflows", body, { key: TEST_KEY });
  expect(status, JSON.stringify(answer)).toBe(201);
}

async function untilOver(get: TaskClient["get"], taskId: string): Promise<FollowedTask> {
  await expect.poll(async () => (await get(taskId)).status, { timeout: 10_000 }).toMatch(/completed|cancelled|failed/);
  return get(taskId);
}

function runIn(envelope: object): { id: number } {
  return (envelope as { run: { id: number } }).run; // cast: the envelope's schema
}
