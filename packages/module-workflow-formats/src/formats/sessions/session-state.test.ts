import type { GraphSession, SessionState } from "@oven/contract/formats/sessions.ts";
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

const hold = { function: "test.hold" };
const ask = (prompt = "What?") => ({ function: "utils.request.request", input: { prompt } });
const path = (from: string, to: string) => ({ from, to });
const start = async (graph: ReturnType<typeof graphOf>): Promise<string> =>
  (await story.client.start((await story.client.create(graph)).graph_id)).id;
const read = (id: string) => story.client.getState(id);
const statusOf = (state: SessionState, step: string) => state.workflow[step]?.status;

describe("the state of a session", () => {
  it("is as the document has it, at any moment [002-005] [002-006] [002-022] [002-023] [002-024] [002-025] [002-026] [002-027] [002-028] [002-029] [002-030] [002-048]", async () => {
    story.failing.add("bad");
    const graph = graphOf(
      { root: hold, ask: ask(), join: says({ v: ref("never.x") }), bad: { function: "test.flaky" }, never: says() },
      [path("root", "ask"), path("root", "join"), path("root", "bad")],
    );
    const id = await start(graph);
    const first = await read(id);
    expect(first).toEqual({
      id,
      workflow: { root: { status: "active", error: "" } },
      last_evaluated: 0,
      data: { outputs: {}, messages: [] },
    });
    expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    await story.letGo();
    const { state, created_at } = await story.settle(id);
    const at = expect.any(Number);
    expect(state).toEqual({
      id,
      workflow: {
        root: { status: "complete", error: "", last_executed: at },
        ask: { status: "awaiting_input", error: "" },
        join: { status: "pending", error: "" },
        bad: { status: "error", error: expect.stringContaining("the disk is full") },
      },
      last_evaluated: state.workflow.root?.last_executed,
      data: { outputs: { root: [{}] }, messages: [] },
    });
    // As they stand in the document.
    expect(Object.keys(state.workflow)).toEqual(["root", "ask", "join", "bad"]);
    expect(state.last_evaluated * 1_000).toBeGreaterThanOrEqual(Date.parse(created_at));
    expect(await read(id)).toEqual(state);
    await story.client.cancelSession(id);
    expect((await read(id)).data).toEqual(state.data);
  });

  it("has the time of each step's last execution, which grows [002-006] [002-074]", async () => {
    const id = await start(graphOf({ root: ask() }, [path("root", "root")]));
    const times: number[] = [];
    for (const response of ["one", "two", "three"]) {
      await story.until(id, ({ waiting }) => waiting.some(({ prompt }) => prompt !== null));
      const before = await read(id);
      await story.client.answer(id, "root", { response });
      const { state } = await story.until(id, ({ state }) => state.last_evaluated > before.last_evaluated);
      times.push(state.workflow.root?.last_executed ?? 0);
    }
    expect(times).toEqual([...new Set(times)].toSorted((one, other) => one - other));
    await story.client.cancelSession(id);
  });

  it("of a session that has not run yet is the fresh one [002-034]", async () => {
    const { graph_id } = await story.client.create(graphOf({ root: hold }));
    // Nothing of a run can be seen between its acceptance and its first node, but its state is the same.
    const session = await story.client.start(graph_id);
    expect(["pending", "running"]).toContain(session.status);
    expect(session.state).toEqual({
      id: session.id,
      workflow: { root: { status: "active", error: "" } },
      last_evaluated: 0,
      data: { outputs: {}, messages: [] },
    });
  });
});

