import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { lastOf, startEvals, type TestEvals } from "./runs/testing/start-evals.ts";
import { ANSWER } from "./runs/testing/workflows.ts";

describe.each(testDatabases(inject("postgresUrl")))("datasets on $name", ({ open }) => {
  let database: TestDatabase;
  let evals: TestEvals;
  beforeAll(async () => {
    database = await open();
    evals = await startEvals(({ body }) => ({ text: `You said ${lastOf(body)}` }), { db: database.db });
    await evals.call("POST", "agent-workflows", { name: "Answer", definition: ANSWER });
  });
  afterAll(async () => {
    await evals.stop();
    await database.close();
  });

  it("are run case by case against the published version, and say what each case showed", async () => {
    const target = { kind: "agent-workflow", id: "answer" };
    const { body: dataset } = await evals.call("POST", "eval-datasets", { name: "Greetings", target });
    expect(dataset).toMatchObject({ slug: "greetings", cases: 0, allowEffects: false });
    const add = (body: object) => evals.call("POST", "eval-datasets/greetings/cases", body);
    await add({
      name: "exact",
      input: { message: "Hi" },
      expectations: [{ type: "exact", value: { reply: "You said Hi" } }],
    });
    await add({
      name: "part",
      input: { message: "Yo" },
      expectations: [
        { type: "contains", path: "$.reply", text: "YOU" },
        { type: "contains", text: ["nothing", "said"], mode: "all" },
      ],
    });
    await add({ name: "off", input: { message: "Off" }, enabled: false });
    const { run, results } = await evals.run("greetings");
    expect(run).toMatchObject({
      status: "completed",
      cases: 2,
      passed: 1,
      failed: 1,
      errors: 0,
      passRate: 0.5,
      target: { version: 1 },
    });
    expect(results.map(({ caseName, status, score }) => [caseName, status, score])).toEqual([
      ["exact", "passed", 1],
      ["part", "failed", 0.5],
    ]);
    expect(results[1]?.checks[1]).toMatchObject({
      passed: false,
      seen: { reply: "You said Yo" },
      reason: "Missing: nothing",
    });
    expect(run.tokens).toBeGreaterThan(0);
    const execution = await evals.call("GET", `agent-workflow-executions/${results[0]?.executionId}`);
    expect(execution.body).toMatchObject({ triggerEvent: "eval", input: { message: "Hi" } });
  });
});
