import type { ModelAlias, UsageRow } from "@oven/contract/ai";
import { type ModelReply, type ModelServer, startModelServer } from "@oven/testing";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { startAi, type TestAi } from "../model/testing/start-ai.ts";

const messages = [{ role: "user" as const, content: "Hello" }];
const caller = { tenantId: 1, userId: null, executionId: 5 };

let ai: TestAi;
let server: ModelServer;
let replies: Record<string, ModelReply> = {};

beforeAll(async () => {
  server = await startModelServer(({ body }) => replies[String(body.model)] ?? { text: `I am ${body.model}` });
  ai = await startAi({ environment: { variables: { OPENAI_BASE_URL: server.url } } });
});
beforeEach(() => {
  replies = {};
});
afterEach(async () => {
  server.requests.length = 0;
  await ai.db.query("delete from ai_aliases where name = 'chain'");
  await ai.db.query("delete from ai_usage_logs");
});
afterAll(async () => {
  await ai.stop();
  await server.close();
});

const asked = () => server.requests.map(({ body }) => body.model);
const chain = (models: string[], settings: object = {}) =>
  ai.invoke<ModelAlias>("POST", "ai-aliases", { body: { name: "chain", models, settings } });
const usage = () => ai.invoke<UsageRow[]>("GET", "ai-usage-logs", { query: { sort: '["id","ASC"]' } });
const generate = () => ai.services.ai.generate({ model: "chain", messages, caller });

test.each([
  ["is down", { status: 500 }, "MODEL_UNAVAILABLE"],
  ["has too many requests", { status: 429, retryAfter: 30 }, "MODEL_RATE_LIMITED"],
  ["has no quota left", { status: 429, code: "insufficient_quota" }, "MODEL_QUOTA_EXHAUSTED"],
  ["breaks the connection", { breakAfter: 0 }, "MODEL_UNAVAILABLE"],
])("a model that %s passes the request on, and answer and usage tell", async (_why, reply, code) => {
  replies.a = reply;
  await chain(["openai:a", "openai:b", "openai:c"]);
  const answer = await generate();
  expect(answer).toMatchObject({ text: "I am b", model: { modelId: "b", alias: "chain" } });
  expect(answer.fallbacks).toEqual([{ model: "openai:a", code, message: expect.any(String) }]);
  expect(asked()).toEqual(["a", "b"]);
  expect((await usage()).map(({ modelId, status, fallbackFrom }) => [modelId, status, fallbackFrom])).toEqual([
    ["a", "error", null],
    ["b", "ok", "openai:a"],
  ]);
});

test("a model that is too slow passes the request on", async () => {
  replies.a = { text: "never", stallAfter: 0 };
  await chain(["openai:a", "openai:b"], { timeoutMs: 2_000 });
  expect(await generate()).toMatchObject({ text: "I am b", fallbacks: [{ code: "MODEL_TIMEOUT" }] });
});

test("a provider without a key passes the request on; resolving tells who would answer", async () => {
  expect(await chain(["anthropic:x", "openai:b"])).toMatchObject({
    model: "anthropic:x",
    models: ["anthropic:x", "openai:b"],
    resolvesTo: { providerId: "openai", modelId: "b" },
  });
  expect(await generate()).toMatchObject({ fallbacks: [{ code: "MODEL_PROVIDER_NOT_CONFIGURED" }] });
});

test("what another model could not help with is not passed on", async () => {
  replies.a = { status: 400, message: "bad tool schema" };
  await chain(["openai:a", "openai:b"]);
  await expect(generate()).rejects.toMatchObject({ code: "MODEL_REFUSED_REQUEST" });
  expect(asked()).toEqual(["a"]);
});

test("when nobody answers, the last failure is the answer", async () => {
  replies.a = { status: 500 };
  replies.b = { status: 429 };
  await chain(["openai:a", "openai:b"]);
  await expect(generate()).rejects.toMatchObject({ code: "MODEL_RATE_LIMITED" });
  expect(await usage()).toHaveLength(2);
});

test("an abort ends it: nobody else is asked", async () => {
  replies.a = { text: "One two", stallAfter: 1 };
  await chain(["openai:a", "openai:b"]);
  const controller = new AbortController();
  const stopped = ai.services.ai.generate({ model: "chain", messages, caller, signal: controller.signal });
  await expect.poll(asked).toEqual(["a"]);
  controller.abort();
  await expect(stopped).rejects.toMatchObject({ code: "MODEL_ABORTED" });
  expect(asked()).toEqual(["a"]);
});

test("text of a model that broke off is taken back before the next one's is shown", async () => {
  replies.a = { text: "One two three", breakAfter: 3 };
  await chain(["openai:a", "openai:b"]);
  const shown = new Map<string, string>();
  const answer = await ai.services.ai.stream(
    { model: "chain", messages, caller },
    {
      onText(partId, text) {
        shown.set(partId, (shown.get(partId) ?? "") + text);
      },
      onDiscarded(partIds) {
        for (const partId of partIds) shown.delete(partId);
      },
    },
  );
  expect(answer.text).toBe("I am b");
  expect([...shown.values()]).toEqual(["I am b"]);
  expect(answer.fallbacks).toMatchObject([{ code: "MODEL_STREAM_BROKEN" }]);
});

test("where shown text cannot be taken back, a broken stream is an error and nobody else is asked", async () => {
  replies.a = { text: "One two three", breakAfter: 3 };
  await chain(["openai:a", "openai:b"]);
  const broken = ai.services.ai.stream({ model: "chain", messages, caller }, () => undefined);
  await expect(broken).rejects.toMatchObject({ code: "MODEL_STREAM_BROKEN" });
  expect(asked()).toEqual(["a"]);
  // What arrived was made, and is paid: it is estimated.
  expect((await usage())[0]).toMatchObject({ status: "error", estimated: true, tokenUsage: { output: 2 } });
});

test("an alias can be made, read, changed and deleted; a model that cannot be called is refused", async () => {
  const made = await ai.invoke<ModelAlias>("POST", "ai-aliases", { body: { name: "chain", model: "openai:a" } });
  const params = { id: String(made.id) };
  expect(made.models).toEqual(["openai:a"]);
  // The older form: a client sends the row back with another `model`.
  const single = await ai.invoke<ModelAlias>("PUT", "ai-aliases/[id]", {
    params,
    body: { ...made, model: "openai:b" },
  });
  expect(single.models).toEqual(["openai:b"]);
  const many = await ai.invoke<ModelAlias>("PUT", "ai-aliases/[id]", {
    params,
    body: { models: ["openai:b", "simulated:echo"] },
  });
  expect(many).toMatchObject({ model: "openai:b", models: ["openai:b", "simulated:echo"] });
  await expect(
    ai.invoke("PUT", "ai-aliases/[id]", { params, body: { models: ["openai:b", "nobody:c"] } }),
  ).rejects.toMatchObject({ code: "MODEL_UNKNOWN" });
  expect(await ai.invoke("GET", "ai-aliases/[id]", { params })).toMatchObject({ models: many.models });
  await expect(ai.invoke("POST", "ai-aliases", { body: { name: "chain", model: "openai:a" } })).rejects.toMatchObject({
    cause: { code: "23505" },
  });
  await ai.invoke("DELETE", "ai-aliases/[id]", { params });
  await expect(generate()).rejects.toMatchObject({ code: "MODEL_UNKNOWN" });
});
