import { rm } from "node:fs/promises";
import type { ChatMessage } from "@oven/contract/agent";
import { connectDatabase } from "@oven/db";
import { createTestDataDir, type TestDatabase, testDatabases } from "@oven/db/testing";
import { type ModelReply, type ModelServer, startModelServer } from "@oven/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { type ChatOven, type Frame, startChatOven } from "./turns/testing/chat-oven.ts";

let server: ModelServer;
let oven: ChatOven;
let replies: ModelReply[] = [];
let count = 0;

beforeAll(async () => {
  server = await startModelServer(() => replies.shift() ?? { status: 400, message: "no reply left" }, {
    models: ["house-model"],
  });
});
beforeEach(() => {
  server.requests.length = 0;
  replies = [];
});
afterAll(() => server.close());

const isDone = (frame: Frame) =>
  frame.event === "turn" && ["completed", "failed", "cancelled"].includes(frame.data.status);
const allEnded = (messages: ChatMessage[]) =>
  messages.length > 0 && messages.every(({ durationMs }) => durationMs !== null);

async function newAgent(on: ChatOven, more: object = {}): Promise<number> {
  count += 1;
  const body = { name: `Helper ${count}`, model: "openai:house", systemPrompt: "Be short.", ...more };
  return (await on.call("POST", "agents", body)).body.id;
}

async function newWorkflow(kind: "workflows" | "agent-workflows", definition: object): Promise<number> {
  count += 1;
  const made = await oven.call("POST", kind, { name: `Flow ${count}`, definition });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.id;
}

async function chatWith(on: ChatOven, target: object, more: object = {}): Promise<number> {
  const made = await on.call("POST", "chat-sessions", { target, ...more });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.id;
}

const say = (on: ChatOven, id: number, message: string, headers: Record<string, string> = {}) =>
  on.call("POST", `chat-sessions/${id}/messages`, { message }, { headers });

const ECHO = {
  payloadSchema: {
    type: "object",
    properties: { question: { type: "string" } },
    required: ["question"],
    additionalProperties: false,
  },
  initial: "say",
  states: {
    say: {
      invoke: {
        src: "core.transform",
        input: { mapping: { reply: "You said {{ $.trigger.question }}" } },
        onDone: "done",
      },
    },
    done: { type: "final", output: "$.say_output" },
  },
};

