import { SYSTEM_PRINCIPAL } from "@oven/contract";
import type { ModelProvider, ProviderTest, UsageRow } from "@oven/contract/ai";
import { startModelServer } from "@oven/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startAi, type TestAi } from "../model/testing/start-ai.ts";
import { type Recorder, startRecorder } from "../model/testing/start-recorder.ts";
import { environmentProviders } from "./environment-providers.ts";

const KEY = "sk-of-the-tenant-0123456789";
const STRANGER = { ...SYSTEM_PRINCIPAL, tenantId: 2 };
const caller = { tenantId: 1, userId: null };
const messages = [{ role: "user" as const, content: "Hello" }];

let ai: TestAi;
let vendor: Recorder;
let closed: Recorder;

beforeAll(async () => {
  vendor = await startRecorder(({ path, headers }) => {
    if (path.endsWith("/chat/completions")) return { json: completion };
    const key = headers.authorization ?? headers["x-api-key"] ?? headers["x-goog-api-key"] ?? headers["x-key"];
    if (!String(key).endsWith(KEY)) return { status: 401 };
    return { json: { data: [{ id: "house-model" }], models: [{ name: "models/house-model" }] } };
  });
  closed = await startRecorder(() => ({ json: { data: [] } }));
  ai = await startAi({ environment: { outboundAllow: [vendor.origin] } });
  await ai.services.secrets.create(SYSTEM_PRINCIPAL, { name: "vendor-key", value: KEY, hosts: [vendor.host] });
});
beforeEach(() => {
  vendor.requests.length = 0;
});
afterAll(async () => {
  await ai.stop();
  await vendor.close();
  await closed.close();
});

const completion = {
  id: "1",
  created: 1,
  model: "house-model",
  choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "Hello there" } }],
  usage: { prompt_tokens: 4, completion_tokens: 2, total_tokens: 6 },
};

const make = (body: object) => ai.invoke<ModelProvider>("POST", "ai-providers", { body });
const testIt = (id: string) => ai.invoke<ProviderTest>("POST", "ai-providers/[id]/test", { params: { id } });

test("[004-030] a provider of the tenant's own is called at its address with its key and headers, and no row shows the key", async () => {
  const made = await make({
    id: "house",
    kind: "openai-compatible",
    baseUrl: `${vendor.origin}/v1/`,
    secret: "vendor-key",
    headers: { "x-team": "support", "x-more": { $secret: "vendor-key", prefix: "Token " } },
  });
  expect(made).toMatchObject({ id: "house", configured: true, source: "tenant", secret: "vendor-key" });
  const answer = await ai.services.ai.generate({ model: "house:some-model", messages, caller });
  expect(answer).toMatchObject({ text: "Hello there", model: { providerId: "house", modelId: "some-model" } });
  expect(vendor.requests).toMatchObject([
    {
      path: "/v1/chat/completions",
      headers: { authorization: `Bearer ${KEY}`, "x-team": "support", "x-more": `Token ${KEY}` },
      body: { model: "some-model" },
    },
  ]);
  const [usage] = await ai.invoke<UsageRow[]>("GET", "ai-usage-logs");
  expect(usage).toMatchObject({ providerId: "house", modelId: "some-model", status: "ok" });
  const rows = await ai.db.query("select * from ai_providers");
  expect(JSON.stringify(rows)).not.toContain(KEY);
});

test.each([
  ["openai", "", "/models", { authorization: `Bearer ${KEY}` }],
  ["anthropic", "", "/models?limit=1000", { "x-api-key": KEY, "anthropic-version": "2023-06-01" }],
  ["google", "", "/models?pageSize=1000", { "x-goog-api-key": KEY }],
  ["black-forest-labs", "", "/credits", { "x-key": KEY }],
  ["replicate", "", "/account", { authorization: `Bearer ${KEY}` }],
])("the test of a provider of kind %s really calls it with its key", async (kind, base, path, headers) => {
  const id = `my-${kind}`;
  await make({ id, kind, baseUrl: `${vendor.origin}${base}`, secret: "vendor-key" });
  const hasList = ["openai", "anthropic", "google"].includes(kind);
  expect(await testIt(id)).toMatchObject({ ok: true, models: hasList ? ["house-model"] : [], problem: null });
  expect(vendor.requests).toMatchObject([{ method: "GET", path, headers }]);
});