describe("a state that is written", () => {
  it("gives a waiting step what it misses, and is audited [002-031] [002-036]", async () => {
    const graph = graphOf({ root: says(), join: says({ v: ref("never.x") }), never: says() }, [path("root", "join")]);
    const id = await start(graph);
    const { state } = await story.settle(id);
    state.data.outputs.never = [{ x: "by hand" }];
    state.data.messages = [{ role: "user", content: "hello" }];
    await story.client.writeState(id, state);
    const done = await story.settle(id);
    expect(done.status).toBe("completed");
    expect(done.state.data).toEqual({
      outputs: { root: [{}], never: [{ x: "by hand" }], join: [{ v: "by hand" }] },
      messages: [{ role: "user", content: "hello" }],
    });
    expect(statusOf(done.state, "never")).toBeUndefined();
    const { body } = await story.oven.call(
      "GET",
      `audit-log?filter=${encodeURIComponent(JSON.stringify({ action: "PUT graph-sessions/[session]/state" }))}`,
    );
    expect(JSON.stringify(body)).toContain(id);
  });

  it("without any status begins again at root [002-037]", async () => {
    const id = await start(graphOf({ root: says(), ask: ask() }, [path("root", "ask")]));
    const { state } = await story.settle(id);
    await story.client.writeState(id, { ...state, workflow: {}, data: { outputs: {}, messages: [] } });
    const again = await story.settle(id);
    expect(again.state.data.outputs).toEqual({ root: [{}] });
    expect(again.status).toBe("waiting");
    expect(story.calls).toHaveLength(2);
    await story.client.cancelSession(id);
  });

  it("with everything complete ends the session [002-038]", async () => {
    const id = await start(graphOf({ root: ask() }));
    const { state } = await story.settle(id);
    await story.client.writeState(id, { ...state, workflow: { root: { status: "complete" } } });
    expect(await story.settle(id)).toMatchObject({ status: "completed", state: { data: { outputs: {} } } });
  });

  it("makes a step complete that then is gone on from, stops one that runs, and starts one [002-031]", async () => {
    const graph = graphOf(
      { root: says({ n: 1 }), ask: ask(), behind: says({ v: ref("ask.response") }), slow: hold, extra: says() },
      [path("root", "ask"), path("root", "slow"), path("ask", "behind")],
    );
    const id = await start(graph);
    await story.until(id, ({ waiting }) => waiting.some(({ prompt }) => prompt !== null));
    const state = await read(id);
    state.workflow.ask = { status: "complete", error: "" };
    state.workflow.slow = { status: "error", error: "not wanted" };
    state.workflow.extra = { status: "active", error: "" };
    state.data.outputs.ask = [{ response: "from outside" }];
    await story.client.writeState(id, state);
    const done = await story.settle(id);
    expect(done).toMatchObject({ status: "completed_with_errors", failed_steps: ["slow"] });
    expect(done.state.data.outputs).toEqual({
      root: [{ n: 1 }],
      ask: [{ response: "from outside" }],
      behind: [{ v: "from outside" }],
      extra: [{}],
    });
    expect(done.state.workflow.slow?.error).toBe("not wanted");
  });

  it("takes a session up again that has ended [002-031]", async () => {
    const graph = graphOf({ root: says({ n: 1 }), end: says({ v: ref("root.n") }) }, [path("root", "end")]);
    const id = await start(graph);
    const { state } = await story.settle(id);
    state.data.outputs.root = [{ n: 2 }];
    state.workflow.end = { status: "active", error: "" };
    const both = await Promise.allSettled([
      story.client.writeState(id, state),
      story.client.writeState(id, { ...state, data: { ...state.data, messages: ["other"] } }),
    ]);
    // Of two that differ one wins.
    expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const done = await story.settle(id);
    expect(done.state.data.outputs).toEqual({ root: [{ n: 2 }], end: [{ v: 1 }, { v: 2 }] });
    expect([done.id, done.status]).toEqual([id, "completed"]);
  });

  it("is refused when the session has moved since it was read", async () => {
    const id = await start(
      graphOf({ root: says(), ask: ask(), more: ask() }, [path("root", "ask"), path("ask", "more")]),
    );
    const { state } = await story.settle(id);
    await story.client.answer(id, "ask", { response: "x" });
    await story.until(id, (session) => statusOf(session.state, "more") === "awaiting_input");
    await expect(story.client.writeState(id, state)).rejects.toMatchObject({ code: "SESSION_CHANGED", status: 409 });
    expect((await read(id)).data.outputs.ask).toEqual([{ response: "x" }]);
    await story.client.cancelSession(id);
    await expect(story.client.writeState(id, await read(id))).rejects.toMatchObject({ code: "NOT_RETRYABLE" });
  });

  it("is refused when somebody else wrote meanwhile, also in the very same moment", async () => {
    const id = await start(graphOf({ root: says(), ask: ask() }, [path("root", "ask")]));
    const { state, execution_id } = await story.settle(id);
    const said = (text: string) => ({ ...state, data: { ...state.data, messages: [text] } });
    await story.client.writeState(id, said("first"));
    await expect(story.client.writeState(id, said("second"))).rejects.toMatchObject({ code: "SESSION_CHANGED" });
    expect((await read(id)).last_evaluated).toBeGreaterThan(state.last_evaluated);
    // What was made for the session as it was before arrives too late.
    const stale = { id: "late", moves: 1, state: { steps: { ask: "error" } } };
    const sent = await story.oven.call("POST", `agent-workflow-executions/${execution_id}/events`, {
      event: "session.write",
      payload: stale,
    });
    expect(sent.status).toBe(202);
    await story.client.answer(id, "ask", { response: "x" });
    const done = await story.settle(id);
    expect([done.status, done.state.data.messages]).toEqual(["completed", ["first"]]);
  });

  it("is refused with the place where its shape is wrong or it is not of the session [002-032]", async () => {
    const id = await start(graphOf({ root: says(), ask: ask() }, [path("root", "ask")]));
    const { state } = await story.settle(id);
    const other = await start(graphOf({ root: says() }));
    const workflow = { root: { status: "complete", error: "" } };
    const wrong: [unknown, string][] = [
      [{ ...state, id: other }, "$.id"],
      [{ ...state, id: 7 }, "$.id"],
      [[], "$"],
      [{ id }, "$.workflow"],
      [{ ...state, more: 1 }, "$.more"],
      [{ ...state, last_evaluated: "now" }, "$.last_evaluated"],
      [{ ...state, workflow: { rot: { status: "active", error: "" } } }, "$.workflow.rot"],
      [{ ...state, workflow: { root: { status: "done", error: "" } } }, "$.workflow.root.status"],
      [{ ...state, workflow: { root: { status: "active", erorr: "" } } }, "$.workflow.root.erorr"],
      [{ ...state, workflow: { root: { status: "awaiting_input", error: "" } } }, "$.workflow.root.status"],
      [{ ...state, workflow, data: { outputs: { root: {} }, messages: [] } }, "$.data.outputs.root"],
      [{ ...state, workflow, data: { outputs: { root: [1, 2, 3, 4, 5, 6] }, messages: [] } }, "$.data.outputs.root"],
      [{ ...state, workflow, data: { outputs: { nobody: [] }, messages: [] } }, "$.data.outputs.nobody"],
      [{ ...state, workflow, data: { outputs: {} } }, "$.data.messages"],
    ];
    for (const [body, place] of wrong) {
      const refused = await story.oven.call("PUT", `graph-sessions/${id}/state`, body, { key: story.key });
      expect([refused.status, refused.body.error.code, refused.body.error.path], place).toEqual([
        422,
        "SOURCE_INVALID",
        place,
      ]);
    }
    expect(await read(id)).toEqual(state);
    await story.client.cancelSession(id);
  });
});

