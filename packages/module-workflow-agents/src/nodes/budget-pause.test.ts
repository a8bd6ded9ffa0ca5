import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentOven, startAgentOven } from "../agents/testing/agent-oven.ts";

describe("a budget that pauses", () => {
  let oven: AgentOven;
  beforeAll(async () => {
    oven = await startAgentOven(() => ({ text: "Said.", usage: { input: 60, output: 60 } }));
  });
  afterAll(() => oven.stop());

  const ask = (onDone: string) => ({
    invoke: { src: "agent.llm", input: { prompt: "Say it", model: "openai:house-model", maxOutputTokens: 50 }, onDone },
  });

  async function run(name: string) {
    const definition = {
      initial: "first",
      states: { first: ask("second"), second: ask("done"), done: { type: "final", output: "$.second_output.text" } },
    };
    const { body } = await oven.call("POST", "agent-workflows", { name, definition });
    const budget = {
      name: `Budget of ${name}`,
      scope: "run",
      target: `agent-workflow:${body.id}`,
      period: "run",
      limitTokens: 100,
      action: "pause",
    };
    const made = await oven.call("POST", "ai-budgets", budget);
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const started = (await oven.call("POST", `agent-workflows/${body.id}/execute?wait=20`, {})).body;
    return { id: started.id, started, budgetId: made.body.id };
  }
  const reviewOf = async (id: number) =>
    (await oven.call("GET", `reviews?filter=${encodeURIComponent(JSON.stringify({ executionId: id }))}`)).body[0];
  const sent = () => oven.server.requests.length;

  it("asks an owner before the money is spent; approved, the run goes on by that one call", async () => {
    const before = sent();
    const { id, started, budgetId } = await run("Approved");
    expect(started).toMatchObject({ status: "paused" });
    expect(sent() - before).toBe(1);
    const review = await reviewOf(id);
    expect(review).toMatchObject({
      title: expect.stringContaining("Budget of Approved"),
      proposal: { budgetId, spentTokens: 120, limitTokens: 100 },
      assignees: ["role:owner", "role:admin"],
      actions: ["approve", "reject"],
    });
    await oven.call("POST", `reviews/${review.id}/decide`, { action: "approve", digest: review.digest });
    await expect
      .poll(async () => (await oven.call("GET", `agent-workflow-executions/${id}`)).body)
      .toMatchObject({ status: "completed", output: "Said." });
    expect(sent() - before).toBe(2);
  });

  it("rejected, fails the step, and nothing was sent", async () => {
    const before = sent();
    const { id } = await run("Rejected");
    const review = await reviewOf(id);
    const decision = { action: "reject", reason: "too dear", digest: review.digest };
    await oven.call("POST", `reviews/${review.id}/decide`, decision);
    await expect
      .poll(async () => (await oven.call("GET", `agent-workflow-executions/${id}`)).body)
      .toMatchObject({
        status: "failed",
        errorInfo: { code: "BUDGET_EXHAUSTED", message: expect.stringMatching(/too dear/) },
      });
    expect(sent() - before).toBe(1);
  });
});

it("a run's budget is that of its whole family: what a child spends counts for the run that called it", async () => {
  const oven = await startAgentOven(() => ({ text: "Said.", usage: { input: 60, output: 60 } }));
  try {
    const input = { prompt: "Say it", model: "openai:house-model", maxOutputTokens: 50 };
    const make = async (name: string, states: object) =>
      (await oven.call("POST", "agent-workflows", { name, definition: { initial: "first", states } })).body.id;
    const ask = { invoke: { src: "agent.llm", input, onDone: "done" } };
    const child = await make("Child", { first: ask, done: { type: "final" } });
    const parent = await make("Parent", {
      first: {
        invoke: {
          src: "core.callWorkflow",
          input: { kind: "agent-workflow", workflow: "child", input: {} },
          onDone: "second",
        },
      },
      second: ask,
      done: { type: "final" },
    });
    expect(child).not.toBe(parent);
    const budget = { name: "Runs", scope: "run", period: "run", limitTokens: 100, action: "block" };
    expect((await oven.call("POST", "ai-budgets", budget)).status).toBe(201);
    const run = (await oven.call("POST", `agent-workflows/${parent}/execute?wait=20`, {})).body;
    expect(run, JSON.stringify(run.errorInfo)).toMatchObject({
      status: "failed",
      errorInfo: { code: "BUDGET_EXHAUSTED", nodeId: "second" },
    });
    expect(oven.server.requests).toHaveLength(1);
  } finally {
    await oven.stop();
  }
});

it("side by side, calls share what is left: a run spends at most one call more than its cap", async () => {
  const oven = await startAgentOven(() => ({ text: "Said.", usage: { input: 10, output: 50 } }));
  try {
    const input = { prompt: "Say it", model: "openai:house-model", maxOutputTokens: 50 };
    const branch = (name: string) => ({
      initial: name,
      states: {
        [name]: { invoke: { src: "agent.llm", input, onDone: `${name}_end` } },
        [`${name}_end`]: { type: "final" },
      },
    });
    const names = ["a", "b", "c", "d", "e", "f"];
    const states = {
      all: { type: "parallel", states: Object.fromEntries(names.map((n) => [`r_${n}`, branch(n)])), onDone: "done" },
      done: { type: "final" },
    };
    const { body } = await oven.call("POST", "agent-workflows", {
      name: "Wide",
      definition: { initial: "all", states },
    });
    const budget = { name: "Cap", scope: "run", period: "run", limitTokens: 150, action: "block" };
    expect((await oven.call("POST", "ai-budgets", budget)).status).toBe(201);
    const run = (await oven.call("POST", `agent-workflows/${body.id}/execute?wait=30`, {})).body;
    expect(run, JSON.stringify(run.errorInfo)).toMatchObject({
      status: "failed",
      errorInfo: { code: "BUDGET_EXHAUSTED" },
    });
    const spent = oven.server.requests.length * 60;
    expect(spent).toBeGreaterThan(0);
    expect(spent).toBeLessThanOrEqual(150 + 60);
  } finally {
    await oven.stop();
  }
});