test.each([
  ["anthropic", "/messages", "x-api-key"],
  ["google", "/models/m:generateContent", "x-goog-api-key"],
  ["openai", "/responses", "authorization"],
])("a call of a model of kind %s goes to its own endpoint with its own kind of key", async (kind, path, header) => {
  const id = `call-${kind}`;
  await make({ id, kind, baseUrl: vendor.origin, secret: "vendor-key" });
  // What the recorder answers is no answer of a model; what was sent is what this is about.
  await Promise.allSettled([ai.services.ai.generate({ model: `${id}:m`, messages, caller })]);
  expect(vendor.requests).toMatchObject([
    { method: "POST", path, headers: { [header]: expect.stringContaining(KEY) } },
  ]);
  expect(JSON.stringify(vendor.requests[0]?.body)).toContain("Hello");
});

test("the test says what is wrong with a key, an address and a missing secret, and what to do", async () => {
  await ai.services.secrets.create(SYSTEM_PRINCIPAL, {
    name: "old-key",
    value: "sk-old-0123456789",
    hosts: [vendor.host],
  });
  await make({ id: "wrong-key", kind: "openai", baseUrl: vendor.origin, secret: "old-key" });
  expect(await testIt("wrong-key")).toMatchObject({
    ok: false,
    problem: expect.stringContaining("401"),
    fix: "Check the value of the secret old-key",
  });
  await make({ id: "no-secret", kind: "openai", baseUrl: vendor.origin, secret: "nowhere" });
  expect(await testIt("no-secret")).toMatchObject({ ok: false, problem: expect.stringContaining("nowhere") });
  await make({ id: "nobody-there", kind: "openai-compatible", baseUrl: "http://127.0.0.1:9/v1" });
  expect(await testIt("nobody-there")).toMatchObject({
    ok: false,
    fix: expect.stringContaining("OVEN_OUTBOUND_ALLOW"),
  });
});

test("a tenant's provider reaches no address of this machine, by call or by test", async () => {
  await make({ id: "inner", kind: "openai-compatible", baseUrl: `${closed.origin}/v1` });
  await expect(ai.services.ai.generate({ model: "inner:m", messages, caller })).rejects.toMatchObject({
    code: "OUTBOUND_REFUSED",
  });
  expect(await testIt("inner")).toMatchObject({ ok: false });
  expect(closed.requests).toEqual([]);
});

test("text of a tenant's provider streams: it is handed over before the model has finished", async () => {
  let openGate = () => {};
  const opened = new Promise<void>((resolve) => {
    openGate = resolve;
  });
  const server = await startModelServer([{ text: "One two three", gate: { after: 2, opened } }]);
  const other = await startAi({ environment: { outboundAllow: [new URL(server.url).origin] } });
  await other.invoke("POST", "ai-providers", { body: { id: "x", kind: "openai-compatible", baseUrl: server.url } });
  const pieces: string[] = [];
  // The server holds back the rest until the first word has been seen: without streaming this would never end.
  await other.services.ai.stream({ model: "x:m", messages, caller }, (_part, text) => {
    pieces.push(text);
    openGate();
  });
  expect(pieces).toEqual(["One ", "two ", "three"]);
  await other.stop();
  await server.close();
});

test("`auto` asks a tenant's provider for its list once, the test of the provider each time, and a changed row anew", async () => {
  const other = await startAi({ environment: { outboundAllow: [vendor.origin] } });
  await other.services.secrets.create(SYSTEM_PRINCIPAL, { name: "vendor-key", value: KEY, hosts: [vendor.host] });
  const body = { id: "x", kind: "openai-compatible", baseUrl: vendor.origin, secret: "vendor-key" };
  await other.invoke("POST", "ai-providers", { body });
  for (let call = 0; call < 3; call++)
    expect(await other.services.ai.resolve("fast", 1)).toMatchObject({ providerId: "x", modelId: "house-model" });
  expect(vendor.requests).toHaveLength(1);
  const params = { id: "x" };
  for (let call = 0; call < 2; call++) await other.invoke("POST", "ai-providers/[id]/test", { params });
  expect(vendor.requests).toHaveLength(3);
  await other.invoke("PUT", "ai-providers/[id]", { params, body: { baseUrl: `${vendor.origin}/v2` } });
  await other.services.ai.resolve("fast", 1);
  expect(vendor.requests.at(-1)?.path).toBe("/v2/models");
  await other.stop();
});

