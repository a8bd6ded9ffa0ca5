import type { Message, UsageRow } from "@oven/contract/ai";
import { type ModelReply, type ModelServer, startModelServer } from "@oven/testing";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { startAi, type TestAi } from "./testing/start-ai.ts";

const messages: Message[] = [{ role: "user", content: "Which kind?" }];
const outputSchema = {
  type: "object",
  properties: { kind: { type: "string", enum: ["refund", "question"] } },
  required: ["kind"],
};

let ai: TestAi;
let server: ModelServer;
let replies: ModelReply[] = [];

beforeAll(async () => {
  server = await startModelServer(() => replies.shift() ?? { status: 500 });
  ai = await startAi({ environment: { variables: { OPENAI_BASE_URL: server.url } } });
});
afterEach(() => {
  server.requests.length = 0;
});
afterAll(async () => {
  await ai.stop();
  await server.close();
});

let executionId = 100;
const ask = (request: { maxCorrections?: number; idempotencyKey?: string } = {}) => {
  executionId++;
  const caller = { tenantId: 1, userId: null, executionId };
  return ai.services.ai.object({ model: "openai:m", messages, outputSchema, caller, ...request });
};
const usage = () =>
  ai.invoke<UsageRow[]>("GET", "ai-usage-logs", { query: { filter: JSON.stringify({ executionId }) } });

test("an answer that does not fit is asked for again with what is wrong, each as a call of its own", async () => {
  replies = [{ text: "A refund." }, { text: '{"kind":"other"}' }, { text: '{"kind":"refund"}' }];
  const answer = await ask({ idempotencyKey: "k" });
  expect(answer).toMatchObject({ object: { kind: "refund" }, usage: { input: 33, output: 21, total: 54 } });
  expect(server.requests.map(({ headers }) => headers["idempotency-key"])).toEqual(["k", "k-1", "k-2"]);
  // cast: the wire's messages
  const last = server.requests[2]?.body.messages as { role: string; content: string }[];
  expect(last.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant", "user"]);
  expect(last[2]?.content).toContain("the answer is not JSON");
  expect(last[4]?.content).toContain("$.kind");
  expect(await usage()).toHaveLength(3);
});

test("after two corrections it is an error, with the calls recorded", async () => {
  replies = [{ text: "a" }, { text: "b" }, { text: "c" }, { text: '{"kind":"refund"}' }];
  await expect(ask()).rejects.toMatchObject({ code: "OUTPUT_SCHEMA_MISMATCH", details: { attempts: 3 } });
  expect(server.requests).toHaveLength(3);
  expect(await usage()).toHaveLength(3);
});

test("how often is the caller's to say", async () => {
  replies = [{ text: "a" }];
  await expect(ask({ maxCorrections: 0 })).rejects.toMatchObject({ code: "OUTPUT_SCHEMA_MISMATCH" });
  expect(server.requests).toHaveLength(1);
});

test("the route answers with an object that fits, or says that none came", async () => {
  replies = [{ text: '{"kind":"no"}' }, { text: '{"kind":"question"}' }];
  const body = { model: "openai:m", messages, outputSchema };
  expect(await ai.invoke("POST", "ai/generate", { body })).toMatchObject({ object: { kind: "question" } });
  replies = [{ text: "no" }];
  await expect(ai.invoke("POST", "ai/generate", { body: { ...body, maxCorrections: 0 } })).rejects.toMatchObject({
    code: "OUTPUT_SCHEMA_MISMATCH",
  });
});

test.each([
  '<think>a refund? {"kind":"question"}</think>\n{"kind":"refund"}',
  'Here it is:\n```JSON\n{"kind":"refund"}\n```\nHope it helps',
])("the one value that fits is taken out of %j, without asking again", async (text) => {
  server.requests.length = 0;
  replies = [{ text }];
  expect(await ask()).toMatchObject({ object: { kind: "refund" } });
  expect(server.requests).toHaveLength(1);
});

test("two values that fit are refused with both of them", async () => {
  server.requests.length = 0;
  replies = [{ text: '{"kind":"refund"} or {"kind":"question"}' }];
  await expect(ask({ maxCorrections: 0 })).rejects.toThrow('{"kind":"refund"} and {"kind":"question"}');
});

const LONG = "7615917337495251231";

test("a number that would be changed is refused at once, since asking again would not help", async () => {
  server.requests.length = 0;
  replies = [{ text: `{"kind":"refund","id":${LONG}}` }, { text: '{"kind":"refund"}' }];
  await expect(ask()).rejects.toMatchObject({
    code: "NUMBER_NOT_EXACT",
    path: "$.object.id",
    message: expect.stringContaining(LONG),
    fix: expect.stringContaining("outputSchema"),
  });
  expect(server.requests).toHaveLength(1);
  expect(await usage()).toHaveLength(1);
  replies = [];
});

test("it stays as text where the schema takes text", async () => {
  replies = [{ text: `\`\`\`json\n{"kind":"refund","id":${LONG}}\n\`\`\`` }];
  const schema = {
    ...outputSchema,
    properties: { ...outputSchema.properties, id: { type: "integer", format: "int64" } },
  };
  executionId++;
  const caller = { tenantId: 1, userId: null, executionId };
  const answer = await ai.services.ai.object({ model: "openai:m", messages, outputSchema: schema, caller });
  expect(answer.object).toEqual({ kind: "refund", id: LONG });
});
