import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AgentOven, startAgentOven } from "./testing/agent-oven.ts";

/** A model that answers with how many messages it was shown, unless it is told to fail. */
describe("a conversation with a draft", () => {
  let oven: AgentOven;
  let facts: object[] = [];
  let path: string;
  let id: number;
  let revision = 0;

  beforeAll(async () => {
    oven = await startAgentOven(({ body }) => {
      const messages = body.messages as { content: unknown }[]; // cast: the scripted server hands on what it was sent
      if (body.response_format !== undefined) return { text: JSON.stringify({ facts }) };
      if (messages.at(-1)?.content === "Fail!") return { status: 400, message: "no" };
      return { text: `Answer ${messages.length}` };
    });
  });
  afterAll(() => oven.stop());

  const talks = (more: object = {}) => ({
    initial: "ask",
    ...more,
    states: {
      ask: { invoke: { src: "agent.llm", input: { model: "openai:house-model" }, onDone: "done" } },
      done: { type: "final", output: "$.ask_output" },
    },
  });
  async function save(definition: object): Promise<void> {
    const { status, body } = await oven.call("PUT", `${path}/draft`, { definition, baseVersion: 1, revision });
    expect(status, JSON.stringify(body)).toBe(200);
    revision = body.revision;
  }
  beforeEach(async () => {
    oven.server.requests.length = 0;
    const made = await oven.call("POST", "agent-workflows", { name: "Talks", definition: talks() });
    ({ id } = made.body);
    path = `agent-workflows/${id}`;
    revision = 0;
    facts = [];
  });
  const say = async (message: string, conversation: object = {}, more: object = {}, key?: string) => {
    const body = { conversation: { message, ...conversation }, ...more };
    return oven.call("POST", `${path}/draft/execute?wait=30`, body, key === undefined ? {} : { key });
  };
  const sent = () => oven.server.requests.at(-1)?.body.messages;

  it("goes on from turn to turn: the second request holds the first turn [004-194]", async () => {
    await save(talks());
    const first = await say("First?");
    expect(first.body, JSON.stringify(first.body)).toMatchObject({
      status: "completed",
      triggerEvent: "test",
      options: { test: true },
    });
    const { sessionId } = first.body;
    expect(sessionId).toBe(-first.body.id);
    // The draft may be changed while it is talked to.
    await save(talks({ description: "Changed" }));
    const second = await say("Second?", { sessionId });
    expect(second.body).toMatchObject({ sessionId, workflowVersion: -2 });
    expect(sent()).toEqual([
      { role: "user", content: "First?" },
      { role: "assistant", content: "Answer 1" },
      { role: "user", content: "Second?" },
    ]);
    await say("Apart?");
    expect(sent()).toEqual([{ role: "user", content: "Apart?" }]);
    const filter = encodeURIComponent(JSON.stringify({ sessionId }));
    const turns = await oven.call("GET", `agent-workflow-executions?filter=${filter}&sort=["id","ASC"]`);
    expect(turns.body.map((run: { id: number }) => run.id)).toEqual([first.body.id, second.body.id]);
    expect((await oven.call("GET", "agent-sessions")).body).toEqual([]);
  });

  it("hands on what was said before bounded as in any conversation, and a failed turn without an answer", async () => {
    await save(talks());
    const { sessionId } = (await say("First?")).body;
    const failed = await say("Fail!", { sessionId });
    expect(failed.body.status).toBe("failed");
    await say("Third?", { sessionId });
    expect(sent()).toEqual([
      { role: "user", content: "First?" },
      { role: "assistant", content: "Answer 1" },
      { role: "user", content: "Fail!" },
      { role: "user", content: "Third?" },
    ]);
    // One that was tried again counts once, in its conversation.
    const again = await oven.call("POST", `agent-workflow-executions/${failed.body.id}/retry`, {});
    expect(again.body).toMatchObject({ sessionId, retryOf: failed.body.id });
    await expect
      .poll(async () => (await oven.call("GET", `agent-workflow-executions/${again.body.id}`)).body.status)
      .toBe("failed");
    await say("Fourth?", { sessionId });
    expect(JSON.stringify(sent()).split("Fail!")).toHaveLength(2);
    const value = { moduleName: "module-agent-core", key: "AGENT_HISTORY_MESSAGES", value: 2 };
    const set = await oven.call("POST", "module-configs", value);
    expect(set.status, JSON.stringify(set.body)).toBeLessThan(300);
    await say("Fifth?", { sessionId });
    expect((sent() as unknown[]).length).toBe(3);
    await oven.call("DELETE", `module-configs/${set.body.id}`);
  });

  it("is one's own, of one workflow, and none of an agent", async () => {
    await save(talks());
    const { sessionId } = (await say("Mine")).body;
    const other = await oven.keyFor("editor");
    expect((await say("Whose?", { sessionId }, {}, other)).body.error.code).toBe("NOT_FOUND");
    expect((await say("Whose?", { sessionId: sessionId - 1_000 })).body.error.code).toBe("NOT_FOUND");
    expect((await say("Whose?", { sessionId: 5 })).body.error.code).toBe("INVALID_REQUEST");
    const elsewhere = await oven.call("POST", "agent-workflows", { name: "Elsewhere", definition: talks() });
    const asked = { conversation: { message: "Hello?", sessionId }, revision: 0 };
    const there = await oven.call("POST", `agent-workflows/${elsewhere.body.id}/draft/execute`, asked);
    expect(there.body.error.code).toBe("NOT_FOUND");
  });

  it("says what to do where no message can be taken", async () => {
    const closed = { type: "object", properties: { question: { type: "string" } }, additionalProperties: false };
    await save(talks({ payloadSchema: closed }));
    expect((await say("Hello?")).body.error).toMatchObject({
      code: "INVALID_INPUT",
      path: "$.conversation.message",
      fix: expect.stringContaining("payload schema"),
    });
    const open = { ...closed, properties: { message: { type: "string" } } };
    await save(talks({ payloadSchema: open }));
    const { body } = await say("Hello?", {}, { input: { other: 1 } });
    const { body: run } = await oven.call("GET", `agent-workflow-executions/${body.id}`);
    expect(run.input).toEqual({ message: "Hello?" });
    const plain = { initial: "end", states: { end: { type: "final" } } };
    const regular = await oven.call("POST", "workflows", { name: "Regular", definition: plain });
    const told = { conversation: { message: "Hello?" }, revision: 0 };
    const refused = await oven.call("POST", `workflows/${regular.body.id}/draft/execute`, told);
    expect(refused.body.error).toMatchObject({ code: "INVALID_REQUEST", path: "$.conversation" });
  });

  it("tests the published version where there is no draft, and only where none is meant", async () => {
    const tested = await say("Published?", {}, { revision: 0 });
    expect(tested.body, JSON.stringify(tested.body)).toMatchObject({ workflowVersion: 1, triggerEvent: "test" });
    const key = { "idempotency-key": "same" };
    const plain = await oven.call("POST", `${path}/execute`, {}, { headers: key });
    const test = await oven.call("POST", `${path}/draft/execute`, { revision: 0 }, { headers: key });
    expect(test.body.id).not.toBe(plain.body.id);
    await save(talks());
    expect((await say("Published?", {}, { revision: 0 })).body.error.code).toBe("STALE_DRAFT");
  });

  it("is spoken for an agent that runs it: with its settings and its memory, which says that it was a test", async () => {
    const remembers = {
      ...talks(),
      states: {
        ...talks().states,
        ask: { invoke: { src: "agent.llm", input: {}, onDone: "keep" } },
        keep: { invoke: { src: "agent.memory.write", input: {}, onDone: "done" } },
      },
    };
    await save(remembers);
    const agent = (
      await oven.call("POST", "agents", {
        name: "Clerk",
        model: "openai:house-model",
        systemPrompt: "Be a clerk.",
        workflowId: id,
        memoryConfig: { enabled: true },
      })
    ).body;
    facts = [{ key: "name", content: "The customer is called Ada." }];
    const { body } = await say("I am Ada", { agent: agent.slug });
    expect(body, JSON.stringify(body.errorInfo)).toMatchObject({ status: "completed", agentId: agent.id });
    expect(body.sessionId).toBe(-body.id);
    expect(oven.server.requests[0]?.body.messages).toEqual([
      { role: "system", content: "Be a clerk." },
      { role: "user", content: "I am Ada" },
    ]);
    const filter = encodeURIComponent(JSON.stringify({ agentId: agent.id }));
    const [memory] = (await oven.call("GET", `agent-memory?filter=${filter}`)).body;
    expect(memory.metadata.source).toMatchObject({ test: true, sessionId: -body.id });
    facts = [];
    await oven.call("POST", `${path}/execute?wait=30`, {});
    const wrong = (await oven.call("POST", "agents", { name: "Other", model: "openai:house-model" })).body;
    expect((await say("Hello", { agent: wrong.id })).body.error).toMatchObject({ path: "$.conversation.agent" });
    expect((await say("Hello", { agent: "nobody" })).body.error.code).toBe("NOT_FOUND");
  });

  it("marks the conversations that its steps begin with other agents", async () => {
    const helper = (await oven.call("POST", "agents", { name: "Helper", model: "openai:house-model" })).body;
    await save({
      initial: "ask",
      states: {
        ask: { invoke: { src: "agent.subagent", input: { agent: helper.id, message: "Help" }, onDone: "done" } },
        done: { type: "final", output: "$.ask_output.text" },
      },
    });
    const { body } = await say("Hello?");
    expect(body, JSON.stringify(body.errorInfo)).toMatchObject({ status: "completed" });
    const [session] = (await oven.call("GET", "agent-sessions")).body;
    expect(session.title).toBe("Test: Help");
  });
});
