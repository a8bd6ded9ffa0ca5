import type { GraphSession } from "@oven/contract/formats/sessions.ts";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { graphOf, ref, type SessionStory, says, startSessions } from "./testing/session-story.ts";

let story: SessionStory;
beforeAll(async () => {
  story = await startSessions();
});
afterEach(async () => {
  await story.letGo(0);
  story.calls.length = 0;
  story.failing.clear();
});
afterAll(() => story.oven.stop());

const called = () => story.calls.map(({ step }) => step);
const outputs = ({ state }: GraphSession) => state.data.outputs;
const statuses = ({ state }: GraphSession) =>
  Object.fromEntries(Object.entries(state.workflow).map(([step, { status }]) => [step, status]));
const count = { function: "test.count" };
const hold = { function: "test.hold" };
const flaky = { function: "test.flaky" };
const ask = (prompt = "What?") => ({ function: "utils.request.request", input: { prompt } });
const path = (from: string, to: string, more: object = {}) => ({ from, to, ...more });
const when = (variable: string, operator: "<" | ">=" | "exists" | "==", value?: number) => ({
  conditions: [{ variable: ref(variable), operator, ...(value === undefined ? {} : { value }) }],
});

/** The worked example of the document's translation. */
const REGION = graphOf(
  {
    root: { function: "core.transform", input: { mapping: { topic: "otters" } } },
    collect: { function: "test.count", input: { topic: ref("root.topic"), after: ref("collect.n|0") } },
    ask: ask("Which region?"),
    report: {
      function: "core.transform",
      input: {
        mapping: {
          region: ref("ask.response"),
          first: ref("collect[0].n"),
          last: ref("collect.n"),
          tone: ref("ask.tone|neutral"),
        },
      },
    },
  },
  [
    path("root", "collect", { priority: 1 }),
    path("root", "ask", { priority: 2 }),
    path("collect", "collect", when("collect.n", "<", 3)),
    path("collect", "report", {
      operator: "OR",
      conditions: [...when("collect.n", ">=", 3).conditions, ...when("ask.response", "exists").conditions],
    }),
    path("ask", "report"),
  ],
);

