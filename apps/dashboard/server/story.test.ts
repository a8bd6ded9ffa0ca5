import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { installedModules } from "@oven/installation";
import { createRuntime } from "@oven/module-registry";
import { startTestOven, type TestAnswer, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";

/** The frames of a stream: id, event name and data. */
function toFrames(text: string) {
  return text
    .split("\n\n")
    .filter((frame) => frame.includes("data: "))
    .map((frame) => ({
      id: Number(/^id: (\d+)$/m.exec(frame)?.[1]),
      event: /^event: (.+)$/m.exec(frame)?.[1],
      data: JSON.parse(/^data: (.+)$/m.exec(frame)?.[1] ?? "null"),
    }));
}

describe.each(testDatabases(inject("postgresUrl")))("the demos over REST on $name", ({ open }) => {
  let oven: TestOven;
  let test: TestDatabase;
  let waiting: TestAnswer | undefined;
  beforeAll(async () => {
    test = await open();
    oven = await startTestOven({ createRuntime, modules: installedModules({ demo: true }), db: test.db });
  });
  afterAll(async () => {
    await oven.stop();
    await test.close();
  });

  const runSupport = () =>
    oven.call("POST", "agent-workflows/support-reply/execute?wait=30", {
      input: { message: "Where is my order 8841?", orderId: 8841 },
    });
  const resume = (run: TestAnswer, body: object) =>
    oven.call("POST", `agent-workflow-executions/${run.body.id}/resume`, body);

  it("lists the workflows with a page range", async () => {
    const list = await oven.call("GET", 'agent-workflows?sort=["name","ASC"]&range=[0,1]');
    expect(list.body.map((row: { slug: string }) => row.slug)).toEqual(["builder", "order-triage"]);
    // Three that are drawn, the one of the demo's agent, and the two of the assistant.
    expect(list.headers.get("content-range")).toBe("agent-workflows 0-1/6");
  });

  it("runs to the review with two real tools, pauses, is approved and completes [004-011] [004-012] [004-255]", async () => {
    const run = await runSupport();
    expect(run).toMatchObject({ status: 200, body: { status: "paused", currentState: "review", simulated: true } });
    const { body: paused } = await oven.call("GET", `agent-workflow-executions/${run.body.id}`);
    expect(
      paused.nodes.map((node: { nodeId: string; nodeType: string; status: string }) => [
        node.nodeId,
        node.nodeType,
        node.status,
      ]),
    ).toEqual([
      ["prompt", "agent.prompt", "completed"],
      ["draft", "agent.toolLoop", "completed"],
      ["draft.llm", "agent.llm", "completed"],
      ["draft.tools", "agent.toolExecutor", "completed"],
      ["draft.tools", "orders.policy", "completed"],
      ["draft.tools", "orders.get", "completed"],
      ["draft.llm", "agent.llm", "completed"],
      ["review", "agent.humanReview", "paused"],
    ]);
    expect(paused.checkpoint.waiting).toMatchObject([{ nodeId: "review", for: "review" }]);
    expect(paused.context.messages.map((message: { role: string }) => message.role)).toEqual([
      "user",
      "assistant",
      "tool",
      "assistant",
    ]);
    const done = await resume(run, { action: "approve" });
    expect(done.body).toMatchObject({
      status: "completed",
      checkpoint: null,
      output: { reply: expect.stringContaining("9 March") },
    });
  });

  it("decides a review once: the second answer is told who won [004-244]", async () => {
    const run = await runSupport();
    const answers = await Promise.all([
      resume(run, { action: "approve" }),
      resume(run, { action: "reject", reason: "no" }),
    ]);
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 409]);
    const lost = answers.find(({ status }) => status === 409);
    expect(lost?.body.error).toMatchObject({
      code: "REVIEW_DECIDED",
      details: { decision: { status: "decided", decidedBy: 1 } },
    });
    const [review] = (await oven.call("GET", `reviews?filter={"executionId":${run.body.id}}`)).body;
    expect(review).toMatchObject({ status: "decided", decidedBy: 1, decidedByName: "Administrator" });
    expect((await resume(run, { action: "approve", reviewId: review.id })).status).toBe(409);
  });

  it.each([
    ["an unknown action", { action: "maybe" }, 400, "ACTION_UNKNOWN"],
    ["no action at all", {}, 400, "INVALID_REQUEST"],
    ["a rejection without a reason [004-243]", { action: "reject" }, 400, "REASON_REQUIRED"],
    ["a digest of something else", { action: "approve", digest: "0".repeat(64) }, 409, "REVIEW_CHANGED"],
    ["an edit of the wrong type [004-245]", { action: "edit", data: { not: "text" } }, 400, "INVALID_EDIT"],
    ["an edit without data", { action: "edit" }, 400, "INVALID_EDIT"],
  ])("refuses %s and leaves the review open", async (_name, decision, status, code) => {
    waiting ??= await runSupport();
    expect(await resume(waiting, decision)).toMatchObject({ status, body: { error: { code } } });
    const [review] = (await oven.call("GET", `reviews?filter={"executionId":${waiting.body.id}}`)).body;
    expect(review).toMatchObject({ status: "open", action: null, decidedBy: null });
  });

  it("takes the older form of a decision and routes a rejection as drawn [004-286]", async () => {
    const run = await runSupport();
    const rejected = await resume(run, { input: { decision: "reject", feedback: "too long" } });
    expect(
      rejected.body.nodes.some(
        (node: { nodeId: string; output: { action?: string } }) =>
          node.nodeId === "review" && node.output?.action === "reject",
      ),
    ).toBe(true);
  });

  it("answers 400 when a run that never asked is resumed [004-246]", async () => {
    const run = await oven.call("POST", "agent-workflows/order-triage/execute?wait=30", {
      input: { message: "Which flour for rye?" },
    });
    expect(run.body).toMatchObject({ status: "completed", output: { queue: "routine" } });
    expect(await resume(run, { action: "approve" })).toMatchObject({
      status: 400,
      body: { error: { code: "NOT_PAUSED" } },
    });
  });

  it("pays exactly what an edit changed the refund to, once [004-011]", async () => {
    const run = await oven.call("POST", "agent-workflows/refund/execute?wait=30", {
      input: { message: "Order 9001 is late and I want my money back." },
    });
    expect(run.body.status).toBe("paused");
    const [review] = (await oven.call("GET", `reviews?filter={"executionId":${run.body.id}}`)).body;
    expect(review).toMatchObject({ tool: "orders.refund", proposal: { orderId: 9001 } });
    const refunded = () => oven.db.query("select refunded_cents from demo_orders where order_number = 9001");
    expect(await refunded()).toEqual([{ refunded_cents: 0 }]);
    const edited = { ...review.proposal, amountCents: 1_000 };
    const decision = { action: "edit", digest: review.digest, data: edited };
    expect((await oven.call("POST", `reviews/${review.id}/decide`, decision)).status).toBe(200);
    await (await oven.fetch(`agent-workflow-executions/${run.body.id}/events`)).text();
    const { body } = await oven.call("GET", `agent-workflow-executions/${run.body.id}`);
    expect(body).toMatchObject({ status: "completed", output: { decision: "edit" } });
    expect(await refunded()).toEqual([{ refunded_cents: 1_000 }]);
  });

  it("streams the run's log without gaps, and goes on after Last-Event-ID [004-034]", async () => {
    const run = await runSupport();
    await resume(run, { action: "approve" });
    const path = `agent-workflow-executions/${run.body.id}/events`;
    const frames = toFrames(await (await oven.fetch(path)).text());
    expect(frames.map(({ id }) => id)).toEqual(frames.map((_, index) => index + 1));
    expect(frames[0]?.event).toBe("execution.started");
    expect(frames.at(-1)?.event).toBe("end");
    const text = frames.filter(({ event }) => event === "text.delta").map(({ data }) => data.text);
    expect(text.join("")).toContain("9 March");
    const rest = toFrames(await (await oven.fetch(path, { headers: { "last-event-id": "10" } })).text());
    expect(rest).toEqual(frames.slice(10));
    const end = frames.at(-1)?.id ?? 0;
    expect((await oven.fetch(path, { headers: { "last-event-id": String(end) } })).status).toBe(204);
  });

  it("cancels a paused run; its review is gone and nothing runs afterwards", async () => {
    const run = await runSupport();
    const cancelled = await oven.call("POST", `agent-workflow-executions/${run.body.id}/cancel`, {
      reason: "changed my mind",
    });
    expect(cancelled.body).toMatchObject({ status: "cancelled", error: expect.stringContaining("changed my mind") });
    const [review] = (await oven.call("GET", `reviews?filter={"executionId":${run.body.id}}`)).body;
    expect(review.status).toBe("cancelled");
    expect((await resume(run, { action: "approve" })).status).toBe(409);
  });

  it("starts one run for one Idempotency-Key, and refuses the key with another body", async () => {
    const headers = { "idempotency-key": "order-8841" };
    const start = (message: string) =>
      oven.call("POST", "agent-workflows/order-triage/execute", { input: { message } }, { headers });
    const [first, second] = await Promise.all([start("Late!"), start("Late!")]);
    expect(second.body.id).toBe(first.body.id);
    expect([first, second].filter(({ headers: answer }) => answer.get("idempotency-replayed") === "true")).toHaveLength(
      1,
    );
    expect(await start("Other")).toMatchObject({ status: 409, body: { error: { code: "IDEMPOTENCY_KEY_REUSED" } } });
  });

  it("records events of a run in order, and usage of each model call", async () => {
    const run = await oven.call("POST", "agent-workflows/order-triage/execute?wait=30", {
      input: { message: "Hello?" },
    });
    const events = await oven.db.query<{ name: string }>(
      "select name from outbox_events where order_key = $1 order by id",
      [`execution:${run.body.id}`],
    );
    const names = events.map(({ name }) => name.replace("agents-workflow.", ""));
    expect(names[0]).toBe("execution.started");
    expect(names.at(-1)).toBe("execution.completed");
    const usage = await oven.db.query("select provider_id, status from ai_usage_logs where execution_id = $1", [
      run.body.id,
    ]);
    expect(usage).toEqual([{ provider_id: "simulated", status: "ok" }]);
  });

  it("tells events only in the shape their module declares", async () => {
    await resume(await runSupport(), { action: "approve" });
    const declared = new Map(installedModules({ demo: true }).flatMap((module) => Object.entries(module.events.emits)));
    const events = await oven.db.query<{ name: string; payload: unknown }>(
      "select distinct on (name) name, payload from outbox_events",
    );
    expect(events.length).toBeGreaterThan(4);
    for (const { name, payload } of events) {
      const result = declared.get(name)?.safeParse(payload);
      expect(result?.success, `${name} ${JSON.stringify(payload)} ${result?.error?.message ?? "is not declared"}`).toBe(
        true,
      );
    }
  });

  it("deletes a workflow only without live runs, or by force [004-236]", async () => {
    const { body: source } = await oven.call("GET", "agent-workflows/support-reply");
    const { body: copy } = await oven.call("POST", "agent-workflows", { name: "Copy", definition: source.definition });
    const run = await oven.call("POST", `agent-workflows/${copy.id}/execute?wait=30`, {
      input: { message: "Order 8841?" },
    });
    expect(run.body.status).toBe("paused");
    expect(await oven.call("DELETE", `agent-workflows/${copy.id}`)).toMatchObject({
      status: 409,
      body: { error: { code: "WORKFLOW_IN_USE" } },
    });
    expect((await oven.call("DELETE", `agent-workflows/${copy.id}?force=true`)).status).toBe(204);
    expect((await oven.call("GET", `agent-workflow-executions/${run.body.id}`)).status).toBe(404);
    for (const table of ["agent_workflow_versions", "mcp_server_definitions"]) {
      expect(await oven.db.query(`select id from ${table} where agent_workflow_id = $1`, [copy.id])).toEqual([]);
    }
  });
});
