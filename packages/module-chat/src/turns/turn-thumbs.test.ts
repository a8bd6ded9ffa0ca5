import type { ChatMessage } from "@oven/contract/agent";
import { type ModelServer, startModelServer } from "@oven/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ChatOven, startChatOven } from "./testing/chat-oven.ts";

let server: ModelServer;
let oven: ChatOven;
let session: number;

const ECHO = {
  payloadSchema: { type: "object", properties: { question: { type: "string" } }, required: ["question"] },
  initial: "say",
  states: {
    say: { invoke: { src: "core.transform", input: { mapping: { reply: "$.trigger.question" } }, onDone: "done" } },
    done: { type: "final", output: "$.say_output" },
  },
};

beforeAll(async () => {
  server = await startModelServer(() => ({ status: 400, message: "no model is asked" }), { models: ["house-model"] });
  oven = await startChatOven(server);
  const made = await oven.call("POST", "workflows", { name: "Echo", definition: ECHO });
  const target = { kind: "workflow", id: made.body.id };
  session = (await oven.call("POST", "chat-sessions", { target })).body.id;
});
afterAll(async () => {
  await oven.stop();
  await server.close();
});

const answered = (messages: ChatMessage[]) => messages.length > 0 && messages.every(({ answer }) => answer !== null);
const rate = (messageId: number, body: object, key?: string) =>
  oven.call("PUT", `chat-sessions/${session}/messages/${messageId}/thumb`, body, key === undefined ? {} : { key });
const thumbs = async () => (await oven.call("GET", `chat-sessions/${session}/thumbs`)).body;

it("a thumb scores the run of an answer, is changed, and is taken back", async () => {
  await oven.call("POST", `chat-sessions/${session}/messages`, { message: "Hello" });
  const [turn] = await oven.settled(session, answered);
  const { id = 0, executionId } = turn ?? {};
  expect((await rate(id, { value: 1 })).body).toEqual({ messageId: id, executionId, value: 1, comment: null });
  await rate(id, { value: 0, comment: "Only an echo" });
  expect(await thumbs()).toEqual([{ messageId: id, executionId, value: 0, comment: "Only an echo" }]);
  const scores = async () => (await oven.call("GET", `workflow-executions/${executionId}/scores`)).body;
  expect(await scores()).toMatchObject([{ name: "thumbs", value: 0, comment: "Only an echo" }]);
  expect((await rate(id, { value: 0.5 })).status).toBe(400);
  expect((await rate(id, { value: null })).body).toMatchObject({ value: null });
  expect([await thumbs(), await scores()]).toEqual([[], []]);
});

it("nobody rates in the chat of another person", async () => {
  const [turn] = await oven.settled(session, answered);
  const { key } = await oven.keyFor("operator");
  const refused = await rate(turn?.id ?? 0, { value: 0 }, key);
  expect([refused.status, refused.body.error.code]).toEqual([404, "NOT_FOUND"]);
  // Nor through a chat of their own.
  const [workflow] = (await oven.call("GET", "workflows")).body;
  const target = { kind: "workflow", id: workflow.id };
  const { body: own } = await oven.call("POST", "chat-sessions", { target }, { key });
  const through = `chat-sessions/${own.id}/messages/${turn?.id}/thumb`;
  expect((await oven.call("PUT", through, { value: 0 }, { key })).status).toBe(404);
  expect((await oven.call("GET", `workflow-executions/${turn?.executionId}/scores`)).body).toEqual([]);
});
