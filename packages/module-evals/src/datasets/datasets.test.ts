import { createHash, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startEvals, type TestEvals } from "../runs/testing/start-evals.ts";
import { ANSWER } from "../runs/testing/workflows.ts";

describe("datasets", () => {
  let evals: TestEvals;
  let call: TestEvals["call"];
  beforeAll(async () => {
    evals = await startEvals(() => ({ text: "Hello" }));
    call = evals.call;
    await call("POST", "agent-workflows", { name: "Answer", definition: ANSWER });
  });
  afterAll(() => evals.stop());

  const target = { kind: "agent-workflow", id: "answer" };
  const make = async (name: string) => (await call("POST", "eval-datasets", { name, target })).body;

  it("are made, changed and deleted with their cases, by id or slug", async () => {
    const { id, slug } = await make("First set");
    expect(slug).toBe("first-set");
    expect((await call("POST", "eval-datasets", { name: "First set", target })).body.error.code).toBe(
      "UNIQUE_VIOLATION",
    );
    expect((await call("POST", "eval-datasets", { name: "x", target: { kind: "agent", id: "none" } })).status).toBe(
      404,
    );
    const one = (await call("POST", `eval-datasets/${id}/cases`, { name: "one", input: { message: "a" } })).body;
    const two = (await call("POST", `eval-datasets/${slug}/cases`, { name: "two", input: {}, tags: ["t"] })).body;
    expect([one.position, two.position]).toEqual([0, 1]);
    expect((await call("POST", `eval-datasets/${id}/cases`, { name: "two", input: {} })).body.error.code).toBe(
      "UNIQUE_VIOLATION",
    );
    const bad = { expectations: [{ type: "cel", expression: "(" }] };
    expect((await call("PUT", `eval-cases/${two.id}`, bad)).body.error).toMatchObject({ code: "INVALID_EXPECTATION" });
    const changed = await call("PUT", `eval-cases/${two.id}`, { ...two, name: "second", position: 5 });
    expect(changed.body).toMatchObject({ name: "second", position: 5, tags: ["t"] });
    expect((await call("GET", `eval-cases?filter={"datasetId":${id}}`)).body).toHaveLength(2);
    await call("DELETE", `eval-cases/${one.id}`);
    const renamed = await call("PUT", `eval-datasets/${id}`, {
      ...(await call("GET", `eval-datasets/${id}`)).body,
      name: "Renamed",
    });
    expect(renamed.body).toMatchObject({ name: "Renamed", cases: 1, slug });
    expect((await call("GET", 'eval-datasets?filter={"q":"renam"}')).body).toHaveLength(1);
    expect((await call("DELETE", `eval-datasets/${slug}`)).status).toBe(204);
    expect((await call("GET", `eval-cases/${two.id}`)).status).toBe(404);
  });

  it("are run with the cases that are enabled and have the tags asked for, or refused when there are none", async () => {
    const { id } = await make("Tagged");
    expect((await call("POST", `eval-datasets/${id}/run`, {})).body.error.code).toBe("EVAL_WITHOUT_CASES");
    for (const [name, tag, enabled] of [
      ["a", "x", true],
      ["b", "y", true],
      ["c", "x", false],
    ] as const)
      await call("POST", `eval-datasets/${id}/cases`, { name, input: { message: name }, tags: [tag], enabled });
    const { results } = await evals.run(id, { tags: ["x", "z"] });
    expect(results.map(({ caseName }) => caseName)).toEqual(["a"]);
    expect((await call("POST", `eval-datasets/${id}/run`, { tags: ["z"] })).status).toBe(422);
    expect((await call("POST", `eval-datasets/${id}/run`, { recording: "r" })).body.error.code).toBe("INVALID_REQUEST");
  });

  it("go out as a file and come in again, elsewhere or over what was there", async () => {
    const { id } = await make("Travels");
    const expectations = [{ type: "contains", path: "$", text: "hello", mode: "all", caseSensitive: false }];
    const decisions = [{ node: "review", action: "approve" }];
    await call("POST", `eval-datasets/${id}/cases`, { name: "kept", input: { message: "a" }, expectations, decisions });
    await call("POST", `eval-datasets/${id}/cases`, { name: "left out", input: {} });
    const { body: file } = await call("GET", `eval-datasets/${id}/export`);
    expect(file).toMatchObject({ format: "oven.eval-dataset", slug: "travels", target: { id: "answer" } });
    const taken = { ...file, slug: "arrived", cases: file.cases.slice(0, 1) };
    expect((await call("POST", "eval-datasets/import", taken)).body).toMatchObject({ slug: "arrived", cases: 1 });
    expect((await call("GET", "eval-datasets/arrived/export")).body).toEqual(taken);
    // Over what was there: the same dataset and case, without the one that the file does not name.
    const before = (await call("GET", `eval-cases?filter={"datasetId":${id}}`)).body;
    const over = await call("POST", "eval-datasets/import", { ...taken, slug: "travels", name: "Travels again" });
    expect(over.body).toMatchObject({ id, name: "Travels again", cases: 1 });
    expect((await call("GET", `eval-cases?filter={"datasetId":${id}}`)).body[0].id).toBe(before[0].id);
    const twice = { ...taken, cases: [taken.cases[0], taken.cases[0]] };
    expect((await call("POST", "eval-datasets/import", twice)).body.error.message).toContain(
      "Two cases are called kept",
    );
  });

  it("give and take their cases as lines of JSON; a line that does not fit is named, and nothing is taken", async () => {
    const { id } = await make("Lines");
    await call("POST", `eval-datasets/${id}/cases`, { name: "stays", input: { message: "1" } });
    const take = (lines: string) => call("POST", `eval-datasets/${id}/cases/import`, { lines });
    const good = ['{"name":"new","input":{"message":"2"}}', "", '{"name":"stays","input":{"message":"3"}}'].join("\n");
    expect((await take(good)).body.cases).toBe(2);
    const text = await (await evals.fetch(`eval-datasets/${id}/export?format=jsonl`)).text();
    const cases = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(cases.map(({ name, input }) => [name, input.message])).toEqual([
      ["stays", "3"],
      ["new", "2"],
    ]);
    const bad = await take('{"name":"third","input":{}}\n{"name":"fourth"}');
    expect(bad.body.error).toMatchObject({ code: "INVALID_REQUEST", message: expect.stringContaining("Line 2: ") });
    expect((await take("no")).body.error.message).toBe("Line 1: this is not JSON");
    const long = await take('{"name":"third","input":{"id":7615917337495251231}}');
    expect(long.body.error.message).toMatch(/^Line 1: .*7615917337495251231 at \$\.input\.id/);
    expect((await call("GET", `eval-datasets/${id}`)).body.cases).toBe(2);
  });

  it("get cases from past runs: what was asked, and that it is the same again", async () => {
    const { id } = await make("Past");
    const past = async (workflow: string, input: object) =>
      (await call("POST", `agent-workflows/${workflow}/execute?wait=30`, { input })).body;
    const run = await past("answer", { message: "Hi" });
    const from = (body: object) => call("POST", `eval-datasets/${id}/cases/from-execution`, body);
    const { body: made } = await from({ executionId: run.id });
    expect(made).toMatchObject({
      name: `Execution ${run.id}`,
      input: { message: "Hi" },
      expectations: [{ type: "exact", path: "$", value: { reply: "Hello" } }],
    });
    const failed = await past("answer", {});
    expect((await from({ executionId: failed.id, name: "fails" })).body.expectations).toEqual([
      { type: "status", status: "failed", error: failed.errorInfo.code },
    ]);
    expect((await evals.run(id)).run.passRate).toBe(1);
    await call("POST", "agent-workflows", { name: "Other", definition: { ...ANSWER } });
    const other = await past("other", { message: "Hi" });
    expect((await from({ executionId: other.id })).body.error.code).toBe("NOT_OF_TARGET");
    expect((await from({ executionId: 999_999 })).status).toBe(404);
    const wait = { initial: "wait", states: { wait: { on: { go: "done" } }, done: { type: "final" } } };
    await call("PUT", "agent-workflows/answer", { definition: wait });
    const waiting = await past("answer", {});
    expect((await from({ executionId: waiting.id })).body.error.code).toBe("STILL_RUNNING");
    const expectations = [{ type: "status", status: "paused" }];
    expect((await from({ executionId: waiting.id, expectations })).body).toMatchObject({ expectations });
    await call("PUT", "agent-workflows/answer", { definition: ANSWER });
  });

  it("get cases from past runs of agents, as they can be asked again", async () => {
    await call("POST", "agents", { name: "Helper", model: "openai:house-model" });
    const { body: set } = await call("POST", "eval-datasets", {
      name: "Talk",
      target: { kind: "agent", id: "helper" },
    });
    const { body: reply } = await call("POST", "agents/helper/invoke", { message: "Hi" });
    const { body: made } = await call("POST", `eval-datasets/${set.id}/cases/from-execution`, {
      executionId: reply.run.id,
    });
    expect(made.input).toEqual({ messages: [{ role: "user", content: "Hi" }], parameters: {} });
    expect((await evals.run(set.id)).run.passRate).toBe(1);
    const { body: ofWorkflow } = await call("POST", "agent-workflows/answer/execute?wait=30", {
      input: { message: "Hi" },
    });
    const wrong = await call("POST", `eval-datasets/${set.id}/cases/from-execution`, { executionId: ofWorkflow.id });
    expect(wrong.body.error.code).toBe("NOT_OF_TARGET");
  });

  it("are run only by who may run what they are about", async () => {
    const { id } = await make("Guarded");
    await call("POST", `eval-datasets/${id}/cases`, { name: "a", input: { message: "a" } });
    const keyOf = async (permissions: Record<string, string[]>) => {
      const key = `oven_test_${randomUUID()}`;
      const [user] = await evals.db.query<{ id: number }>("select min(id)::int as id from users");
      await evals.db.query(
        "insert into api_keys (name, key, reference_id, permissions, tenant_id) values ('test', $1, $2::text, $3, 1)",
        [createHash("sha256").update(key).digest("base64url"), user?.id, JSON.stringify(permissions)],
      );
      return { key };
    };
    const evaluator = await keyOf({ evals: ["*"] });
    const refused = await call("POST", `eval-datasets/${id}/run`, {}, evaluator);
    expect([refused.status, refused.body.error.message]).toEqual([
      403,
      expect.stringContaining("agent-workflows.execute"),
    ]);
    const { body: past } = await call("POST", "agent-workflows/answer/execute?wait=30", { input: { message: "Hi" } });
    const from = await call("POST", `eval-datasets/${id}/cases/from-execution`, { executionId: past.id }, evaluator);
    expect(from.status).toBe(403);
    const runner = await keyOf({ evals: ["*"], "agent-workflows": ["execute"] });
    expect((await call("POST", `eval-datasets/${id}/run`, {}, runner)).status).toBe(202);
    const reader = await keyOf({ evals: ["read"], "agent-workflows": ["*"] });
    expect((await call("POST", `eval-datasets/${id}/run`, {}, reader)).status).toBe(403);
  });
});