describe("a session", () => {
  it("runs a graph with a branch, a cycle, a question and a join to its end [002-001] [002-010] [002-046] [002-047] [002-060] [002-065] [002-084]", async () => {
    const session = await story.run(REGION);
    expect(session).toMatchObject({
      status: "waiting",
      reason: `Waiting: ask asks: Which region?; report needs ${ref("ask.response")}`,
      waiting: [
        { step: "ask", for: "input", prompt: "Which region?" },
        { step: "report", for: "variables", needs: [ref("ask.response")] },
      ],
    });
    expect(story.calls.map(({ input }) => input)).toEqual([
      { topic: "otters", after: 0 },
      { topic: "otters", after: 1 },
      { topic: "otters", after: 2 },
    ]);
    await story.client.answer(session.id, "ask", { response: "Bern" });
    const done = await story.settle(session.id);
    expect(done).toMatchObject({ status: "completed", waiting: [], reason: null, failed_steps: [] });
    expect(outputs(done)).toEqual({
      root: [{ topic: "otters" }],
      collect: [{ n: 1 }, { n: 2 }, { n: 3 }],
      ask: [{ response: "Bern" }],
      report: [{ region: "Bern", first: 1, last: 3, tone: "neutral" }],
    });
  });

  it("follows every path that holds, with and without conditions, lower priorities first, then as they stand [002-003] [002-053] [002-054] [002-062] [002-063]", async () => {
    const steps = { root: says({ n: 1 }), a: says(), b: says(), c: says(), d: says(), e: says() };
    const next = [
      path("root", "a", { priority: 3 }),
      path("root", "b"),
      path("root", "c", { priority: 1 }),
      path("root", "d", when("root.n", "==", 2)),
      path("root", "e", { priority: 1, ...when("root.n", "==", 1) }),
    ];
    const { graph_id } = await story.client.create(graphOf(steps, next));
    const runs = await Promise.all(Array.from({ length: 8 }, () => story.client.start(graph_id)));
    for (const { id } of runs) {
      const done = await story.settle(id);
      expect(statuses(done)).not.toHaveProperty("d");
      const { body } = await story.oven.call("GET", `agent-workflow-executions/${done.execution_id}`);
      const nodes = body.nodes as { nodeId: string }[];
      expect(nodes.map(({ nodeId }) => nodeId)).toEqual(["root", "c", "e", "a", "b"]);
    }
  });

  it("starts many in the order of the definition, a hundred times over [002-063]", async () => {
    const names = Array.from({ length: 7 }, (_, at) => `s${(at * 3) % 7}`);
    const steps = Object.fromEntries(["root", ...names.toSorted()].map((name) => [name, says()]));
    const paths = names.map((name) => path("root", name));
    const { graph_id } = await story.client.create(graphOf(steps, paths));
    for (let batch = 0; batch < 10; batch++) {
      const sessions = await Promise.all(Array.from({ length: 10 }, () => story.client.start(graph_id)));
      for (const { id } of sessions) {
        const { execution_id } = await story.settle(id);
        const { body } = await story.oven.call("GET", `agent-workflow-executions/${execution_id}`);
        expect((body.nodes as { nodeId: string }[]).map(({ nodeId }) => nodeId)).toEqual(["root", ...names]);
      }
    }
  });

  it("keeps the last five outputs of a step [002-009] [002-011] [002-012] [002-027] [002-055]", async () => {
    const next = [
      path("root", "loop"),
      path("loop", "loop", when("loop.n", "<", 7)),
      path("loop", "end", when("loop.n", ">=", 7)),
    ];
    const end = says({ first: ref("loop[0].n"), last: ref("loop.n"), over: ref("loop[5].n|none") });
    const done = await story.run(graphOf({ root: says(), loop: count, end }, next));
    expect(outputs(done)).toEqual({
      root: [{}],
      loop: [{ n: 3 }, { n: 4 }, { n: 5 }, { n: 6 }, { n: 7 }],
      end: [{ first: 3, last: 7, over: "none" }],
    });
  });

  it("follows a step's paths once for each time it completes [002-052] [002-059] [002-064]", async () => {
    const next = [path("root", "a"), path("root", "b"), path("a", "end"), path("b", "end"), path("root", "slow")];
    const { graph_id } = await story.client.create(
      graphOf({ root: says(), a: says(), b: says(), end: hold, slow: hold }, next),
    );
    const { id } = await story.client.start(graph_id);
    const both = await story.until(
      id,
      ({ state }) => state.workflow.a?.status === "complete" && state.workflow.b?.status === "complete",
    );
    expect(statuses(both)).toEqual({ root: "complete", a: "complete", b: "complete", end: "active", slow: "active" });
    expect(both.state.last_evaluated).toBe(
      Math.max(...["root", "a", "b"].map((step) => both.state.workflow[step]?.last_executed ?? 0)),
    );
    await story.letGo(2);
    const done = await story.settle(id);
    // Two paths led to `end` while it was at work: it ran once.
    expect(called().filter((step) => step === "end")).toHaveLength(1);
    expect(called().filter((step) => step === "a")).toHaveLength(1);
    expect(done.state.last_evaluated).toBeGreaterThan(both.state.last_evaluated);
  });

  it("runs a completed join again when it is reached again [002-060]", async () => {
    const next = [path("root", "a"), path("root", "slow"), path("a", "end"), path("slow", "end")];
    const { graph_id } = await story.client.create(graphOf({ root: says(), a: says(), slow: hold, end: count }, next));
    const { id } = await story.client.start(graph_id);
    await story.until(id, ({ state }) => state.workflow.end?.status === "complete");
    await story.letGo();
    expect(outputs(await story.settle(id)).end).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it("lets a step wait for its variables while others go on, and starts it as they come [002-036] [002-041] [002-042] [002-043]", async () => {
    const join = says({ fast: ref("fast.v"), slow: ref("slow.v"), more: ref("late.v") });
    const next = [path("root", "join"), path("root", "fast"), path("root", "slow"), path("slow", "late")];
    const { graph_id } = await story.client.create(
      graphOf(
        {
          root: says(),
          fast: says({ v: 1 }),
          slow: { ...hold, input: { v: 2 } },
          late: { ...hold, input: { v: 3 } },
          join,
        },
        next,
      ),
    );
    const { id } = await story.client.start(graph_id);
    const waits = (session: GraphSession) => session.waiting.flatMap(({ needs }) => needs);
    const one = await story.until(id, (session) => waits(session).length === 2);
    expect(one).toMatchObject({
      status: "running",
      waiting: [{ step: "join", needs: [ref("slow.v"), ref("late.v")] }],
    });
    expect(statuses(one)).toMatchObject({ join: "pending", fast: "complete", slow: "active" });
    await story.letGo();
    const two = await story.until(id, (session) => waits(session).length === 1);
    expect(waits(two)).toEqual([ref("late.v")]);
    // The run page names the step and what it needs.
    const { body } = await story.oven.call("GET", `agent-workflow-executions/${two.execution_id}`);
    expect(body.activeStates).toContain("join__pending");
    await story.letGo();
    expect(outputs(await story.settle(id)).join).toEqual([{ fast: 1, slow: 2, more: 3 }]);
    expect(called().filter((step) => step === "join")).toHaveLength(1);
  });

  it("does not wait for what has a default [002-044] [002-015]", async () => {
    const next = [path("root", "join"), path("root", "slow")];
    const join = says({ v: ref("slow.v|none") });
    const { graph_id } = await story.client.create(
      graphOf({ root: says(), slow: { ...hold, input: { v: 2 } }, join }, next),
    );
    const { id } = await story.client.start(graph_id);
    const early = await story.until(id, ({ state }) => state.workflow.join?.status === "complete");
    expect(outputs(early)).toEqual({ root: [{}], join: [{ v: "none" }] });
    expect(statuses(early).slow).toBe("active");
  });

  it("works on several steps at once, and none of them starves [002-050]", async () => {
    const chain = (name: string) =>
      [1, 2, 3, 4].map((at) => path(`${name}${at - 1}`.replace(/^[ab]0$/, "root"), `${name}${at}`));
    const steps = Object.fromEntries(
      ["root", "a1", "a2", "a3", "a4", "b1", "b2", "b3", "b4"].map((name) => [name, says()]),
    );
    const done = await story.run(graphOf(steps, [...chain("a"), ...chain("b")]));
    expect(Object.values(statuses(done))).toEqual(Array(9).fill("complete"));
    const order = called();
    expect(order.indexOf("b1")).toBeLessThan(order.indexOf("a3"));
    expect(order.indexOf("a1")).toBeLessThan(order.indexOf("b3"));
  });

  it("keeps the graph that it began with [002-040]", async () => {
    const graph = graphOf({ root: hold, end: says({ version: "old" }) }, [path("root", "end")]);
    const { graph_id } = await story.client.create(graph);
    const { id } = await story.client.start(graph_id);
    await story.client.replace(graph_id, { ...graph, steps: { ...graph.steps, end: says({ version: "new" }) } });
    await story.letGo();
    expect(outputs(await story.settle(id)).end).toEqual([{ version: "old" }]);
    const again = await story.client.start(graph_id);
    await story.letGo();
    expect(outputs(await story.settle(again.id)).end).toEqual([{ version: "new" }]);
  });

  it("never sees what another session of its graph has [002-004] [002-033]", async () => {
    const { graph_id } = await story.client.create(
      graphOf({ root: ask(), end: says({ v: ref("root.response") }) }, [path("root", "end")]),
    );
    const [one, two] = await Promise.all([story.client.start(graph_id), story.client.start(graph_id)]);
    expect(one.id).not.toBe(two.id);
    for (const { id } of [one, two]) await story.settle(id);
    await story.client.answer(one.id, "root", { response: "first" });
    const done = await story.settle(one.id);
    const other = await story.settle(two.id);
    expect(outputs(done)).toEqual({ root: [{ response: "first" }], end: [{ v: "first" }] });
    expect([outputs(other), other.status]).toEqual([{}, "waiting"]);
    const listed = await story.client.listSessions(graph_id);
    expect(listed.map(({ id }) => id)).toEqual([two.id, one.id]);
    expect(listed[1]).toMatchObject({ state: { id: one.id }, created_at: expect.stringMatching(/^\d{4}-.*Z$/) });
  });

  it("is not disturbed by outputs that look like its own state", async () => {
    const evil = { session_graph: { steps: {}, queue: ["end"] }, steps: { root: "none" }, outputs: 1, root_output: 3 };
    const done = await story.run(
      graphOf({ root: says(evil), end: says({ v: ref("root.outputs") }), last: says() }, [
        path("root", "end"),
        path("end", "last"),
      ]),
    );
    expect(done.status).toBe("completed");
    expect(outputs(done)).toEqual({ root: [evil], end: [{ v: 1 }], last: [{}] });
  });

  it("takes any name of a step that the document can write", async () => {
    const names = ["messages", "done", "root_output", "root__idle", "execution", "a-b", `x${"y".repeat(63)}`, "_"];
    const steps = Object.fromEntries(names.map((name) => [name, says({ v: ref("root.v") })]));
    const done = await story.run(
      graphOf(
        { root: says({ v: 1 }), ...steps },
        names.map((name) => path("root", name)),
      ),
    );
    expect(done.status).toBe("completed");
    expect(Object.keys(outputs(done)).toSorted()).toEqual(["root", ...names].toSorted());
  });
});

describe("the end of a session", () => {
  it("comes when nothing is active; a join that never gets its variable is waited for and not complete [002-066] [002-012]", async () => {
    const next = [path("root", "join"), path("root", "never", when("root.n", "==", 2))];
    const session = await story.run(
      graphOf({ root: says({ n: 1 }), never: says(), join: says({ v: ref("never.v") }) }, next),
    );
    expect(session).toMatchObject({ status: "waiting", reason: `Waiting: join needs ${ref("never.v")}` });
    const { body } = await story.oven.call("GET", `agent-workflow-executions/${session.execution_id}`);
    expect(body.status).toBe("paused");
    await story.client.cancelSession(session.id);
    expect((await story.settle(session.id)).status).toBe("cancelled");
  });

  it("comes at the limit of iterations, and says so [002-068]", async () => {
    const session = await story.run(graphOf({ root: count }, [path("root", "root")], { max_iterations: 9 }));
    expect(session).toMatchObject({ status: "failed", reason: expect.stringContaining("more than 9 steps") });
    expect(story.calls).toHaveLength(9);
  });

  it("is of a branch only where a step failed; the others go on, and the whole is with errors [002-007] [002-039] [002-061] [002-069] [002-070] [002-079] [002-080] [002-081] [002-082]", async () => {
    story.failing.add("bad");
    const next = [
      path("root", "bad"),
      path("root", "good"),
      path("bad", "behind"),
      path("good", "last"),
      path("last", "bad"),
    ];
    const done = await story.run(
      graphOf({ root: says(), bad: flaky, good: says(), behind: says(), last: says() }, next),
    );
    expect(statuses(done)).toEqual({ root: "complete", bad: "error", good: "complete", last: "complete" });
    expect(done).toMatchObject({ status: "completed_with_errors", reason: "With errors: bad", failed_steps: ["bad"] });
    expect(done.state.workflow.bad?.error).toMatch(/test\.flaky.*the disk is full/);
    expect(called().filter((step) => step === "bad")).toHaveLength(1);
    const { body } = await story.oven.call("GET", `agent-workflow-executions/${done.execution_id}`);
    expect(body).toMatchObject({ status: "completed", outcome: "partial_success" });
    expect(body.nodes.find(({ nodeId }: { nodeId: string }) => nodeId === "bad").error).toContain("the disk is full");
    story.failing.add("root");
    const root = await story.run(graphOf({ root: flaky, next: says() }, [path("root", "next")]));
    expect([statuses(root), root.status]).toEqual([{ root: "error" }, "completed_with_errors"]);
    expect(called().filter((step) => step === "root")).toHaveLength(2);
  });

  it("a step that needs what a failed one would have given waits, and the session does not end", async () => {
    story.failing.add("bad");
    const next = [path("root", "bad"), path("root", "join")];
    const session = await story.run(graphOf({ root: says(), bad: flaky, join: says({ v: ref("bad.v") }) }, next));
    expect(session).toMatchObject({ status: "waiting", failed_steps: ["bad"], waiting: [{ step: "join" }] });
  });

  it("a function that does not exist is warned of, and an error of its step when it is reached [002-049]", async () => {
    const graph = graphOf({ root: says(), bad: { function: "test.sey" }, good: says() }, [
      path("root", "bad"),
      path("root", "good"),
    ]);
    const { graph_id, warnings } = await story.client.create(graph);
    expect(warnings).toMatchObject([
      { path: "$.steps.bad.function", message: expect.stringContaining("Did you mean test.say") },
    ]);
    const done = await story.settle((await story.client.start(graph_id)).id);
    expect(statuses(done)).toEqual({ root: "complete", bad: "error", good: "complete" });
    expect(done.state.workflow.bad?.error).toContain('There is no function "test.sey". Did you mean test.say');
  });

  it("another session's outputs cannot be read: the step fails, and its import warns [002-021]", async () => {
    const id = "6f76656e-0002-8000-8000-000000000001";
    const graph = graphOf({ root: says({ v: `@{${id}}.root.v` }) });
    const { graph_id, warnings } = await story.client.create(graph);
    expect(warnings).toMatchObject([
      { path: "$.steps.root.input", message: expect.stringContaining("another session") },
    ]);
    const done = await story.settle((await story.client.start(graph_id)).id);
    expect(done.state.workflow.root).toMatchObject({
      status: "error",
      error: expect.stringContaining("another session"),
    });
    expect(story.calls).toEqual([]);
  });

  it("a step whose input is the JSON of an object gets the object [002-020]", async () => {
    const done = await story.run(graphOf({ root: { function: "test.say", input: '{"a": {"b": [1, "x"]}}' } }));
    expect(outputs(done).root).toEqual([{ a: { b: [1, "x"] } }]);
  });

  it("a step that failed is run again after a fix, also in a session that has ended [002-083]", async () => {
    story.failing.add("bad");
    const graph = graphOf({ root: says(), bad: flaky, behind: says({ v: ref("root|x") }) }, [
      path("root", "bad"),
      path("bad", "behind"),
    ]);
    const { graph_id } = await story.client.create(graph);
    const { id } = await story.client.start(graph_id);
    const failed = await story.settle(id);
    expect(failed.status).toBe("completed_with_errors");
    await expect(story.client.retryStep(id, "root")).rejects.toMatchObject({ code: "NOT_RETRYABLE", status: 409 });
    story.failing.clear();
    await story.client.retryStep(id, "bad");
    const done = await story.settle(id);
    expect(done).toMatchObject({ id, status: "completed", failed_steps: [], created_at: failed.created_at });
    expect(statuses(done)).toEqual({ root: "complete", bad: "complete", behind: "complete" });
    expect(done.state.workflow.bad?.error).toBe("");
    expect(called()).toEqual(["root", "bad", "bad", "behind"]);
    expect((await story.client.listSessions(graph_id)).map((one) => one.id)).toEqual([id]);
  });

  it("a step that failed is run again in a session that goes on [002-083]", async () => {
    story.failing.add("bad");
    const { graph_id } = await story.client.create(
      graphOf({ root: says(), bad: flaky, behind: says(), ask: ask() }, [
        path("root", "bad"),
        path("root", "ask"),
        path("bad", "behind"),
      ]),
    );
    const { id } = await story.client.start(graph_id);
    const before = await story.settle(id);
    expect(before).toMatchObject({ status: "waiting", failed_steps: ["bad"] });
    story.failing.clear();
    await story.client.retryStep(id, "bad");
    const after = await story.until(id, ({ state }) => state.workflow.behind?.status === "complete");
    expect(after).toMatchObject({ failed_steps: [], execution_id: before.execution_id });
    expect(statuses(after).ask).toBe("awaiting_input");
  });
});
