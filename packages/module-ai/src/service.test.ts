import { SYSTEM_PRINCIPAL } from "@oven/contract";
import type { ModelAlias, UsageRow } from "@oven/contract/ai";
import type { Database } from "@oven/db";
import { createTestPglite } from "@oven/db/testing";
import {
  createRuntime,
  createSystemModule,
  invokeRoute,
  type ModuleDefinition,
  type Runtime,
  type RuntimeEnvironment,
} from "@oven/module-registry";
import { type ModelServer, startModelServer } from "@oven/testing";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createAiModule } from "./ai.module.ts";
import { environmentProviders } from "./providers/environment-providers.ts";

let db: Database;
let server: ModelServer;
let runtime: Runtime | undefined;
let module: ModuleDefinition;

beforeAll(async () => {
  db = await createTestPglite();
  server = await startModelServer(() => ({ text: "Hello there", usage: { input: 4, output: 2 } }), {
    models: ["house-model", "gpt-5"],
  });
});

afterEach(async () => {
  await runtime?.stop();
  runtime = undefined;
});

afterAll(async () => {
  await server.close();
  await db.close();
});

async function start(openaiUrl: string | undefined): Promise<Runtime> {
  const environment: RuntimeEnvironment = {
    publicUrl: "http://localhost:3000",
    dataDir: "unused",
    secret: "test",
    demo: false,
    variables: { OPENAI_BASE_URL: openaiUrl },
    bootstrapApiKey: undefined,
    outboundAllow: [],
    production: false,
  };
  module = createAiModule();
  runtime = await createRuntime({ db, modules: [createSystemModule(), module], environment });
  return runtime;
}

async function invoke<T>(
  method: string,
  path: string,
  given: { params?: unknown; query?: unknown; body?: unknown },
  principal = SYSTEM_PRINCIPAL,
) {
  const route = module.routes.find((candidate) => candidate.method === method && candidate.path === path);
  if (route === undefined || runtime === undefined) throw new Error(`No route ${method} ${path}`);
  const options = { principal, services: runtime.services, signal: AbortSignal.timeout(5_000) };
  return (await invokeRoute(route, given, options)) as T; // cast: the route's response schema
}

const caller = { tenantId: 1, userId: null, executionId: 12, nodeId: "draft.llm" };
const messages = [{ role: "user" as const, content: "Hello" }];
const usageOf = (executionId: number) =>
  invoke<UsageRow[]>("GET", "ai-usage-logs", {
    query: { filter: JSON.stringify({ executionId }), sort: '["id","ASC"]' },
  });

test("[004-029] an alias resolves at each call: change the row, the next call uses the new model", async () => {
  const { services } = await start(server.url);
  const alias = (await invoke<ModelAlias[]>("GET", "ai-aliases", {})).find(({ name }) => name === "fast");
  // `auto` takes a model that the server really lists: none of the preferred ones but the first of the list.
  expect(alias?.resolvesTo).toEqual({ providerId: "openai", modelId: "house-model", simulated: false, alias: "fast" });
  await services.ai.generate({ model: "fast", messages, caller });
  const params = { id: String(alias?.id) };
  await invoke("PUT", "ai-aliases/[id]", { params, body: { model: "openai:other", settings: { temperature: 0.5 } } });
  const answer = await services.ai.generate({ model: "fast", messages, caller });
  expect(answer.model.modelId).toBe("other");
  expect(server.requests.map(({ body }) => body.model)).toEqual(["house-model", "other"]);
  expect(server.requests[1]?.body.temperature).toBe(0.5);
  await invoke("PUT", "ai-aliases/[id]", { params, body: { model: "auto", settings: {} } });
  expect((await services.ai.resolve("smart", 1)).modelId).toBe("gpt-5");
});

test("without a provider the aliases stand for the simulated echo, and say so", async () => {
  await start(undefined);
  const aliases = await invoke<ModelAlias[]>("GET", "ai-aliases", { query: { sort: '["name","ASC"]' } });
  expect(aliases.map(({ name, model, resolvesTo }) => [name, model, resolvesTo])).toEqual([
    ["embed", "auto", { providerId: "local", modelId: "use-lite", simulated: false, alias: "embed" }],
    ["fast", "auto", { providerId: "simulated", modelId: "echo", simulated: true, alias: "fast" }],
    ["image", "auto", { providerId: "simulated", modelId: "image", simulated: true, alias: "image" }],
    ["smart", "auto", { providerId: "simulated", modelId: "echo", simulated: true, alias: "smart" }],
  ]);
  const providers = await invoke<object[]>("GET", "ai-providers", {});
  expect(providers).toMatchObject([
    ...environmentProviders({}).map(({ id }) => ({ id, configured: false, simulated: false })),
    { id: "local", configured: true, simulated: false, source: "built-in" },
    { id: "simulated", configured: true, simulated: true },
  ]);
});

