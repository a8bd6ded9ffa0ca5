import { SYSTEM_PRINCIPAL } from "@oven/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startAi, type TestAi } from "../model/testing/start-ai.ts";
import { seedPrices } from "./list-prices.ts";
import { findPrice, toCostMicros } from "./prices.ts";

let ai: TestAi;

beforeAll(async () => {
  ai = await startAi();
});
afterAll(() => ai.stop());

const OPENAI = { providerId: "openai", vendor: "openai" };
const priceOf = (modelId: string, tenantId = 1) => findPrice(ai.db, tenantId, { ...OPENAI, modelId });

test("cost counts cached input at its own price and rounds up", async () => {
  const usage = { input: 1_000_000, output: 100_000, total: 1_100_000, cached: 400_000 };
  // 0.6 M × 2 USD + 0.4 M × 0.5 USD + 0.1 M × 8 USD
  expect(toCostMicros(usage, await priceOf("gpt-4.1"))).toBe(2_200_000);
  expect(toCostMicros({ input: 1, output: 0, total: 1 }, await priceOf("gpt-5-nano"))).toBe(1);
});

test("a dated release has its model's price, an unlisted model none", async () => {
  expect(await priceOf("gpt-5-mini-2025-08-07")).toEqual(await priceOf("gpt-5-mini"));
  expect(await priceOf("some-model")).toBeUndefined();
  expect(toCostMicros({ input: 10, output: 10, total: 20 }, undefined)).toBe(0);
});

test("the longest answer of a listed model is known, also under a price that the tenant says, unless it says that too", async () => {
  expect(await priceOf("gpt-4.1-mini")).toMatchObject({ maxOutputTokens: 32_768 });
  expect(await priceOf("text-embedding-3-small")).toMatchObject({ maxOutputTokens: null });
  const say = (body: object) =>
    ai.invoke<{ id: number }>("POST", "ai-prices", {
      body: { providerId: "openai", modelId: "gpt-4.1-mini", ...body },
    });
  const { id } = await say({ inputMicros: 7 });
  expect(await priceOf("gpt-4.1-mini")).toMatchObject({ inputMicros: 7, maxOutputTokens: 32_768 });
  await ai.invoke("PUT", "ai-prices/[id]", { params: { id: String(id) }, body: { maxOutputTokens: 500 } });
  expect(await priceOf("gpt-4.1-mini")).toMatchObject({ inputMicros: 7, maxOutputTokens: 500 });
  expect(await priceOf("gpt-4.1-mini", 2)).toMatchObject({ maxOutputTokens: 32_768 });
  await ai.invoke("DELETE", "ai-prices/[id]", { params: { id: String(id) } });
  await expect(say({ maxOutputTokens: 0 })).rejects.toMatchObject({ code: "INVALID_REQUEST" });
});

test("a start teaches an older installation the longest answers, and changes no price", async () => {
  await ai.db.query(
    "update ai_prices set max_output_tokens = null, input_micros = 5 where tenant_id = 0 and model_id = 'gpt-5'",
  );
  await ai.db.query("update ai_prices set max_output_tokens = 9 where tenant_id = 0 and model_id = 'gpt-5-nano'");
  await seedPrices(ai.db);
  expect(await priceOf("gpt-5")).toMatchObject({ inputMicros: 5, maxOutputTokens: 128_000 });
  expect(await priceOf("gpt-5-nano")).toMatchObject({ maxOutputTokens: 9 });
  await ai.db.query("update ai_prices set input_micros = 1250000 where tenant_id = 0 and model_id = 'gpt-5'");
});

test("somebody else's server with a model of the same name has no list price", async () => {
  expect(await findPrice(ai.db, 1, { providerId: "openai", modelId: "gpt-5" })).toBeUndefined();
});

test("a tenant's own price comes before the list's, also its `*`, and only for itself", async () => {
  const body = { providerId: "openai", modelId: "gpt-5", inputMicros: 7, outputMicros: 9 };
  const made = await ai.invoke<{ id: number }>("POST", "ai-prices", { body });
  await ai.invoke("POST", "ai-prices", { body: { providerId: "openai", modelId: "*", inputMicros: 3 } });
  // Without a price of its own, cached input costs what input costs.
  expect(await priceOf("gpt-5")).toMatchObject({ inputMicros: 7, cachedInputMicros: 7, outputMicros: 9 });
  expect(await priceOf("some-model")).toMatchObject({ inputMicros: 3, outputMicros: 0 });
  expect(await priceOf("gpt-5", 2)).toMatchObject({ inputMicros: 1_250_000 });
  await ai.invoke("DELETE", "ai-prices/[id]", { params: { id: String(made.id) } });
  // What the tenant says of all models comes before what the list says of one.
  expect(await priceOf("gpt-4.1")).toMatchObject({ inputMicros: 3 });
});

test("list prices are seen by everybody and changed by nobody; another tenant's are not found", async () => {
  const [listed] = await ai.invoke<{ id: number; tenantId: null }[]>("GET", "ai-prices", {
    query: { filter: '{"modelId":"gpt-5-nano"}' },
  });
  expect(listed?.tenantId).toBeNull();
  const params = { id: String(listed?.id) };
  await expect(ai.invoke("PUT", "ai-prices/[id]", { params, body: { inputMicros: 0 } })).rejects.toMatchObject({
    status: 403,
  });
  const own = await ai.invoke<{ id: number }>("POST", "ai-prices", { body: { providerId: "x", modelId: "y" } });
  const stranger = { ...SYSTEM_PRINCIPAL, tenantId: 2 };
  for (const method of ["GET", "PUT", "DELETE"])
    await expect(
      ai.invoke(method, "ai-prices/[id]", { params: { id: String(own.id) }, body: {} }, stranger),
    ).rejects.toMatchObject({ code: "NOT_FOUND" });
});