describe.each(testDatabases(inject("postgresUrl")))("on $name", ({ open }) => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await open();
    oven = await startChatOven(server, test.db);
  });
  afterAll(async () => {
    await oven.stop();
    await test.close();
  });

  describe("a chat with an agent", () => {
    it("is a run each, answers as it is written, and hands on what was said before [004-223]", async () => {
      const id = await chatWith(oven, { kind: "agent", id: await newAgent(oven, { toolBindings: ["shop.get"] }) });
      replies = [
        { toolCalls: [{ id: "a", name: "shop_get", arguments: { id: 7 } }] },
        { text: "It is there." },
        { text: "Yes, still." },
      ];
      const said = await say(oven, id, "Is it there?\nPlease look.");
      expect([said.status, said.body.message]).toEqual([202, "Is it there?\nPlease look."]);
      const frames = await oven.follow(id, isDone);
      const names = frames.map(({ event }) => event);
      for (const name of ["ready", "tool.started", "message.added", "tool.completed", "text.delta", "turn"])
        expect(names).toContain(name);
      const written = frames.filter(({ event }) => event === "text.delta").map(({ data }) => data.text);
      expect(written.join("")).toContain("It is there.");
      expect(
        frames.every(({ event, data }) => event === "ready" || event === "turn" || data.root === said.body.executionId),
      ).toBe(true);
      expect(JSON.stringify(frames)).not.toContain("Be short.");
      expect(frames.at(-1)?.data).toMatchObject({
        answer: "It is there.",
        toolCalls: 1,
        status: "completed",
        error: null,
      });

      await say(oven, id, "And now?");
      const messages = await oven.settled(id, (all) => all.length === 2 && allEnded(all));
      expect(messages.map(({ message, answer }) => [message, answer])).toEqual([
        ["Is it there?\nPlease look.", "It is there."],
        ["And now?", "Yes, still."],
      ]);
      expect(server.requests.at(-1)?.body.messages).toEqual([
        expect.objectContaining({ role: "system" }),
        { role: "user", content: "Is it there?\nPlease look." },
        { role: "assistant", content: "It is there." },
        { role: "user", content: "And now?" },
      ]);
      const { body: session } = await oven.call("GET", `chat-sessions/${id}`);
      expect(session.title).toBe("Is it there?");
      // One copy of the words: the agent's conversation.
      const [own] = await oven.db.query("select message, answer from chat_turns where session_id = $1", [id]);
      expect(own).toEqual({ message: null, answer: null });
      const run = await oven.call("GET", `agent-workflow-executions/${said.body.executionId}`);
      expect(run.body.sessionId).toBe(session.agentSessionId);
      const past = await oven.call("GET", `chat-sessions/${id}/messages/${messages[0]?.id}/events`);
      expect(past.body.map(({ event }: { event: string }) => event)).toContain("tool.completed");
    });

    it("loses and repeats nothing when a client comes back in the middle, or a second one looks on", async () => {
      const id = await chatWith(oven, { kind: "agent", id: await newAgent(oven) });
      let open = () => {};
      const opened = new Promise<void>((resolve) => {
        open = resolve;
      });
      replies = [{ text: "One two three four five six", gate: { after: 3, opened } }];
      await say(oven, id, "Count");
      const first = await oven.follow(id, ({ event }) => event === "text.delta");
      const cursor = first.at(-1)?.id;
      const second = oven.follow(id, isDone);
      open();
      const rest = await oven.follow(id, isDone, cursor);
      const text = (frames: Frame[]) =>
        frames.flatMap(({ event, data }) => (event === "text.delta" ? [data.text] : [])).join("");
      expect(text([...first, ...rest])).toBe("One two three four five six");
      expect(text(await second)).toBe("One two three four five six");
      const told = [...first, ...rest].flatMap(({ data }) => (typeof data.seq === "number" ? [data.seq] : []));
      expect(told).toEqual([...new Set(told)].toSorted((a, b) => a - b));
      // Back after the end: told what became of it, and of what was said since.
      replies = [{ text: "Again." }];
      await say(oven, id, "Once more");
      const late = await oven.follow(id, (frame) => isDone(frame) && frame.data.message === "Once more", cursor);
      expect(late.filter(isDone).map(({ data }) => data.answer)).toEqual(["One two three four five six", "Again."]);
    });

    it("takes a message once per key, and one at a time", async () => {
      const id = await chatWith(oven, { kind: "agent", id: await newAgent(oven) });
      let open = () => {};
      const opened = new Promise<void>((resolve) => {
        open = resolve;
      });
      replies = [{ text: "Slow.", gate: { after: 1, opened } }];
      const key = { "idempotency-key": "one" };
      const twice = await Promise.all([say(oven, id, "Hello", key), say(oven, id, "Hello", key)]);
      expect(twice.map(({ status }) => status)).toEqual([202, 202]);
      expect(twice[0]?.body.id).toBe(twice[1]?.body.id);
      expect((await say(oven, id, "Other", key)).body.error.code).toBe("IDEMPOTENCY_KEY_REUSED");
      const busy = await say(oven, id, "Meanwhile");
      expect([busy.status, busy.body.error.code]).toEqual([409, "CONVERSATION_BUSY"]);
      open();
      expect(await oven.settled(id, allEnded)).toHaveLength(1);
      expect(server.requests).toHaveLength(1);
    });

    it("shows what went wrong, and asks once more in its place", async () => {
      const id = await chatWith(oven, { kind: "agent", id: await newAgent(oven) });
      replies = [{ status: 400, message: "no such thing" }];
      const { body: said } = await say(oven, id, "Try");
      const [failed] = await oven.settled(id, allEnded);
      expect(failed).toMatchObject({ status: "failed", answer: null });
      expect(failed?.error?.message).not.toBe("");
      replies = [{ text: "Now." }];
      const path = `chat-sessions/${id}/messages/${said.id}`;
      const again = await oven.call("POST", `${path}/retry`, { executionId: said.executionId });
      expect([again.status, again.body.executionId > said.executionId]).toEqual([202, true]);
      // The same request again, of another tab.
      const same = await oven.call("POST", `${path}/retry`, { executionId: said.executionId });
      expect(same.body.executionId).toBe(again.body.executionId);
      const messages = await oven.settled(id, allEnded);
      expect(messages.map(({ message, answer, status }) => [message, answer, status])).toEqual([
        ["Try", "Now.", "completed"],
      ]);
      expect(server.requests.at(-1)?.body.messages).toEqual([
        { role: "system", content: "Be short." },
        { role: "user", content: "Try" },
      ]);
    });

    it("asks models as its author tries them out, for whoever may change the agent", async () => {
      const agent = await newAgent(oven, { agentConfig: { temperature: 0.1 } });
      const target = { kind: "agent", id: agent };
      const id = await chatWith(oven, target, { modelSettings: { temperature: 0.9 } });
      replies = [{ text: "Warm." }, { text: "Cold." }];
      await say(oven, id, "How?");
      await oven.settled(id, allEnded);
      expect(server.requests.at(-1)?.body).toMatchObject({ model: "house", temperature: 0.9 });
      await oven.call("PUT", `chat-sessions/${id}`, { modelSettings: { model: "openai:house-model" } });
      await say(oven, id, "And now?");
      await oven.settled(id, (all) => all.length === 2 && allEnded(all));
      expect(server.requests.at(-1)?.body).toMatchObject({ model: "house-model", temperature: 0.1 });
      const { key } = await oven.keyFor("operator");
      const refused = await oven.call("POST", "chat-sessions", { target, modelSettings: { temperature: 2 } }, { key });
      expect([refused.status, refused.body.error.code]).toEqual([403, "FORBIDDEN"]);
      expect((await oven.call("POST", "chat-sessions", { target }, { key })).status).toBe(201);
      const { body: own } = await oven.call("GET", `agents/${agent}`);
      const run = { input: { message: "Hi", messages: [] }, options: { modelSettings: { temperature: 2 } } };
      const path = `agent-workflows/${own.runsWorkflowId}/execute`;
      expect((await oven.call("POST", path, run, { key })).status).toBe(403);
    });

    it("is over for who may not talk to the agent any more", async () => {
      const id = await chatWith(oven, { kind: "agent", id: await newAgent(oven) });
      const limited = await oven.keyFor("editor", { chats: ["use"] });
      await oven.db.query("update chat_sessions set owner = $1 where id = $2", [`api-key:${limited.id}`, id]);
      const own =
        "update agent_sessions set user_id = $1 where id = (select agent_session_id from chat_sessions where id = $2)";
      await oven.db.query(own, [limited.userId, id]);
      const { key } = limited;
      expect((await oven.call("GET", `chat-sessions/${id}/messages`, undefined, { key })).status).toBe(200);
      const refused = await oven.call("POST", `chat-sessions/${id}/messages`, { message: "Hi" }, { key });
      expect([refused.status, refused.body.error.code]).toEqual([403, "FORBIDDEN"]);
      expect((await oven.call("GET", "chat-targets", undefined, { key })).body).toEqual([]);
    });

    it("has what was said in the agent's conversation elsewhere, and begins what a crash cut off", async () => {
      const agent = await newAgent(oven);
      const id = await chatWith(oven, { kind: "agent", id: agent });
      const { body: session } = await oven.call("GET", `chat-sessions/${id}`);
      replies = [{ text: "Over REST." }, { text: "Begun late." }];
      const body = { message: "Elsewhere", sessionId: session.agentSessionId };
      await oven.call("POST", `agents/${agent}/invoke`, body);
      const [other] = await oven.settled(id, allEnded);
      expect([other?.message, other?.answer, other?.status]).toEqual(["Elsewhere", "Over REST.", "completed"]);
      await oven.db.query(
        `insert into chat_turns (tenant_id, session_id, message, execution_kind, created_at)
         values (1, $1, 'Cut off', 'agent-workflow', now() - interval '1 minute')`,
        [id],
      );
      const messages = await oven.settled(
        id,
        (all) => all.length === 2 && all.every(({ status }) => status === "completed"),
      );
      expect(messages.map(({ message, answer }) => [message, answer])).toEqual([
        ["Cut off", "Begun late."],
        ["Elsewhere", "Over REST."],
      ]);
    });

    it("calls what modules let a conversation do [004-261]", async () => {
      const { body: flow } = await oven.call("POST", "workflows", { name: `Said ${count}`, definition: ECHO });
      const toolBindings = ["workflows.workflows.execute"];
      const id = await chatWith(oven, { kind: "agent", id: await newAgent(oven, { toolBindings }) });
      const call = { workflow: flow.slug, input: { question: "tea" }, waitSeconds: 20 };
      replies = [{ toolCalls: [{ id: "w", name: "workflows_workflows_execute", arguments: call }] }, { text: "Done." }];
      await say(oven, id, "Say tea");
      const frames = await oven.follow(id, isDone);
      expect(frames.at(-1)?.data).toMatchObject({ answer: "Done.", toolCalls: 1 });
      expect(JSON.stringify(server.requests.at(-1)?.body.messages)).toContain("You said tea");
    });

    it("stops, and says so", async () => {
      const id = await chatWith(oven, { kind: "agent", id: await newAgent(oven) });
      replies = [{ text: "Never told to its end", stallAfter: 2 }];
      const { body: said } = await say(oven, id, "Talk");
      await oven.follow(id, ({ event }) => event === "text.delta");
      const stopped = await oven.call("POST", `chat-sessions/${id}/messages/${said.id}/stop`);
      expect([stopped.status, stopped.body.status, stopped.body.answer]).toEqual([200, "cancelled", null]);
    });

    it("belongs to one person", async () => {
      const id = await chatWith(oven, { kind: "agent", id: await newAgent(oven) });
      const { key } = await oven.keyFor("admin");
      for (const path of ["", "/messages", "/stream"])
        expect((await oven.call("GET", `chat-sessions/${id}${path}`, undefined, { key })).status).toBe(404);
      expect((await oven.call("POST", `chat-sessions/${id}/messages`, { message: "Hi" }, { key })).status).toBe(404);
      const mine = await oven.call("GET", `chat-sessions?filter={"id":[${id}]}`);
      const theirs = await oven.call("GET", "chat-sessions", undefined, { key });
      expect([mine.body.length, theirs.body]).toEqual([1, []]);
      expect((await oven.call("PUT", `chat-sessions/${id}`, { title: "Parcels" })).body.title).toBe("Parcels");
      const found = await oven.call("GET", 'chat-sessions?filter={"q":"parcel"}');
      expect(found.body.map((chat: { id: number }) => chat.id)).toEqual([id]);
      expect((await oven.call("DELETE", `chat-sessions/${id}`)).status).toBe(204);
      expect((await oven.call("GET", `chat-sessions/${id}`)).status).toBe(404);
    });
  });

  describe("with nobody looking", () => {
    const WAITS = {
      payloadSchema: { type: "object", properties: { message: { type: "string" } }, required: ["message"] },
      initial: "wait",
      states: { wait: { on: { go: "done" } }, done: { type: "final", output: "Heard {{ $.trigger.message }}" } },
    };
    const go = (executionId: number) =>
      oven.call("POST", `workflow-executions/${executionId}/events`, { event: "go", payload: null });
    /** Read from the table: whoever reads the chat itself has it brought up to date. */
    const turnOf = async (executionId: number) => {
      const [row] = await oven.db.query<{ status: string; answer: string | null }>(
        "select status, answer from chat_turns where execution_id = $1",
        [executionId],
      );
      return row;
    };
    const answers = async (executionId: number) =>
      (await oven.db.query("select content from agent_messages where answer_of = $1", [executionId])).map(
        ({ content }) => content,
      );
    /** Whom the end of a run was handed to; "nobody": it was written as delivered. */
    const handedOn = async (executionId: number) => {
      const read = () =>
        oven.db.query<{ open: boolean; listener: string | null }>(
          `select e.delivered_at is null as open, d.listener from outbox_events e
           left join outbox_deliveries d on d.event_id = e.id
           where e.order_key = 'execution:' || $1::text and e.name ~ 'execution.(completed|failed|cancelled)$'`,
          [executionId],
        );
      await expect.poll(async () => (await read()).map(({ open }) => open)).toEqual([false]);
      return (await read())[0]?.listener ?? "nobody";
    };

    it("has what came of a message to a workflow, and of the same message asked once more", async () => {
      const id = await chatWith(oven, { kind: "workflow", id: await newWorkflow("workflows", WAITS) });
      const { body: said } = await say(oven, id, "tea");
      await go(said.executionId);
      const heard = { status: "completed", answer: "Heard tea" };
      await expect.poll(() => turnOf(said.executionId)).toEqual(heard);
      const path = `chat-sessions/${id}/messages/${said.id}/retry`;
      const { body: again } = await oven.call("POST", path, { executionId: said.executionId });
      expect(await turnOf(again.executionId)).toEqual({ status: "pending", answer: null });
      await go(again.executionId);
      await expect.poll(() => turnOf(again.executionId)).toEqual(heard);
      expect(await handedOn(again.executionId)).toBe("module-chat:workflows.execution.completed");
    });

    it("has what an agent answered, in the chat or elsewhere in its conversation, and once more", async () => {
      const agent = await newAgent(oven);
      const id = await chatWith(oven, { kind: "agent", id: agent });
      const { body: session } = await oven.call("GET", `chat-sessions/${id}`);
      const gates = [1, 2, 3].map(() => Promise.withResolvers<void>());
      replies = gates.map(({ promise: opened }, n) => ({ text: `Answer ${n}.`, gate: { after: 1, opened } }));
      const ends = async (executionId: number, n: number) => {
        expect((await turnOf(executionId))?.status).not.toBe("completed");
        gates[n]?.resolve();
        await expect.poll(async () => (await turnOf(executionId))?.status).toBe("completed");
        expect(await answers(executionId)).toEqual([`Answer ${n}.`]);
      };
      const { body: said } = await say(oven, id, "Hello");
      await ends(said.executionId, 0);
      const path = `chat-sessions/${id}/messages/${said.id}/retry`;
      const { body: again } = await oven.call("POST", path, { executionId: said.executionId });
      await ends(again.executionId, 1);
      const elsewhere = oven.call("POST", `agents/${agent}/invoke`, {
        message: "Elsewhere",
        sessionId: session.agentSessionId,
      });
      const [, other] = await oven.settled(id, (all) => all.length === 2);
      await ends(other?.executionId ?? 0, 2);
      expect((await elsewhere).status).toBe(200);
    });

    it("is not told of runs that are no message's, though they were tried again from one", async () => {
      const flow = await newWorkflow("workflows", WAITS);
      const { body: run } = await oven.call("POST", `workflows/${flow}/execute`, { input: { message: "tea" } });
      await go(run.id);
      expect(await handedOn(run.id)).toBe("nobody");
      const id = await chatWith(oven, { kind: "workflow", id: flow });
      const { body: said } = await say(oven, id, "milk");
      await oven.call("POST", `chat-sessions/${id}/messages/${said.id}/stop`);
      const { body: again, status } = await oven.call("POST", `workflow-executions/${said.executionId}/retry`, {});
      expect(status, JSON.stringify(again)).toBeLessThan(300);
      await go(again.id);
      expect(await handedOn(again.id)).toBe("nobody");
      expect(await turnOf(again.id)).toBeUndefined();
    });
  });

  describe("a chat with a workflow", () => {
    it("fills the field that takes a text, and answers with what the output says", async () => {
      const id = await chatWith(oven, { kind: "workflow", id: await newWorkflow("workflows", ECHO) });
      await say(oven, id, "hello");
      const [first] = await oven.settled(id, allEnded);
      expect(first).toMatchObject({
        message: "hello",
        answer: "You said hello",
        status: "completed",
        executionKind: "workflow",
      });
    });

    it("is one conversation of many runs, which one that was started otherwise is no part of, whatever its key", async () => {
      const definition = {
        payloadSchema: ECHO.payloadSchema,
        initial: "which",
        states: {
          which: { invoke: { src: "shop.conversation", onDone: "done" } },
          done: { type: "final", output: "$.which_output.message" },
        },
      };
      const flow = await newWorkflow("workflows", definition);
      const id = await chatWith(oven, { kind: "workflow", id: flow });
      await say(oven, id, "one");
      await oven.settled(id, allEnded);
      await say(oven, id, "two");
      const messages = await oven.settled(id, (all) => all.length === 2 && allEnded(all));
      expect(messages.map(({ answer }) => answer)).toEqual([`chat:${id}`, `chat:${id}`]);
      const headers = { "idempotency-key": `chat-turn:${messages[0]?.id}:mine` };
      const body = { input: { question: "mine?" } };
      const run = await oven.call("POST", `workflows/${flow}/execute?wait=20`, body, { headers });
      expect(run.body).toMatchObject({ status: "completed", output: null });
    });

    it("hands on what was said before, where its input takes it [004-223]", async () => {
      const definition = {
        initial: "ask",
        agentConfig: { model: "openai:house" },
        entry: [{ type: "assign", params: { path: "$.messages", value: "$.trigger.messages" } }],
        states: {
          ask: { invoke: { src: "agent.llm", input: {}, onDone: "done" } },
          done: { type: "final", output: "$.ask_output" },
        },
      };
      const id = await chatWith(oven, { kind: "agent-workflow", id: await newWorkflow("agent-workflows", definition) });
      replies = [{ text: "Ada." }, { text: "You are Ada." }];
      await say(oven, id, "I am Ada");
      await oven.settled(id, allEnded);
      await say(oven, id, "Who am I?");
      const messages = await oven.settled(id, (all) => all.length === 2 && allEnded(all));
      expect(messages.map(({ answer }) => answer)).toEqual(["Ada.", "You are Ada."]);
      expect(server.requests.at(-1)?.body.messages).toEqual([
        { role: "user", content: "I am Ada" },
        { role: "assistant", content: "Ada." },
        { role: "user", content: "Who am I?" },
      ]);
    });

    it("tells of its steps what they call and write, not what they are told", async () => {
      const ask = { src: "agent.llm", input: { prompt: "Inner words: {{ $.trigger.message }}" }, onDone: "done" };
      const states = { ask: { invoke: ask }, done: { type: "final", output: "$.ask_output.text" } };
      const definition = { initial: "ask", agentConfig: { model: "openai:house" }, states };
      const id = await chatWith(oven, { kind: "agent-workflow", id: await newWorkflow("agent-workflows", definition) });
      replies = [{ text: "Outer words." }];
      const { body: said } = await say(oven, id, "Hello");
      const frames = await oven.follow(id, isDone);
      expect(frames.at(-1)?.data.answer).toBe("Outer words.");
      const { body: past } = await oven.call("GET", `chat-sessions/${id}/messages/${said.id}/events`);
      expect(past.length).toBeGreaterThan(0);
      expect(JSON.stringify([frames, past])).not.toContain("Inner words");
    });

    it("says at once what keeps it from being talked to, and takes what is given once", async () => {
      const payloadSchema = {
        type: "object",
        properties: { message: { type: "string" }, orderId: { type: "integer" } },
        required: ["message", "orderId"],
      };
      const states = { done: { type: "final", output: "Order {{ $.trigger.orderId }}: {{ $.trigger.message }}" } };
      const id = await newWorkflow("workflows", { payloadSchema, initial: "done", states });
      const target = { kind: "workflow", id };
      const refused = await oven.call("POST", "chat-sessions", { target });
      expect([refused.status, refused.body.error.code]).toEqual([400, "INVALID_INPUT"]);
      expect(refused.body.error.fix).toContain("`orderId`");
      const wrong = await oven.call("POST", "chat-sessions", { target, mapping: { input: { orderId: "many" } } });
      expect(wrong.status).toBe(400);
      const listed = await oven.call("GET", "chat-targets");
      const shown = listed.body.find((one: { kind: string; id: number }) => one.kind === "workflow" && one.id === id);
      expect(shown.misfit).toContain("`orderId`");
      const chat = await chatWith(oven, target, { mapping: { input: { orderId: 8841 } } });
      await say(oven, chat, "late?");
      expect((await oven.settled(chat, allEnded))[0]?.answer).toBe("Order 8841: late?");
    });
  });
});

