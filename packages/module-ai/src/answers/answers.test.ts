import type { Message, UsageRow } from "@oven/contract/ai";
import { type ModelReply, type ModelServer, startModelServer } from "@oven/testing";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { ModelRequest } from "../model/model-request.ts";
import { createTestTiming, startAi, type TestAi } from "../model/testing/start-ai.ts";

const caller = { tenantId: 1, userId: null };
const messages: Message[] = [{ role: "user", content: "Hello" }];
const timing = createTestTiming();

let ai: TestAi;
let server: ModelServer;
let replies: ModelReply[] = [];

beforeAll(async () => {
  server = await startModelServer((_request, index) => replies.shift() ?? { text: `Answer ${index}` });
  ai = await startAi({ environment: { variables: { OPENAI_BASE_URL: server.url } }, timing });
  await ai.invoke("POST", "ai-prices", { body: { providerId: "openai", modelId: "*", inputMicros: 1_000_000 } });
});
afterEach(async () => {
  replies = [];
  server.requests.length = 0;
  for (const table of ["ai_usage_logs", "ai_cached_answers", "ai_recorded_answers"])
    await ai.db.query(`delete from ${table}`);
});
afterAll(async () => {
  await ai.stop();
  await server.close();
});

const ask = (request: Partial<ModelRequest> = {}) =>
  ai.services.ai.generate({ model: "openai:m", messages, caller, ...request });
const usage = async () =>
  (await ai.invoke<UsageRow[]>("GET", "ai-usage-logs", { query: { sort: '["id","ASC"]' } })).map(
    ({ source, costMicros }) => [source, costMicros],
  );

test("the very same request is answered from the cache, at no cost, and says so", async () => {
  const first = await ask({ cacheTtlMs: 60_000 });
  const again = await ask({ cacheTtlMs: 60_000 });
  expect(again).toMatchObject({ text: first.text, source: "cache", costMicros: 0, usage: { total: 0 } });
  expect(first.source).toBeUndefined();
  expect(server.requests).toHaveLength(1);
  expect(await usage()).toEqual([
    ["provider", 11],
    ["cache", 0],
  ]);
  const pieces: string[] = [];
  await ai.services.ai.stream({ model: "openai:m", messages, caller, cacheTtlMs: 60_000 }, (_part, text) =>
    pieces.push(text),
  );
  expect(pieces).toEqual([first.text]);
});

test.each([
  ["other words", { messages: [{ role: "user" as const, content: "Hello!" }] }],
  ["another model", { model: "openai:other" }],
  ["another temperature", { temperature: 0.1 }],
  ["another seed", { seed: 1 }],
  ["a system prompt", { system: "Be kind." }],
  ["a schema", { outputSchema: { type: "object" } }],
  ["a tool", { tools: [{ id: "a.b", description: "", inputSchema: { type: "object" } }] }],
  ["another tenant", { caller: { tenantId: 2, userId: null } }],
])("%s is another request", async (_what, change) => {
  await ask({ cacheTtlMs: 60_000 });
  await ai.services.ai
    .generate({ model: "openai:m", messages, caller, cacheTtlMs: 60_000, ...change })
    .then(({ source }) => expect(source).toBeUndefined());
  expect(server.requests).toHaveLength(2);
});

test("without a time to live nothing is kept; after it the answer is gone, also from the table", async () => {
  await ask();
  await ask();
  expect(server.requests).toHaveLength(2);
  await ask({ cacheTtlMs: 60_000 });
  timing.advance(60_001);
  expect((await ask({ cacheTtlMs: 60_000 })).source).toBeUndefined();
  timing.advance(60_001);
  await ask({ cacheTtlMs: 60_000, seed: 5 });
  expect(await ai.db.query("select id from ai_cached_answers")).toHaveLength(1);
});

test("an answer that was cut off is not given again", async () => {
  replies = [{ text: "One", finishReason: "length" }];
  await ask({ cacheTtlMs: 60_000 });
  expect((await ask({ cacheTtlMs: 60_000 })).source).toBeUndefined();
});

test("an alias can have its answers kept", async () => {
  const body = { name: "kept", model: "openai:m", settings: { cacheTtlMs: 60_000 } };
  await ai.invoke("POST", "ai-aliases", { body });
  await ask({ model: "kept" });
  // What the model is called now is kept apart from who answered then.
  expect(await ask({ model: "kept" })).toMatchObject({ source: "cache", model: { alias: "kept" } });
});

test("recorded traffic is answered again without a model, the same request twice in its own order", async () => {
  const record = (callKey: string) => ({ name: "suite", mode: "record" as const, callKey });
  const replay = (callKey: string) => ({ name: "suite", mode: "replay" as const, callKey });
  const first = await ask({ recording: record("a/0") });
  const second = await ask({ recording: record("a/1") });
  expect(first.text).not.toBe(second.text);
  server.requests.length = 0;
  expect(await ask({ recording: replay("a/1") })).toMatchObject({
    text: second.text,
    source: "recording",
    costMicros: 0,
    usage: second.usage,
    message: second.message,
  });
  expect((await ask({ recording: replay("a/0") })).text).toBe(first.text);
  expect(server.requests).toEqual([]);
  expect(await usage()).toEqual([
    ["provider", 11],
    ["provider", 11],
    ["recording", 0],
    ["recording", 0],
  ]);
});

test("a replay needs no provider, and never asks one", async () => {
  const elsewhere = await startAi({ db: ai.db });
  await ask({ recording: { name: "suite", mode: "record", callKey: "a" } });
  server.requests.length = 0;
  const request = { model: "openai:m", messages, caller };
  const recording = { name: "suite", mode: "replay" as const, callKey: "a" };
  expect(await elsewhere.services.ai.generate({ ...request, recording })).toMatchObject({ source: "recording" });
  await elsewhere.stop();
  for (const change of [
    { recording: { ...recording, callKey: "b" } },
    { recording: { ...recording, name: "other" } },
    { recording, seed: 3 },
    { recording, caller: { tenantId: 2, userId: null } },
  ])
    await expect(ask(change), JSON.stringify(change)).rejects.toMatchObject({ code: "RECORDING_MISSING" });
  expect(server.requests).toEqual([]);
});

test("recorded again, the later answer counts", async () => {
  const recording = { name: "suite", mode: "record" as const, callKey: "a" };
  await ask({ recording });
  const later = await ask({ recording });
  expect((await ask({ recording: { ...recording, mode: "replay" } })).text).toBe(later.text);
});

test("corrections are recorded and replayed with the answers they correct", async () => {
  replies = [{ text: "no" }, { text: '{"n":1}' }];
  const outputSchema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
  const request = { model: "openai:m", messages, caller, outputSchema };
  const recording = { name: "suite", mode: "record" as const, callKey: "a" };
  await ai.services.ai.object({ ...request, recording });
  server.requests.length = 0;
  const again = await ai.services.ai.object({ ...request, recording: { ...recording, mode: "replay" } });
  expect(again.object).toEqual({ n: 1 });
  expect(server.requests).toEqual([]);
});