test("the models of each provider are listed as it tells them, and one that does not answer is said", async () => {
  await start(server.url);
  const listed = await invoke<object[]>("GET", "ai-models", {});
  expect(listed).toContainEqual({
    id: "openai",
    title: expect.any(String),
    models: ["gpt-5", "house-model"],
    truncated: false,
    problem: null,
  });
  expect(listed).not.toContainEqual(expect.objectContaining({ id: "anthropic" }));
  await runtime?.stop();
  await start("http://127.0.0.1:9/v1");
  const silent = await invoke<{ id: string; models: string[] }[]>("GET", "ai-models", {});
  expect(silent.find(({ id }) => id === "openai")).toMatchObject({
    models: [],
    problem: { message: expect.stringContaining("127.0.0.1:9"), fix: expect.any(String) },
  });
  expect(silent.find(({ id }) => id === "simulated")?.models.length).toBeGreaterThan(0);
});

test("another tenant needs no rows of its own for the built-in names", async () => {
  const { services } = await start(undefined);
  expect(await services.ai.resolve("fast", 2)).toMatchObject({ providerId: "simulated", modelId: "echo" });
  expect(await services.ai.resolve("embed", 2)).toMatchObject({ providerId: "local" });
  await expect(services.ai.resolve("mine", 2)).rejects.toMatchObject({ code: "MODEL_UNKNOWN" });
});

test("[004-031] a name that stands for nothing is an error, never another model", async () => {
  const { services } = await start(undefined);
  const generate = (model: string) => services.ai.generate({ model, messages, caller });
  await expect(generate("fastest")).rejects.toMatchObject({
    code: "MODEL_UNKNOWN",
    fix: expect.stringContaining("fast, image, smart"),
  });
  await expect(generate("nobody:model")).rejects.toMatchObject({ code: "MODEL_UNKNOWN" });
  await expect(generate("simulated:nobody")).rejects.toMatchObject({ code: "MODEL_UNKNOWN" });
  await expect(generate("openai:gpt-5")).rejects.toMatchObject({ code: "MODEL_PROVIDER_NOT_CONFIGURED" });
  const [alias] = await invoke<ModelAlias[]>("GET", "ai-aliases", {});
  const change = invoke("PUT", "ai-aliases/[id]", {
    params: { id: String(alias?.id) },
    body: { model: "openai:gpt-5" },
  });
  await expect(change).rejects.toMatchObject({ code: "MODEL_PROVIDER_NOT_CONFIGURED" });
});

test("[004-030] every call leaves one usage row: answered, failed and aborted", async () => {
  const { services } = await start(server.url);
  const here = { ...caller, executionId: 77, userId: 5 };
  await services.ai.stream({ model: "openai:test", messages, caller: here }, () => {});
  services.ai.registerScript({ name: "broken", rules: [], otherwise: { fail: { status: 500 } } });
  await expect(services.ai.generate({ model: "simulated:broken", messages, caller: here })).rejects.toThrow();
  const signal = AbortSignal.abort();
  await expect(services.ai.generate({ model: "openai:test", messages, caller: here, signal })).rejects.toThrow();
  const rows = await usageOf(77);
  expect(rows.map(({ providerId, modelId, operation, status }) => [providerId, modelId, operation, status])).toEqual([
    ["openai", "test", "stream", "ok"],
    ["simulated", "broken", "generate", "error"],
    ["openai", "test", "generate", "aborted"],
  ]);
  expect(rows[0]).toMatchObject({
    tokenUsage: { input: 4, output: 2, total: 6 },
    nodeId: "draft.llm",
    userId: 5,
    tenantId: 1,
  });
  expect(rows[1]?.error).toContain("MODEL_UNAVAILABLE");
});

test("usage and aliases of another tenant are not seen, and its aliases not changed", async () => {
  const { services } = await start(undefined);
  await services.ai.generate({ model: "simulated:echo", messages, caller: { ...caller, executionId: 90 } });
  const stranger = { ...SYSTEM_PRINCIPAL, tenantId: 2 };
  const query = { filter: '{"executionId":90}' };
  expect(await invoke("GET", "ai-usage-logs", { query }, stranger)).toEqual([]);
  expect(await invoke("GET", "ai-usage-logs", { query })).toHaveLength(1);
  expect(await invoke("GET", "ai-aliases", {}, stranger)).toEqual([]);
  const [alias] = await invoke<ModelAlias[]>("GET", "ai-aliases", {});
  const change = invoke(
    "PUT",
    "ai-aliases/[id]",
    { params: { id: String(alias?.id) }, body: { model: "auto" } },
    stranger,
  );
  await expect(change).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("the generate route answers with text, usage and the model that answered", async () => {
  await start(undefined);
  const body = { model: "simulated:echo", messages };
  expect(await invoke("POST", "ai/generate", { body })).toMatchObject({
    text: "[simulated] Hello",
    model: { simulated: true },
  });
  const powerless = { ...SYSTEM_PRINCIPAL, permissions: ["ai-aliases.read"] };
  await expect(invoke("POST", "ai/generate", { body }, powerless)).rejects.toMatchObject({ status: 403 });
});
