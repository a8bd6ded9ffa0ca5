import type { UsageRow } from "@oven/contract/ai";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { startAi, type TestAi } from "../model/testing/start-ai.ts";
import { type Recorder, startRecorder } from "../model/testing/start-recorder.ts";

const caller = { tenantId: 1, userId: null, executionId: 9 };
const record = (callKey = "a") => ({ ...caller, recording: { name: "suite", mode: "record" as const, callKey } });
const replay = (callKey = "a") => ({ ...caller, recording: { name: "suite", mode: "replay" as const, callKey } });

let ai: TestAi;
let vendor: Recorder;
let made = 0;

beforeAll(async () => {
  vendor = await startRecorder(({ path, body }) => {
    made++;
    if (path.includes("/embeddings"))
      return {
        json: {
          data: body.input.map((_text: string, index: number) => ({ index, embedding: [made, index, 0.1] })),
          usage: { prompt_tokens: 5, total_tokens: 5 },
        },
      };
    return { json: { created: 1, data: [{ b64_json: Buffer.from([0, 255, made]).toString("base64") }] } };
  });
  ai = await startAi({ environment: { outboundAllow: [vendor.origin] } });
  await ai.invoke("POST", "ai-providers", { body: { id: "house", kind: "openai-compatible", baseUrl: vendor.origin } });
  await ai.invoke("POST", "ai-prices", {
    body: { providerId: "house", modelId: "*", inputMicros: 1_000_000, imageMicros: 40 },
  });
});
afterEach(async () => {
  vendor.requests.length = 0;
  for (const table of ["ai_usage_logs", "ai_recorded_answers"]) await ai.db.query(`delete from ${table}`);
});
afterAll(async () => {
  await ai.stop();
  await vendor.close();
});

const embed = (values: string[], by: typeof caller, model = "house:m") =>
  ai.services.ai.embed({ model, values, caller: by });
const paint = (by: typeof caller, more: object = {}) =>
  ai.services.ai.generateImage({ model: "house:painter", prompt: "a door", caller: by, ...more });
const usage = async () =>
  (await ai.invoke<UsageRow[]>("GET", "ai-usage-logs", { query: { sort: '["id","ASC"]' } })).map(
    ({ operation, source, costMicros }) => [operation, source, costMicros],
  );

test("vectors are recorded and answered again without a provider, at no cost, the same text twice in its own order", async () => {
  const [first, second] = [await embed(["x", "y"], record("a")), await embed(["x", "y"], record("b"))];
  expect(second.embeddings).not.toEqual(first.embeddings);
  vendor.requests.length = 0;
  expect(await embed(["x", "y"], replay("b"))).toEqual({ ...second, costMicros: 0, source: "recording" });
  expect((await embed(["x", "y"], replay("a"))).embeddings).toEqual(first.embeddings);
  expect(vendor.requests).toEqual([]);
  expect(await usage()).toEqual([
    ["embed", "provider", 5],
    ["embed", "provider", 5],
    ["embed", "recording", 0],
    ["embed", "recording", 0],
  ]);
});

test("images are recorded and answered again byte for byte", async () => {
  const first = await paint(record(), { size: "64x64" });
  expect(first).toMatchObject({ costMicros: 40 });
  expect(first.source).toBeUndefined();
  vendor.requests.length = 0;
  const again = await paint(replay(), { size: "64x64" });
  expect(again).toEqual({ ...first, costMicros: 0, source: "recording" });
  expect(Buffer.from(again.images[0]?.bytes ?? [])).toEqual(Buffer.from(first.images[0]?.bytes ?? []));
  expect(vendor.requests).toEqual([]);
  expect(await usage()).toEqual([
    ["image", "provider", 40],
    ["image", "recording", 0],
  ]);
});

test("a replay asks nobody: what was not recorded like this is an error", async () => {
  await embed(["x"], record());
  await paint(record());
  vendor.requests.length = 0;
  const missing = { code: "RECORDING_MISSING" };
  await expect(embed(["x", "x"], replay())).rejects.toMatchObject(missing);
  await expect(embed(["x"], replay(), "house:other")).rejects.toMatchObject(missing);
  await expect(embed(["x"], { ...replay(), tenantId: 2 })).rejects.toMatchObject(missing);
  for (const more of [
    { prompt: "a gate" },
    { count: 2 },
    { size: "64x64" },
    { seed: 1 },
    { quality: "hd" },
    { style: "vivid" },
  ])
    await expect(paint(replay(), more), JSON.stringify(more)).rejects.toMatchObject(missing);
  await expect(
    ai.services.ai.generateVideo({ model: "house:films", prompt: "a door", caller: replay() }),
  ).rejects.toMatchObject(missing);
  expect(vendor.requests).toEqual([]);
});

test("what a call of another kind has recorded under the same key is not taken for it", async () => {
  await paint(record());
  await expect(embed(["a door"], replay(), "house:painter")).rejects.toMatchObject({ code: "RECORDING_MISSING" });
});

test("a call that fails records nothing, and one without a recording neither", async () => {
  await embed(["x"], caller);
  await paint(caller);
  await expect(embed(["x"], record(), "nobody:m")).rejects.toMatchObject({ code: expect.any(String) });
  expect(await ai.db.query("select 1 from ai_recorded_answers")).toEqual([]);
});