describe("input from the user", () => {
  const asking = (session: GraphSession, step: string) =>
    session.waiting.some((one) => one.step === step && one.schema !== null);

  it("is asked for with a form, checked, kept as an output, and the session goes on [002-045] [002-067] [002-071] [002-073] [002-074]", async () => {
    const schema = { type: "object", properties: { age: { type: "integer", minimum: 1 } }, required: ["age"] };
    const graph = graphOf(
      {
        root: says({ who: "Ada" }),
        ask: { function: "utils.request.request", input: { prompt: `How old is ${ref("root.who")}?`, schema } },
        end: says({ v: ref("ask.age") }),
      },
      [path("root", "ask"), path("ask", "end")],
    );
    const id = await start(graph);
    const waits = await story.settle(id);
    expect(waits).toMatchObject({
      status: "waiting",
      reason: "Waiting: ask asks: How old is Ada?",
      waiting: [{ step: "ask", for: "input", prompt: "How old is Ada?", schema }],
    });
    expect(statusOf(waits.state, "ask")).toBe("awaiting_input");
    const run = await story.oven.call("GET", `agent-workflow-executions/${waits.execution_id}`);
    expect(run.body).toMatchObject({ status: "paused" });
    await expect(story.client.answer(id, "ask", { age: 0 })).rejects.toMatchObject({ status: 400, path: "$.data.age" });
    expect(statusOf(await read(id), "ask")).toBe("awaiting_input");
    await story.client.answer(id, "ask", { age: 36 });
    const done = await story.settle(id);
    expect(done.state.data.outputs).toEqual({ root: [{ who: "Ada" }], ask: [{ age: 36 }], end: [{ v: 36 }] });
    expect(done.state.workflow.ask).toEqual({ status: "complete", error: "", last_executed: expect.any(Number) });
    expect(done.state.workflow.ask?.last_executed).toBeGreaterThanOrEqual(done.state.workflow.root?.last_executed ?? 0);
  });

  it("is taken once: of two answers one wins [002-075]", async () => {
    const id = await start(graphOf({ root: ask() }));
    await story.settle(id);
    const answers = await Promise.allSettled(
      ["one", "two"].map((response) => story.client.answer(id, "root", { response })),
    );
    const lost = answers.filter((answer) => answer.status === "rejected");
    expect(lost).toMatchObject([{ reason: { status: 409, code: "REVIEW_DECIDED" } }]);
    const won = answers[0]?.status === "fulfilled" ? "one" : "two";
    expect((await story.settle(id)).state.data.outputs.root).toEqual([{ response: won }]);
    await expect(story.client.answer(id, "root", { response: "late" })).rejects.toMatchObject({ status: 409 });
  });

  it("is refused for a step that does not wait for it [002-076]", async () => {
    const id = await start(graphOf({ root: says(), ask: ask(), other: ask() }, [path("root", "ask")]));
    await story.settle(id);
    for (const step of ["root", "other"])
      await expect(story.client.answer(id, step, { response: "x" })).rejects.toMatchObject({
        status: 400,
        code: "NOT_PAUSED",
      });
    await expect(story.client.answer(id, "nobody", {})).rejects.toMatchObject({ status: 404 });
    await story.client.cancelSession(id);
  });

  it("holds no other branch up [002-077]", async () => {
    const id = await start(
      graphOf({ root: says(), ask: ask(), slow: hold, last: says() }, [
        path("root", "ask"),
        path("root", "slow"),
        path("slow", "last"),
      ]),
    );
    await story.until(id, (session) => asking(session, "ask"));
    await story.letGo();
    const waits = await story.settle(id);
    expect(waits.waiting.map(({ step }) => step)).toEqual(["ask"]);
    expect(["slow", "last"].map((step) => statusOf(waits.state, step))).toEqual(["complete", "complete"]);
    await story.client.cancelSession(id);
  });

  it("can be asked for again, and by two steps at once [002-078]", async () => {
    const graph = graphOf({ root: says(), a: ask("A?"), b: ask("B?") }, [
      path("root", "a"),
      path("root", "b"),
      { from: "a", to: "a", conditions: [{ variable: ref("a.response"), value: "again" }] },
    ]);
    const id = await start(graph);
    const both = await story.settle(id);
    expect(both.waiting.map(({ step, prompt }) => [step, prompt])).toEqual([
      ["a", "A?"],
      ["b", "B?"],
    ]);
    await story.client.answer(id, "b", { response: "first" });
    await story.client.answer(id, "a", { response: "again" });
    await story.until(id, (session) => session.state.data.outputs.a?.length === 1 && asking(session, "a"));
    await story.client.answer(id, "a", { response: "enough" });
    const done = await story.settle(id);
    expect(done.status).toBe("completed");
    expect(done.state.data.outputs).toMatchObject({
      a: [{ response: "again" }, { response: "enough" }],
      b: [{ response: "first" }],
    });
  });
});
