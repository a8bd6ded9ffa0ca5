import { once } from "node:events";
import { createServer } from "node:http";
import type { UsageRow } from "@oven/contract/ai";
import type { Database } from "@oven/db";
import { createTestPglite } from "@oven/db/testing";
import { createRuntime, createSystemModule, type Runtime } from "@oven/module-registry";
import { type ModelServer, type ModelServerOptions, startModelServer } from "@oven/testing";
import { embedMany } from "ai";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createAiModule } from "../ai.module.ts";
import { googleApi } from "../providers/google/google.api.ts";

const caller = { tenantId: 1, userId: 5, executionId: 12, nodeId: "index" };
const toVector = (text: string) => [text.length, 1, 0.5];

describe("embeddings", () => {
  let db: Database;
  let runtime: Runtime | undefined;
  let server: ModelServer | undefined;

  beforeAll(async () => {
    db = await createTestPglite();
  });
  afterEach(async () => {
    await runtime?.stop();
    await server?.close();
    runtime = undefined;
    server = undefined;
    await db.query("delete from ai_usage_logs");
  });
  afterAll(() => db.close());

  async function start(options?: ModelServerOptions) {
    server = options === undefined ? undefined : await startModelServer([], options);
    runtime = await createRuntime({
      db,
      modules: [createSystemModule(), createAiModule()],
      environment: {
        publicUrl: "http://localhost:3000",
        dataDir: "unused",
        secret: "test",
        demo: false,
        variables: { OPENAI_BASE_URL: server?.url },
        bootstrapApiKey: undefined,
        outboundAllow: [],
        production: false,
      },
    });
    return runtime.services.ai;
  }

  const usage = () => db.query<Partial<UsageRow> & Record<string, unknown>>("select * from ai_usage_logs order by id");

  it("asks an OpenAI-compatible server for all texts and leaves one usage row [004-030]", async () => {
    const ai = await start({ models: ["chat", "nomic-embed-text"], embed: toVector });
    const answer = await ai.embed({ model: "embed", values: ["four", "a"], caller });
    expect(answer).toMatchObject({
      embeddings: [
        [4, 1, 0.5],
        [1, 1, 0.5],
      ],
      dimensions: 3,
      usage: { input: 2, total: 2 },
      model: { providerId: "openai", modelId: "nomic-embed-text", alias: "embed", simulated: false },
    });
    expect(server?.embeddingRequests.map(({ body }) => body)).toEqual([
      { model: "nomic-embed-text", input: ["four", "a"], encoding_format: "float" },
    ]);
    expect(await usage()).toMatchObject([
      { operation: "embed", status: "ok", execution_id: 12, node_id: "index", user_id: 5, alias: "embed" },
    ]);
  });

  it("splits what a provider does not take at once, keeps the order, and still counts one call", async () => {
    const ai = await start({ embed: toVector });
    const values = Array.from({ length: 3_000 }, (_, n) => "x".repeat(1 + (n % 50)));
    const answer = await ai.embed({ model: "openai:e", values, caller });
    expect(answer.embeddings.map(([length]) => length)).toEqual(values.map(({ length }) => length));
    expect(server?.embeddingRequests.length).toBeGreaterThan(1);
    expect(await usage()).toHaveLength(1);
  });

  it("is the local model when no provider lists an embedding model", async () => {
    const ai = await start({ models: ["chat-only"] });
    expect(await ai.resolve("embed", 1)).toMatchObject({ providerId: "local", modelId: "use-lite" });
    expect(await ai.resolve("fast", 1)).toMatchObject({ providerId: "openai", modelId: "chat-only" });
  });

  it("computes locally: the paraphrase is nearest, blank text is like nothing, the event loop goes on", async () => {
    const ai = await start();
    let beats = 0;
    const heart = setInterval(() => beats++, 5);
    const four = ["The parcel arrives on Tuesday.", "When will my delivery come?", "A cake needs flour.", " "];
    const values = [...four, ...Array.from({ length: 200 }, (_, n) => `Shelf ${n} of the shop holds ${n} cups.`)];
    const { embeddings, dimensions, usage: spent } = await ai.embed({ model: "embed", values, caller });
    clearInterval(heart);
    expect(dimensions).toBe(512);
    expect(spent.input).toBeGreaterThan(15);
    const [parcel = [], delivery = [], cake = [], blank = []] = embeddings;
    const dot = (a: number[], b: number[]) => a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
    expect(dot(parcel, delivery)).toBeGreaterThan(dot(cake, delivery) + 0.1);
    expect(dot(blank, delivery)).toBe(0);
    // Computing takes hundreds of milliseconds: on this thread nothing could have ticked.
    expect(beats).toBeGreaterThan(10);
  });

  it.each([
    ["a failing server", "openai:e", () => ({ status: 503 }), "MODEL_UNAVAILABLE"],
    ["vectors of different lengths", "openai:e", (text: string) => Array(text.length).fill(1), "MODEL_BAD_RESPONSE"],
    ["no vectors", "openai:e", () => [], "MODEL_BAD_RESPONSE"],
  ])("says what is wrong with %s", async (_name, model, embedText, code) => {
    const ai = await start({ embed: embedText });
    await expect(ai.embed({ model, values: ["a", "bc"], caller })).rejects.toMatchObject({ code, retryable: true });
    expect(await usage()).toMatchObject([{ status: "error", error: expect.stringContaining(code) }]);
  });

  it.each([
    ["simulated:echo", "MODEL_UNKNOWN"],
    ["local:other", "MODEL_UNKNOWN"],
    ["nobody:e", "MODEL_UNKNOWN"],
    ["openai:e", "MODEL_PROVIDER_NOT_CONFIGURED"],
  ])("refuses %s before any call", async (model, code) => {
    const ai = await start();
    await expect(ai.embed({ model, values: ["a"], caller })).rejects.toMatchObject({ code });
  });

  it("refuses to talk with the local model, and texts beyond its length", async () => {
    const ai = await start();
    const messages = [{ role: "user" as const, content: "Hello" }];
    await expect(ai.generate({ model: "local:use-lite", messages, caller })).rejects.toMatchObject({
      code: "MODEL_UNKNOWN",
    });
    const values = ["long ".repeat(5_000)];
    await expect(ai.embed({ model: "embed", values, caller })).rejects.toMatchObject({
      code: "EMBEDDING_INPUT_TOO_LONG",
    });
  });

  it("stops when told to, and records that", async () => {
    const ai = await start({ embed: toVector });
    const signal = AbortSignal.abort(new Error("cancelled"));
    await expect(ai.embed({ model: "openai:e", values: ["a"], caller, signal })).rejects.toMatchObject({
      code: "MODEL_ABORTED",
    });
    expect(await usage()).toMatchObject([{ status: "aborted" }]);
  });

  it("asks Google in one batch request", async () => {
    await start();
    const bodies: { path: string; body: unknown }[] = [];
    const google = createServer(async (request, response) => {
      const parts = await request.toArray();
      bodies.push({ path: request.url ?? "", body: JSON.parse(Buffer.concat(parts).toString()) });
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ embeddings: [{ values: [1, 0] }, { values: [0, 1] }] }));
    });
    google.listen(0, "127.0.0.1");
    await once(google, "listening");
    const address = google.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const baseUrl = `http://127.0.0.1:${port}/v1beta`;
    const api = googleApi({ id: "google", apiKey: "key", baseUrl, headers: {}, fetch });
    const model = api.embeddingModel?.("gemini-embedding-001");
    if (model === undefined) throw new Error("Google has embeddings");
    try {
      const answer = await embedMany({ model, values: ["one", "two"] });
      expect(answer.embeddings).toEqual([
        [1, 0],
        [0, 1],
      ]);
      expect(bodies).toMatchObject([
        {
          path: "/v1beta/models/gemini-embedding-001:batchEmbedContents",
          body: { requests: [{ content: { parts: [{ text: "one" }] } }, { content: { parts: [{ text: "two" }] } }] },
        },
      ]);
    } finally {
      google.close();
    }
  });
});
