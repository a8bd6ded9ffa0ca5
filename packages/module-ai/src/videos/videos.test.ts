import { SYSTEM_PRINCIPAL } from "@oven/contract";
import type { UsageRow } from "@oven/contract/ai";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { startAi, type TestAi } from "../model/testing/start-ai.ts";
import { type Recorder, startRecorder } from "../model/testing/start-recorder.ts";
import type { VideoRequest } from "./video-request.ts";

const caller = { tenantId: 1, userId: null, executionId: 9 };
const KEY = "sk-of-the-tenant-0123456789";
const MP4 = Buffer.from("00000018667479706d703432", "hex");

let ai: TestAi;
let vendor: Recorder;

beforeAll(async () => {
  vendor = await startRecorder(({ path }, origin) => {
    if (path.includes(":predictLongRunning")) return { json: { name: "operations/one", done: false } };
    if (path.includes("/operations/one"))
      return {
        json: {
          name: "operations/one",
          done: true,
          response: { generateVideoResponse: { generatedSamples: [{ video: { uri: `${origin}/made.mp4` } }] } },
        },
      };
    if (path.includes("/predictions") || path === "/p")
      return {
        json: { id: "p", status: "succeeded", output: `${origin}/made.mp4`, urls: { get: `${origin}/p` }, metrics: {} },
      };
    if (path.startsWith("/made.mp4")) return { bytes: MP4 };
    return { status: 404 };
  });
  ai = await startAi({ environment: { outboundAllow: [vendor.origin] } });
  await ai.services.secrets.create(SYSTEM_PRINCIPAL, { name: "vendor-key", value: KEY, hosts: [vendor.host] });
  for (const kind of ["google", "replicate", "openai"])
    await ai.invoke("POST", "ai-providers", {
      body: { id: `my-${kind}`, kind, baseUrl: vendor.origin, secret: "vendor-key" },
    });
  await ai.invoke("POST", "ai-prices", {
    body: { providerId: "my-google", modelId: "veo-3.1-generate-preview", videoSecondMicros: 400_000 },
  });
});
afterEach(async () => {
  vendor.requests.length = 0;
  await ai.db.query("delete from ai_usage_logs");
});
afterAll(async () => {
  await ai.stop();
  await vendor.close();
});

const make = (request: Partial<VideoRequest> & { model: string }) =>
  ai.services.ai.generateVideo({ prompt: "a red door opens", caller, ...request });
const usage = () => ai.invoke<UsageRow[]>("GET", "ai-usage-logs", { query: { sort: '["id","ASC"]' } });

test("Google is asked, waited for and fetched, with the key where it belongs; the price is by the second", async () => {
  const answer = await make({ model: "my-google:veo-3.1-generate-preview", aspectRatio: "16:9", seconds: 4 });
  expect(Buffer.from(answer.video.bytes)).toEqual(MP4);
  expect(answer).toMatchObject({ costMicros: 1_600_000, model: { modelId: "veo-3.1-generate-preview" } });
  expect(vendor.requests[0]).toMatchObject({
    path: expect.stringContaining("veo-3.1-generate-preview:predictLongRunning"),
    headers: { "x-goog-api-key": KEY },
    body: {
      instances: [{ prompt: "a red door opens" }],
      parameters: { aspectRatio: "16:9", durationSeconds: 4 },
    },
  });
  expect(await usage()).toMatchObject([{ operation: "video", status: "ok", costMicros: 1_600_000, executionId: 9 }]);
});

test("Replicate gets prompt, duration and seed", async () => {
  const answer = await make({ model: "my-replicate:minimax/video-01", seconds: 5, seed: 3 });
  expect(Buffer.from(answer.video.bytes)).toEqual(MP4);
  expect(vendor.requests[0]).toMatchObject({
    headers: { authorization: `Bearer ${KEY}` },
    body: { input: { prompt: "a red door opens", duration: 5, seed: 3 } },
  });
});

test("a budget that is spent lets nothing be sent; one that is not, one film at most", async () => {
  const budget = { name: "Films", scope: "tenant", period: "day", limitMicros: 1_000_000 };
  const { id } = await ai.invoke<{ id: number }>("POST", "ai-budgets", { body: budget });
  const film = () => make({ model: "my-google:veo-3.1-generate-preview", seconds: 4 });
  expect((await film()).costMicros).toBe(1_600_000);
  vendor.requests.length = 0;
  await expect(film()).rejects.toMatchObject({ code: "BUDGET_EXHAUSTED" });
  expect(vendor.requests).toEqual([]);
  await ai.invoke("DELETE", "ai-budgets/[id]", { params: { id: String(id) } });
});

test.each([
  [{ model: "my-openai:gpt-5" }, "MODEL_UNKNOWN"],
  [{ model: "my-google:veo", prompt: " " }, "INVALID_REQUEST"],
  [{ model: "my-google:veo", seconds: 0 }, "INVALID_REQUEST"],
  [{ model: "my-google:veo", seconds: 3_600 }, "INVALID_REQUEST"],
])("%o is refused before anything is sent", async (request, code) => {
  await expect(make(request)).rejects.toMatchObject({ code });
  expect(vendor.requests).toEqual([]);
});
