import { SYSTEM_PRINCIPAL } from "@oven/contract";
import type { UsageRow } from "@oven/contract/ai";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { startAi, type TestAi } from "../model/testing/start-ai.ts";
import { type Recorder, startRecorder } from "../model/testing/start-recorder.ts";
import type { ImageRequest } from "./image-request.ts";

const caller = { tenantId: 1, userId: null, executionId: 9 };
const KEY = "sk-of-the-tenant-0123456789";
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

let ai: TestAi;
let vendor: Recorder;
let failing = false;

beforeAll(async () => {
  vendor = await startRecorder(({ path, body }, origin) => {
    if (failing) return { status: 500, json: { error: { message: "down" } } };
    if (path.includes("/images/generations"))
      return {
        json: { created: 1, data: Array.from({ length: body.n }, () => ({ b64_json: PNG.toString("base64") })) },
      };
    if (path.includes(":generateContent")) return { json: gemini };
    if (path.includes("/predictions"))
      return { json: { id: "p", status: "succeeded", output: [`${origin}/made.png`], urls: { get: `${origin}/p` } } };
    if (path.startsWith("/flux")) return { json: { id: "f", polling_url: `${origin}/get_result?id=f` } };
    if (path.startsWith("/get_result")) return { json: { status: "Ready", result: { sample: `${origin}/made.png` } } };
    if (path === "/made.png") return { bytes: PNG };
    return { status: 404 };
  });
  ai = await startAi({ environment: { outboundAllow: [vendor.origin] } });
  await ai.services.secrets.create(SYSTEM_PRINCIPAL, { name: "vendor-key", value: KEY, hosts: [vendor.host] });
  for (const kind of ["openai", "openai-compatible", "google", "black-forest-labs", "replicate", "anthropic"])
    await ai.invoke("POST", "ai-providers", {
      body: { id: `my-${kind}`, kind, baseUrl: vendor.origin, secret: "vendor-key" },
    });
});
afterEach(async () => {
  failing = false;
  vendor.requests.length = 0;
  await ai.db.query("delete from ai_usage_logs");
});
afterAll(async () => {
  await ai.stop();
  await vendor.close();
});

const gemini = {
  candidates: [
    {
      content: { role: "model", parts: [{ inlineData: { mimeType: "image/png", data: PNG.toString("base64") } }] },
      finishReason: "STOP",
    },
  ],
  usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 1_290, totalTokenCount: 1_295 },
};
const make = (request: Partial<ImageRequest> & { model: string }) =>
  ai.services.ai.generateImage({ prompt: "a red door", caller, ...request });
const usage = () => ai.invoke<UsageRow[]>("GET", "ai-usage-logs", { query: { sort: '["id","ASC"]' } });

test("[004-066] OpenAI gets size, style, quality and count in its own words, and the price is by the image", async () => {
  const answer = await make({
    ...{ model: "my-openai:dall-e-3", size: "1792x1024", style: "vivid", quality: "hd", count: 1 },
  });
  expect(vendor.requests).toMatchObject([
    {
      path: "/images/generations",
      headers: { authorization: `Bearer ${KEY}` },
      body: { model: "dall-e-3", prompt: "a red door", n: 1, size: "1792x1024", style: "vivid", quality: "hd" },
    },
  ]);
  expect(answer.images).toEqual([{ bytes: new Uint8Array(PNG), mediaType: "image/png" }]);
  expect(answer.costMicros).toBe(40_000);
  expect(await usage()).toMatchObject([
    {
      operation: "image",
      providerId: "my-openai",
      modelId: "dall-e-3",
      costMicros: 40_000,
      status: "ok",
      executionId: 9,
    },
  ]);
});

test("[004-066] a compatible server gets the same request", async () => {
  await make({ model: "my-openai-compatible:sdxl", size: "512x512", count: 2, quality: "low" });
  expect(vendor.requests).toMatchObject([{ body: { model: "sdxl", n: 2, size: "512x512", quality: "low" } }]);
});

test("[004-066] Google gets aspect ratio and seed", async () => {
  const answer = await make({ model: "my-google:gemini-2.5-flash-image", aspectRatio: "16:9", seed: 7 });
  expect(vendor.requests).toMatchObject([
    {
      path: "/models/gemini-2.5-flash-image:generateContent",
      headers: { "x-goog-api-key": KEY },
      body: { generationConfig: { seed: 7, imageConfig: { aspectRatio: "16:9" } } },
    },
  ]);
  expect(answer.images[0]?.bytes).toEqual(new Uint8Array(PNG));
  expect(answer.usage).toMatchObject({ input: 5, output: 1_290 });
});

test("[004-066] Flux is asked, waited for and fetched, with the key where it belongs", async () => {
  const answer = await make({ model: "my-black-forest-labs:flux-pro-1.1", aspectRatio: "3:2", seed: 3 });
  expect(vendor.requests[0]).toMatchObject({
    path: "/flux-pro-1.1",
    headers: { "x-key": KEY },
    body: { prompt: "a red door", aspect_ratio: "3:2", seed: 3 },
  });
  expect(answer).toMatchObject({ costMicros: 40_000, images: [{ mediaType: "image/png" }] });
});

