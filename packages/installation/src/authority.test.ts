import { createRuntime } from "@oven/module-registry";
import { type Credentials, invite, startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installedModules } from "./modules.ts";

const READS_EVENTS = { src: "system.events.list", onDone: "done" };

describe("with all modules", () => {
  let oven: TestOven;
  let editor: Credentials;
  let reviewer: Credentials;
  beforeAll(async () => {
    oven = await startTestOven({ createRuntime, modules: installedModules({ demo: true }) });
    editor = await invite(oven, "ed@example.com", ["editor"]);
    reviewer = await invite(oven, "rita@example.com", ["editor"]);
  });
  afterAll(() => oven.stop());

  const call: TestOven["call"] = (...args) => oven.call(...args);

  async function workflow(definition: object, as?: Credentials): Promise<{ id: number; slug: string }> {
    const { status, body } = await call("POST", "agent-workflows", { name: "Asks", definition }, as);
    expect(status).toBe(201);
    return body;
  }

  async function settled(executionId: number) {
    const path = `agent-workflow-executions/${executionId}`;
    await expect.poll(async () => (await call("GET", path)).body.status).toMatch(/^(completed|failed|paused)$/);
    return (await call("GET", path)).body;
  }

  async function reviewedTrigger(): Promise<number> {
    const ask = { src: "agent.humanReview", input: { show: { amount: 5 }, notRequester: true }, onDone: "done" };
    const { id } = await workflow(
      { initial: "ask", states: { ask: { invoke: ask }, done: { type: "final" } } },
      editor,
    );
    const target = { kind: "agent-workflow", workflowId: id };
    return (await call("POST", "triggers", { type: "manual", name: "Pay", target }, editor)).body.id;
  }

  it("the person who fires a trigger may not decide what they asked for, and the one who saved it may", async () => {
    const { body: fired } = await call("POST", `triggers/${await reviewedTrigger()}/fire`, {}, reviewer);
    const run = await settled(fired.executionId);
    expect(run.status).toBe("paused");
    const path = `agent-workflow-executions/${run.id}/resume`;
    const own = await call("POST", path, { action: "approve" }, reviewer);
    expect([own.status, own.body.error.code]).toEqual([403, "REVIEW_NOT_YOURS"]);
    const mine = encodeURIComponent(JSON.stringify({ mine: true, status: "open" }));
    expect((await call("GET", `reviews?filter=${mine}`, undefined, reviewer)).body).toEqual([]);
    expect((await call("GET", `reviews?filter=${mine}`, undefined, editor)).body).toHaveLength(1);
    expect((await call("POST", path, { action: "approve" }, editor)).status).toBe(200);
    expect(await settled(run.id)).toMatchObject({ status: "completed" });
  });

  it("an agent lends its caller's permissions to nothing that the person who saved it may not do", async () => {
    const bound = await workflow({
      initial: "read",
      states: { read: { invoke: READS_EVENTS }, done: { type: "final" } },
    });
    const agent = { name: "Reader", workflowId: bound.id };
    const { status, body } = await call("POST", "agents", agent, editor);
    expect(status).toBe(201);
    const said = await call("POST", `agents/${body.slug}/invoke`, { message: "What happened?" });
    expect(await settled(said.body.run.id)).toMatchObject({
      status: "failed",
      error: expect.stringContaining("version 1 of the agent reader"),
      errorInfo: { code: "FORBIDDEN", details: { permission: "events.read" } },
    });
    const { body: own } = await call("POST", "agents", { ...agent, name: "Reader of mine" });
    const asked = await call("POST", `agents/${own.slug}/invoke`, { message: "What happened?" });
    expect(await settled(asked.body.run.id)).toMatchObject({ status: "completed" });
  });

  it("says what a definition may do if one publishes it, and who could give it more", async () => {
    const definition = {
      initial: "read",
      states: {
        read: { invoke: { ...READS_EVENTS, onDone: "draft" } },
        draft: {
          invoke: {
            src: "agent.toolLoop",
            input: { prompt: "Refund", tools: ["orders.refund", "orders.*"], model: "simulated:echo" },
            onDone: "done",
          },
        },
        done: { type: "final" },
      },
    };
    const report = await call("POST", "agent-workflows/grant", { definition }, editor);
    expect(report.body).toEqual({
      granted: ["orders.read", "orders.refund"],
      missing: [{ permission: "events.read", steps: ["read"], roles: ["Owner", "Admin"] }],
      computed: [],
      beyond: [],
    });
    const { id } = await workflow(definition, editor);
    const [version] = (await call("GET", `agent-workflows/${id}/versions`)).body;
    // What its publisher lacked, it lacks for whoever looks at it.
    expect((await call("GET", `agent-workflows/${id}/versions/${version.id}/grant`)).body).toEqual(report.body);
    const computed = structuredClone(definition);
    Object.assign(computed.states.draft.invoke.input, { tools: "$.trigger.tools" });
    expect((await call("POST", "agent-workflows/grant", { definition: computed })).body).toMatchObject({
      missing: [],
      computed: ["draft.tools"],
    });
  });
});