it("a review waits in the chat through a restart, and the answer follows with nobody there [004-223]", async () => {
  const dataDir = createTestDataDir("oven-chat-");
  let db = await connectDatabase({ url: undefined, dataDir });
  let own = await startChatOven(server, db);
  try {
    const id = await chatWith(own, { kind: "agent", id: await newAgent(own, { toolBindings: ["shop.pay"] }) });
    replies = [
      { toolCalls: [{ id: "p", name: "shop_pay", arguments: { id: 9 } }] },
      { text: "Meanwhile, hello." },
      { text: "Paid." },
    ];
    const { body: said } = await say(own, id, "Pay her");
    await own.follow(id, ({ event }) => event === "execution.paused");
    // Who waits for a person may go on.
    const next = await say(own, id, "Are you there?");
    expect(next.status).toBe(202);
    await own.settled(id, ([, second]) => second?.answer === "Meanwhile, hello.");
    await own.stop();
    await db.close();

    db = await connectDatabase({ url: undefined, dataDir });
    own = await startChatOven(server, db);
    const waiting = await own.settled(id, ([first]) => first?.status === "paused");
    expect(waiting).toHaveLength(2);
    const { body: reviews } = await own.call("GET", `reviews?filter={"executionId":${said.executionId}}`);
    const { body: review } = await own.call("GET", `reviews/${reviews[0].id}`);
    const decided = await own.call("POST", `reviews/${review.id}/decide`, { action: "approve", digest: review.digest });
    expect(decided.status, JSON.stringify(decided.body)).toBe(200);
    // Nobody reads the chat: its row is written because the run has ended.
    const statusOf = async () => {
      const [row] = await own.db.query<{ status: string }>("select status from chat_turns where id = $1", [said.id]);
      return row?.status;
    };
    await expect.poll(statusOf, { interval: 20 }).toBe("completed");
    const answered = await own.db.query("select content from agent_messages where answer_of = $1", [said.executionId]);
    expect(answered).toEqual([{ content: "Paid." }]);
    expect(own.paid).toEqual([{ id: 9 }]);
    const messages = await own.settled(id, allEnded);
    expect(messages.map(({ message, answer }) => [message, answer])).toEqual([
      ["Pay her", "Paid."],
      ["Are you there?", "Meanwhile, hello."],
    ]);
  } finally {
    await own.stop();
    await db.close();
    await rm(dataDir, { recursive: true });
  }
});