test("a key leaves for no other host than those it is bound to", async () => {
  const elsewhere = await startRecorder(() => ({ json: completion }));
  const other = await startAi({ environment: { outboundAllow: [elsewhere.origin] } });
  await other.services.secrets.create(SYSTEM_PRINCIPAL, { name: "k", value: KEY, hosts: ["api.example.com"] });
  const body = { id: "x", kind: "openai-compatible", baseUrl: elsewhere.origin, secret: "k" };
  await other.invoke("POST", "ai-providers", { body });
  await expect(other.services.ai.generate({ model: "x:m", messages, caller })).rejects.toMatchObject({
    code: "SECRET_HOST_REFUSED",
  });
  expect(elsewhere.requests).toEqual([]);
  await other.stop();
  await elsewhere.close();
});

test("a provider is its tenant's alone: nobody else sees, calls, changes or deletes it", async () => {
  await make({ id: "private", kind: "openai-compatible", baseUrl: vendor.origin });
  const listed = await ai.invoke<ModelProvider[]>("GET", "ai-providers", {}, STRANGER);
  const shared = environmentProviders({}).map(({ id }) => id);
  expect(listed.map(({ id }) => id)).toEqual([...shared, "local", "simulated"]);
  const params = { id: "private" };
  for (const [method, path] of [
    ["GET", "ai-providers/[id]"],
    ["PUT", "ai-providers/[id]"],
    ["DELETE", "ai-providers/[id]"],
    ["POST", "ai-providers/[id]/test"],
  ] as const)
    await expect(ai.invoke(method, path, { params, body: {} }, STRANGER), path).rejects.toMatchObject({ status: 404 });
  const theirs = { tenantId: 2, userId: null };
  await expect(ai.services.ai.generate({ model: "private:m", messages, caller: theirs })).rejects.toMatchObject({
    code: "MODEL_UNKNOWN",
  });
  expect(await ai.invoke("GET", "ai-providers/[id]", { params })).toMatchObject({ id: "private" });
});

test("a provider that is switched off is not called; a deleted one is unknown", async () => {
  await make({ id: "off", kind: "openai-compatible", baseUrl: vendor.origin });
  const params = { id: "off" };
  const current = await ai.invoke<ModelProvider>("GET", "ai-providers/[id]", { params });
  // A client that sends the whole row back changes only what it changed.
  const changed = await ai.invoke("PUT", "ai-providers/[id]", { params, body: { ...current, enabled: false } });
  expect(changed).toMatchObject({ enabled: false, configured: false, kind: "openai-compatible" });
  const generate = () => ai.services.ai.generate({ model: "off:m", messages, caller });
  await expect(generate()).rejects.toMatchObject({ code: "MODEL_PROVIDER_NOT_CONFIGURED" });
  await ai.invoke("DELETE", "ai-providers/[id]", { params });
  await expect(generate()).rejects.toMatchObject({ code: "MODEL_UNKNOWN" });
});

test("ids of built-in providers cannot be taken, an id not twice; the environment's are not changed here", async () => {
  for (const id of ["simulated", "local", "auto"])
    await expect(make({ id, kind: "openai" })).rejects.toMatchObject({ code: "PROVIDER_ID_TAKEN" });
  await make({ id: "twice", kind: "openai" });
  await expect(make({ id: "twice", kind: "openai" })).rejects.toMatchObject({ cause: { code: "23505" } });
  await expect(make({ id: "no-address", kind: "openai-compatible" })).rejects.toMatchObject({ status: 400 });
  const params = { id: "anthropic" };
  await expect(ai.invoke("PUT", "ai-providers/[id]", { params, body: { enabled: false } })).rejects.toMatchObject({
    status: 404,
  });
});

test("a tenant's provider of the same id comes before the environment's, for that tenant alone", async () => {
  await make({ id: "google", kind: "openai-compatible", baseUrl: vendor.origin });
  expect(await ai.services.ai.generate({ model: "google:m", messages, caller })).toMatchObject({ text: "Hello there" });
  const theirs = { tenantId: 2, userId: null };
  await expect(ai.services.ai.generate({ model: "google:m", messages, caller: theirs })).rejects.toMatchObject({
    code: "MODEL_PROVIDER_NOT_CONFIGURED",
  });
});
