import type { EvalResult } from "@oven/contract/eval";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { lastOf, startEvals, type TestEvals } from "./testing/start-evals.ts";
import { ANSWER, OUTER, REVIEWED, SHOP } from "./testing/workflows.ts";

describe("runs of datasets", () => {
  let evals: TestEvals;
  let count = 0;
  beforeAll(async () => {
    // Every answer is another one, so that a replayed one can be told from one that was asked for.
    evals = await startEvals(({ body }) => {
      count += 1;
      const last = lastOf(body);
      const tool = /^(get|send|pay) (\d)/.exec(last);
      if (tool)
        return { toolCalls: [{ id: `call-${count}`, name: `shop_${tool[1]}`, arguments: { id: Number(tool[2]) } }] };
      if (last.includes('"rubric"'))
        return { text: JSON.stringify({ score: last.includes("Bad") ? 0.2 : 0.9, reason: `Judged ${count}` }) };
      return { text: `${last.slice(0, 200)} (${count})` };
    });
    const workflows = {
      Answer: ANSWER,
      Shop: SHOP,
      Reviewed: REVIEWED,
      Outer: OUTER("answer"),
      "Outer shop": OUTER("shop"),
    };
    for (const [name, definition] of Object.entries(workflows)) {
      const { status, body } = await evals.call("POST", "agent-workflows", { name, definition });
      if (status !== 201) throw new Error(JSON.stringify(body));
    }
  });
  beforeEach(() => {
    evals.server.requests.length = 0;
    evals.calls.length = 0;
  });
  afterAll(() => evals.stop());

  const dataset = (slug: string, workflow: string, cases: object[], more: object = {}) =>
    evals.take({
      ...{ slug, target: { kind: "agent-workflow", id: workflow }, ...more },
      // cast: what a case leaves out has a default on the wire
      cases: cases as Parameters<TestEvals["take"]>[0]["cases"] & object,
    });
  const brief = (results: readonly EvalResult[]) =>
    results.map(({ caseName, status, error }) => [caseName, error?.code ?? status]);
  const asks = (name: string, message: string, more: object = {}) => ({ name, input: { message }, ...more });

  it("refuse tools that act, and let them act where the dataset allows it", async () => {
    const cases = [
      asks("reads", "get 1", { expectations: [{ type: "toolCalled", tool: "shop.get", arguments: { id: 1 } }] }),
      asks("acts", "send 2", { expectations: [{ type: "toolCalled", tool: "shop.send" }] }),
    ];
    await dataset("effects", "shop", cases);
    const kept = await evals.run("effects");
    expect(brief(kept.results)).toEqual([
      ["reads", "passed"],
      ["acts", "passed"],
    ]);
    expect(evals.calls).toEqual([["shop.get", { id: 1 }]]);
    // The model was told so, and went on.
    expect(JSON.stringify(evals.server.requests.map(({ body }) => body))).toContain("this run is to have no effects");
    await dataset("effects", "shop", cases, { allowEffects: true });
    await evals.run("effects", { concurrency: 1 });
    expect(evals.calls.slice(1)).toEqual([
      ["shop.get", { id: 1 }],
      ["shop.send", { id: 2 }],
    ]);
  });

  it("refuse nodes that act, unless the case pins what they answer", async () => {
    const call = { src: "core.http", input: { url: "https://example.com/" }, onDone: "done" };
    const definition = {
      initial: "call",
      states: { call: { invoke: call }, done: { type: "final", output: "$.call_output" } },
    };
    await evals.call("POST", "agent-workflows", { name: "Caller", definition });
    await dataset("nodes", "caller", [
      { name: "plain", input: {} },
      {
        name: "pinned",
        input: {},
        pins: { call: { status: 201 } },
        expectations: [{ type: "exact", path: "$.status", value: 201 }],
      },
      { name: "expected", input: {}, expectations: [{ type: "status", status: "failed", error: "EFFECT_REFUSED" }] },
    ]);
    expect(brief((await evals.run("nodes")).results)).toEqual([
      ["plain", "EFFECT_REFUSED"],
      ["pinned", "passed"],
      ["expected", "passed"],
    ]);
  });

  it("answer reviews by the case's decisions, visit by visit; without any the case has not completed", async () => {
    const reject = { node: "review", action: "reject", reason: "warmer" };
    const edit = { node: "review", action: "edit", data: "Dear Ada" };
    await dataset("reviews", "reviewed", [
      asks("decided", "Hi", {
        decisions: [reject, edit],
        expectations: [{ type: "exact", value: { reply: "Dear Ada" } }],
      }),
      asks("approved", "Hi", { decisions: [{ action: "approve" }], expectations: [{ type: "contains", text: "Hi" }] }),
      asks("expected", "Hi", { expectations: [{ type: "paused", node: "review" }] }),
      asks("undecided", "Hi"),
    ]);
    const { results } = await evals.run("reviews");
    expect(brief(results)).toEqual([
      ["decided", "passed"],
      ["approved", "passed"],
      ["expected", "passed"],
      ["undecided", "CASE_PAUSED"],
    ]);
    expect(results[3]?.error?.message).toContain("review (Send it?)");
    expect(evals.server.requests.map(({ body }) => lastOf(body))).toContain("Not so: warmer");
    // What nobody will answer is not left in people's lists.
    await expect.poll(async () => (await evals.call("GET", 'reviews?filter={"status":"open"}')).body).toEqual([]);
  });

  it("answer the review of a tool call, and hold what acts back all the same", async () => {
    // Also in a run inside the run, which its parent only hears of later.
    for (const workflow of ["shop", "outer-shop"]) {
      await dataset("approvals", workflow, [
        asks("approved", "pay 3", {
          decisions: [{ tool: "shop.pay", action: "approve" }],
          expectations: [{ type: "toolCalled", tool: "shop.pay", arguments: { id: 3 } }],
        }),
        asks("waiting", "pay 4", { expectations: [{ type: "paused", tool: "shop.pay" }] }),
      ]);
      expect(brief((await evals.run("approvals")).results)).toEqual([
        ["approved", "passed"],
        ["waiting", "passed"],
      ]);
    }
    expect(evals.calls).toEqual([]);
  });

  it("can be replayed without a model: twice the same, judges and runs inside runs too", async () => {
    const judge = { type: "judge", path: "$.reply", rubric: "Is it polite?", model: "openai:house-model" };
    const cases = [
      asks("good", "Good", { expectations: [judge] }),
      asks("bad", "Bad", { expectations: [judge, { type: "contains", text: "bad" }] }),
    ];
    for (const workflow of ["answer", "outer"]) await dataset(`judged-${workflow}`, workflow, cases);
    for (const slug of ["judged-answer", "judged-outer"]) {
      evals.server.requests.length = 0;
      const recorded = await evals.run(slug, { mode: "record" });
      expect(brief(recorded.results)).toEqual([
        ["good", "passed"],
        ["bad", "failed"],
      ]);
      expect(recorded.results[1]?.checks[0]).toMatchObject({ passed: false, score: expect.closeTo(0.2) });
      expect(recorded.results[1]?.score).toBeCloseTo(0.6);
      expect(evals.server.requests).toHaveLength(4);
      expect(evals.server.requests.map(({ body }) => body.response_format).filter(Boolean)).toHaveLength(2);
      evals.server.requests.length = 0;
      const [first, second] = [await evals.run(slug, { mode: "replay" }), await evals.run(slug, { mode: "replay" })];
      expect(evals.server.requests).toEqual([]);
      expect(toComparable(first.results)).toEqual(toComparable(recorded.results));
      expect(toComparable(second.results)).toEqual(toComparable(first.results));
      const { body } = await evals.call("GET", `eval-runs/compare?a=${recorded.run.id}&b=${second.run.id}`);
      expect(body.cases.map(({ change }: { change: string }) => change)).toEqual(["same", "same"]);
    }
  });

  it("name the call that a recording does not have", async () => {
    await dataset("missing", "answer", [asks("one", "One")]);
    await evals.run("missing", { mode: "record", recording: "first" });
    const { results } = await evals.run("missing", { mode: "replay", recording: "second" });
    expect(results[0]?.error).toEqual({
      code: "RECORDING_MISSING",
      message: "The recording second has no answer to this request (missing/one/ask/1)",
    });
    expect((await evals.run("missing", { mode: "replay", recording: "first" })).run.passRate).toBe(1);
  });

  it("take an earlier version, or another workflow of the same kind, and compare them", async () => {
    const definition = { ...ANSWER, states: { ...ANSWER.states, done: { type: "final", output: { reply: "fixed" } } } };
    const made = await evals.call("POST", "agent-workflows", { name: "Changing", definition: ANSWER });
    await evals.call("PUT", `agent-workflows/${made.body.id}`, { definition });
    await dataset("versions", "changing", [
      asks("greets", "Hello", { expectations: [{ type: "contains", text: "hello" }] }),
    ]);
    const [old, current] = [await evals.run("versions", { version: 1 }), await evals.run("versions")];
    expect([old.run.target.version, old.run.passRate]).toEqual([1, 1]);
    expect([current.run.target.version, current.run.passRate]).toEqual([2, 0]);
    const { body } = await evals.call("GET", `eval-runs/compare?a=${old.run.id}&b=${current.run.id}`);
    expect(body).toMatchObject({
      regressions: ["greets"],
      summary: { a: { passRate: 1 }, b: { passRate: 0, score: 0 } },
    });
    expect((await evals.run("versions", { target: "answer" })).run.passRate).toBe(1);
    expect((await evals.call("POST", "eval-datasets/versions/run", { version: 3 })).status).toBe(404);
    const other = await dataset("others", "answer", [asks("x", "x")]);
    const { run } = await evals.run(other);
    expect((await evals.call("GET", `eval-runs/compare?a=${old.run.id}&b=${run.id}`)).body.error.code).toBe(
      "INVALID_REQUEST",
    );
  });

  it("run agents outside of any conversation, earlier versions of them too", async () => {
    const agent = { name: "Helper", model: "openai:house-model", systemPrompt: "Be short." };
    const { body: made } = await evals.call("POST", "agents", agent);
    await evals.call("PUT", `agents/${made.id}`, { systemPrompt: "Be long." });
    await dataset(
      "agents",
      "unused",
      [
        { name: "asks", input: { message: "Hi" } },
        { name: "mistaken", input: { text: "Hi" } },
      ],
      {
        target: { kind: "agent", id: "helper" },
      },
    );
    const { run, results } = await evals.run("agents", { concurrency: 1 });
    expect(run.target).toMatchObject({ kind: "agent", version: 2 });
    expect(brief(results)).toEqual([
      ["asks", "passed"],
      ["mistaken", "INVALID_INPUT"],
    ]);
    await evals.run("agents", { version: 1 });
    const systems = evals.server.requests.map(({ body }) => JSON.stringify(body.messages));
    expect(systems).toEqual([expect.stringContaining("Be long."), expect.stringContaining("Be short.")]);
    const execution = await evals.call("GET", `agent-workflow-executions/${results[0]?.executionId}`);
    expect(execution.body).toMatchObject({ agentId: made.id, sessionId: null, triggerEvent: "eval" });
    expect((await evals.call("GET", "agent-sessions")).body).toEqual([]);
    // It answers no caller: the door of those who talk to the agent does not show it.
    expect((await evals.call("GET", `agents/helper/runs/${results[0]?.executionId}`)).status).toBe(404);
  });

  it("end as errors when they are cancelled, and take too long only so long", async () => {
    const wait = { initial: "wait", states: { wait: { on: { go: "done" } }, done: { type: "final" } } };
    const delay = {
      initial: "wait",
      states: {
        wait: { invoke: { src: "core.delay", input: { ms: "PT10M" }, onDone: "done" } },
        done: { type: "final" },
      },
    };
    await evals.call("POST", "agent-workflows", { name: "Waiting", definition: wait });
    await evals.call("POST", "agent-workflows", { name: "Slow", definition: delay });
    await dataset("waiting", "waiting", [{ name: "waits", input: {} }]);
    expect(brief((await evals.run("waiting")).results)).toEqual([["waits", "CASE_PAUSED"]]);
    await dataset("slow", "slow", [{ name: "slow", input: {} }], { timeoutMs: 1_000 });
    expect(brief((await evals.run("slow")).results)).toEqual([["slow", "CASE_TIMEOUT"]]);
    await dataset("slow", "slow", [{ name: "slow", input: {} }]);
    const { body: started } = await evals.call("POST", "eval-datasets/slow/run", {});
    await expect.poll(async () => (await evals.results(started.id))[0]?.executionId).toEqual(expect.any(Number));
    expect((await evals.call("DELETE", `eval-runs/${started.id}`)).body.error.code).toBe("STILL_RUNNING");
    const { body: cancelled } = await evals.call("POST", `eval-runs/${started.id}/cancel`);
    expect(cancelled).toMatchObject({ status: "cancelled", errors: 1 });
    const [result] = await evals.results(started.id);
    expect(result).toMatchObject({ status: "error", error: { code: "CANCELLED" } });
    const execution = () => evals.call("GET", `agent-workflow-executions/${result?.executionId}`);
    await expect.poll(async () => (await execution()).body.status).toBe("cancelled");
    expect((await evals.call("POST", `eval-runs/${started.id}/cancel`)).body.error.code).toBe("ALREADY_ENDED");
    expect((await evals.call("DELETE", `eval-runs/${started.id}`)).status).toBe(204);
  });
});

/** All that may not differ between two replays. */
function toComparable(results: readonly EvalResult[]): object[] {
  return results.map(({ id, runId, executionId, durationMs, startedAt, endedAt, costMicros, ...rest }) => rest);
}
