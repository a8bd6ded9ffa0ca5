import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lastOf, startEvals, type TestEvals } from "../runs/testing/start-evals.ts";
import { ANSWER } from "../runs/testing/workflows.ts";
import { isSampled } from "./is-sampled.ts";

const POLL = { interval: 20, timeout: 20_000 };

describe("judges of real runs", () => {
  let evals: TestEvals;
  /** What the model was asked to judge. */
  const judged: string[] = [];
  beforeAll(async () => {
    evals = await startEvals(({ body }) => {
      const last = lastOf(body);
      if (!last.includes('"rubric"')) return { text: last };
      judged.push(last);
      return { text: JSON.stringify({ score: last.includes("rude") ? 0.2 : 0.9, reason: "As the rubric says" }) };
    });
  });
  afterAll(() => evals.stop());

  async function publish(name: string): Promise<number> {
    const { status, body } = await evals.call("POST", "agent-workflows", { name, definition: ANSWER });
    expect(status, JSON.stringify(body)).toBe(201);
    return body.id;
  }
  async function run(workflow: number, message: string): Promise<number> {
    const { body } = await evals.call("POST", `agent-workflows/${workflow}/execute?wait=20`, { input: { message } });
    expect(body.status, JSON.stringify(body)).toBe("completed");
    return body.id;
  }
  async function judge(workflow: number, more: object = {}): Promise<number> {
    const target = { kind: "agent-workflow", id: workflow };
    const body = { target, name: "tone", rubric: "Is it polite?", path: "$.reply", model: "openai:house-model" };
    const made = await evals.call("POST", "score-judges", { ...body, percent: 100, ...more });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    return made.body.id;
  }
  const scoresOf = async (id: number) => (await evals.call("GET", `agent-workflow-executions/${id}/scores`)).body;
  const todayOf = async (id: number) => (await evals.call("GET", `score-judges/${id}`)).body.today;

  it("score completed runs, with the reason as the comment, and each run once", async () => {
    const workflow = await publish("Judged");
    const id = await judge(workflow);
    const [polite, rude] = [await run(workflow, "good day"), await run(workflow, "rude")];
    await expect.poll(() => todayOf(id), POLL).toEqual({ scored: 2, waiting: 0, failed: 0 });
    expect(await scoresOf(polite)).toMatchObject([
      { name: "tone", value: 0.9, source: "judge", scorer: `judge:${id}`, comment: "As the rubric says" },
    ]);
    expect(await scoresOf(rude)).toMatchObject([{ value: 0.2 }]);
    expect(judged.filter((asked) => asked.includes("good day"))).toHaveLength(1);
    const summary = (await evals.call("GET", `agent-workflows/${workflow}/scores`)).body;
    expect(summary).toMatchObject([{ name: "tone", version: 1, count: 2, up: 1, down: 1 }]);
  });

  it("take their sample by the ids of runs, no more a day than they may, and no tests or cases of evaluations", async () => {
    const workflow = await publish("Sampled");
    const half = await judge(workflow, { percent: 50 });
    const few = await judge(workflow, { name: "few", maxPerDay: 1 });
    const runs: number[] = [];
    for (let n = 0; n < 6; n++) runs.push(await run(workflow, `run ${n}`));
    await evals.take({ slug: "cases", target: { kind: "agent-workflow", id: "sampled" }, cases: [] });
    await evals.call("POST", "eval-datasets/cases/cases", { name: "One", input: { message: "a case" } });
    await evals.run("cases");
    const last = await run(workflow, "the last one");
    runs.push(last);
    const expected = runs.filter((id) => isSampled(half, id, 50));
    await expect.poll(() => todayOf(half), POLL).toEqual({ scored: expected.length, waiting: 0, failed: 0 });
    await expect.poll(() => todayOf(few), POLL).toEqual({ scored: 1, waiting: 0, failed: 0 });
    const scored = [];
    for (const id of runs)
      if ((await scoresOf(id)).some(({ name }: { name: string }) => name === "tone")) scored.push(id);
    expect(scored).toEqual(expected);
    expect(judged.some((asked) => asked.includes("a case"))).toBe(false);
  });

  it("spend no more than budgets let them, and say so", async () => {
    const workflow = await publish("Poor");
    const id = await judge(workflow);
    // What the run itself asks of the model spends it.
    const budget = {
      name: "Poor",
      scope: "workflow",
      target: `agent-workflow:${workflow}`,
      period: "day",
      limitTokens: 1,
    };
    const made = await evals.call("POST", "ai-budgets", budget);
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const before = await run(workflow, "first");
    await expect.poll(() => todayOf(id), POLL).toEqual({ scored: 0, waiting: 0, failed: 1 });
    const { body } = await evals.call("GET", `score-judges/${id}`);
    expect(body.lastError).toMatchObject({ code: "BUDGET_EXHAUSTED", executionId: before });
    expect(await scoresOf(before)).toEqual([]);
  });

  it("are stopped, changed and deleted; what they gave stays", async () => {
    const workflow = await publish("Changed");
    const id = await judge(workflow);
    const first = await run(workflow, "one");
    await expect.poll(async () => (await scoresOf(first)).length, POLL).toBe(1);
    const refused = await evals.call("PUT", `score-judges/${id}`, { path: "$.[" });
    expect([refused.status, refused.body.error.code]).toEqual([400, "INVALID_EXPECTATION"]);
    await evals.call("PUT", `score-judges/${id}`, { enabled: false });
    const other = await judge(workflow, { name: "other" });
    const unjudged = await run(workflow, "two");
    await expect.poll(() => todayOf(other), POLL).toMatchObject({ scored: 1 });
    await evals.call("PUT", `score-judges/${id}`, { enabled: true, rubric: "Is it short?" });
    const third = await run(workflow, "three");
    await expect.poll(async () => (await scoresOf(third)).length, POLL).toBe(2);
    expect(judged.some((asked) => asked.includes("Is it short?") && asked.includes("three"))).toBe(true);
    expect(await scoresOf(unjudged)).toMatchObject([{ name: "other" }]);
    expect((await evals.call("DELETE", `score-judges/${id}`)).status).toBe(204);
    expect(await scoresOf(first)).toHaveLength(1);
  });
});
