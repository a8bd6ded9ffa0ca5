import { SYSTEM_PRINCIPAL } from "@oven/contract";
import type { ModelRateLimit } from "@oven/contract/ai";
import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { type ModelServer, startModelServer } from "@oven/testing";
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from "vitest";
import { createTestTiming, startAi, type TestAi } from "../model/testing/start-ai.ts";
import { type AdmissionRequest, RateLimits } from "./rate-limits.ts";

const messages = [{ role: "user" as const, content: "Hello" }];

describe.each(testDatabases(inject("postgresUrl")))("rate limits on $name", ({ open }) => {
  let database: TestDatabase;
  let ai: TestAi;
  let server: ModelServer;
  const timing = createTestTiming();

  beforeAll(async () => {
    server = await startModelServer(() => ({ text: "Hi", usage: { input: 60, output: 40 } }));
    database = await open();
    ai = await startAi({ db: database.db, environment: { variables: { OPENAI_BASE_URL: server.url } }, timing });
  });
  afterEach(async () => {
    server.requests.length = 0;
    await ai.db.query("delete from ai_rate_limits");
  });
  afterAll(async () => {
    await ai.stop();
    await database.close();
    await server.close();
  });

  const limit = (terms: object) =>
    ai.invoke<ModelRateLimit>("POST", "ai-rate-limits", { body: { providerId: "openai", ...terms } });
  const ask = (tenantId = 1, signal?: AbortSignal) =>
    ai.services.ai.generate({
      model: "openai:m",
      messages,
      maxOutputTokens: 50,
      caller: { tenantId, userId: null },
      ...(signal === undefined ? {} : { signal }),
    });
  const admission = (given: Partial<AdmissionRequest> = {}): AdmissionRequest => ({
    ...{ tenantId: 1, providerId: "openai", tokens: 10, waitMs: 0 },
    signal: new AbortController().signal,
    ...given,
  });

  test("more requests than the limit are not sent, and the refusal says when to come back", async () => {
    await limit({ requestsPerMinute: 2 });
    await ask();
    await ask();
    await expect(ask()).rejects.toMatchObject({ code: "MODEL_RATE_LIMITED", status: 429, retryable: true });
    const error = await ask().catch((thrown: { retryAfterMs: number }) => thrown);
    expect(error).toMatchObject({ retryAfterMs: expect.any(Number) });
    expect(server.requests).toHaveLength(2);
    timing.advance(61_000);
    await ask();
    expect(server.requests).toHaveLength(3);
  });

  test("a call waits for room that comes soon enough", async () => {
    await limit({ requestsPerMinute: 1 });
    await ask();
    timing.advance(40_000);
    const before = timing.now();
    await ask();
    const waited = timing.now() - before;
    expect(waited).toBeGreaterThan(19_000);
    expect(waited).toBeLessThanOrEqual(22_000);
  });

  test("no 60 seconds have more than the limit, however the calls fall", async () => {
    await limit({ requestsPerMinute: 3 });
    const limits = new RateLimits(ai.db, timing);
    const times: number[] = [];
    for (let call = 0; call < 12; call++) {
      await limits.admit(admission({ waitMs: 120_000 }));
      times.push(timing.now());
      timing.advance(7_300);
    }
    for (const [index, time] of times.entries())
      expect((times[index + 3] ?? Number.POSITIVE_INFINITY) - time).toBeGreaterThanOrEqual(60_000);
  });

  test("many processes at once share one limit", async () => {
    await limit({ requestsPerMinute: 5 });
    const processes = Array.from({ length: 4 }, () => new RateLimits(ai.db, timing));
    const settled = await Promise.allSettled(
      processes.flatMap((limits) => Array.from({ length: 5 }, () => limits.admit(admission()))),
    );
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
  });

  test("tokens count as expected first, and as they were when the call is over", async () => {
    await limit({ tokensPerMinute: 100 });
    const limits = new RateLimits(ai.db, timing);
    const first = await limits.admit(admission({ tokens: 80 }));
    await expect(limits.admit(admission({ tokens: 30 }))).rejects.toMatchObject({ code: "MODEL_RATE_LIMITED" });
    await first.settle(20);
    await limits.admit(admission({ tokens: 30 }));
    await expect(limits.admit(admission({ tokens: 51 }))).rejects.toMatchObject({ code: "MODEL_RATE_LIMITED" });
    await limits.admit(admission({ tokens: 50 }));
  });

  test("a call larger than the limit goes alone instead of never", async () => {
    await limit({ tokensPerMinute: 100 });
    const limits = new RateLimits(ai.db, timing);
    await limits.admit(admission({ tokens: 500 }));
    await expect(limits.admit(admission({ tokens: 1 }))).rejects.toMatchObject({ code: "MODEL_RATE_LIMITED" });
  });

  test("the tokens a provider really used are what is counted", async () => {
    await limit({ tokensPerMinute: 200 });
    // 62 tokens are expected of each, and 100 used: by what was expected there would be room for a third.
    await ask();
    await ask();
    await expect(ask()).rejects.toMatchObject({ code: "MODEL_RATE_LIMITED" });
  });

  test("an abort ends the wait", async () => {
    await limit({ requestsPerMinute: 1 });
    await ask();
    timing.advance(40_000);
    await expect(ask(1, AbortSignal.abort())).rejects.toMatchObject({ code: "MODEL_ABORTED" });
    expect(server.requests).toHaveLength(1);
  });

  test("a limit binds its own tenant and provider only, and is not found by others", async () => {
    const made = await limit({ requestsPerMinute: 1 });
    await ask();
    await ask(2);
    await ask(2);
    await ai.services.ai.generate({ model: "simulated:echo", messages, caller: { tenantId: 1, userId: null } });
    const stranger = { ...SYSTEM_PRINCIPAL, tenantId: 2 };
    await expect(
      ai.invoke("GET", "ai-rate-limits/[id]", { params: { id: String(made.id) } }, stranger),
    ).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});