test("[004-066] SDXL at Replicate gets size, seed and count", async () => {
  const answer = await make({ model: "my-replicate:stability-ai/sdxl", size: "768x768", seed: 11 });
  expect(vendor.requests[0]).toMatchObject({
    path: "/models/stability-ai/sdxl/predictions",
    headers: { authorization: `Bearer ${KEY}` },
    body: { input: { prompt: "a red door", size: "768x768", seed: 11, num_outputs: 1 } },
  });
  expect(answer.images[0]?.bytes).toEqual(new Uint8Array(PNG));
});

test.each([
  [{ model: "my-openai:dall-e-3", aspectRatio: "16:9" }, "aspectRatio"],
  [{ model: "my-openai:dall-e-3", seed: 1 }, "seed"],
  [{ model: "my-google:gemini-2.5-flash-image", size: "1024x1024" }, "size"],
  [{ model: "my-google:gemini-2.5-flash-image", style: "vivid" }, "style"],
  [{ model: "my-replicate:stability-ai/sdxl", quality: "hd" }, "quality"],
  [{ model: "my-black-forest-labs:flux-pro-1.1", style: "vivid" }, "style"],
] as const)("[004-066] %j is refused before anything is sent", async (request, option) => {
  await expect(make(request)).rejects.toMatchObject({
    code: "IMAGE_OPTION_UNSUPPORTED",
    message: expect.stringContaining(option),
    fix: expect.any(String),
  });
  expect(vendor.requests).toEqual([]);
});

test.each([
  [{ model: "simulated:image", prompt: " " }, "INVALID_REQUEST"],
  [{ model: "simulated:image", count: 11 }, "INVALID_REQUEST"],
  [{ model: "simulated:image", size: "0x10" as const }, "INVALID_REQUEST"],
  [{ model: "simulated:image", size: "10x10" as const, aspectRatio: "1:1" as const }, "INVALID_REQUEST"],
  [{ model: "my-anthropic:claude-sonnet-4-5" }, "MODEL_UNKNOWN"],
  [{ model: "simulated:echo" }, "MODEL_UNKNOWN"],
])("a request that makes no sense (%j) is a clear error", async (request, code) => {
  await expect(make(request)).rejects.toMatchObject({ code });
});

test("the simulated image is a small real PNG that says what it is, the same for the same prompt and seed", async () => {
  const [one, again, other] = await Promise.all([
    make({ model: "simulated:image", aspectRatio: "2:1", seed: 1, count: 2 }),
    make({ model: "simulated:image", aspectRatio: "2:1", seed: 1, count: 2 }),
    make({ model: "simulated:image", aspectRatio: "2:1", seed: 2, count: 2 }),
  ]);
  expect(one).toMatchObject({ model: { simulated: true }, costMicros: 0 });
  expect(one.images).toHaveLength(2);
  const bytes = Buffer.from(one.images[0]?.bytes ?? []);
  expect(bytes.subarray(1, 4).toString()).toBe("PNG");
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([64, 32]);
  expect(bytes.toString("latin1")).toContain("Simulated: no model made this image.");
  expect(again.images).toEqual(one.images);
  expect(other.images).not.toEqual(one.images);
});

test("an image goes through guardrails, budgets and the chain like everything else", async () => {
  const rule = { kind: "keyword", words: ["door"] };
  const guardrail = { name: "No doors", direction: "input", action: "redact", rule };
  const made = await ai.invoke<{ id: number }>("POST", "ai-guardrails", { body: guardrail });
  await make({ model: "my-openai:dall-e-3" });
  expect(vendor.requests[0]?.body.prompt).toBe("a red [redacted]");
  await ai.invoke("DELETE", "ai-guardrails/[id]", { params: { id: String(made.id) } });

  failing = true;
  await ai.invoke("POST", "ai-aliases", {
    body: { name: "picture", models: ["my-openai:dall-e-3", "simulated:image"] },
  });
  expect(await make({ model: "picture" })).toMatchObject({
    model: { providerId: "simulated" },
    fallbacks: [{ model: "my-openai:dall-e-3", code: "MODEL_UNAVAILABLE" }],
  });
  failing = false;

  const budget = { name: "Cap", scope: "run", period: "run", limitMicros: 50_000 };
  await ai.invoke("POST", "ai-budgets", { body: budget });
  vendor.requests.length = 0;
  const settled = await Promise.allSettled(
    Array.from({ length: 5 }, () => make({ model: "my-openai:dall-e-3", caller: { ...caller, executionId: 77 } })),
  );
  expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
  expect(vendor.requests).toHaveLength(2);
});

test("an aborted image is not asked for", async () => {
  await expect(make({ model: "my-openai:dall-e-3", signal: AbortSignal.abort() })).rejects.toMatchObject({
    code: "MODEL_ABORTED",
  });
  expect(vendor.requests).toEqual([]);
});
