import { SYSTEM_PRINCIPAL } from "@oven/contract";
import type { BudgetSpend, ModelBudget, UsageRow } from "@oven/contract/ai";
import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { type ModelServer, startModelServer } from "@oven/testing";
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from "vitest";
import type { ModelRequest } from "../model/model-request.ts";
import { createTestTiming, startAi, type TestAi } from "../model/testing/start-ai.ts";
import type { ModelCaller } from "../usage/record-usage.ts";

const messages = [{ role: "user" as const, content: "Hello" }];
/** 10 micro-dollars a token, so that one call of 100 tokens costs 1,000. */
const PRICE = { providerId: "openai", modelId: "*", inputMicros: 10_000_000, outputMicros: 10_000_000 };

describe.each(testDatabases(inject("postgresUrl")))("budgets on $name", ({ open }) => {
  let database: TestDatabase;
  let ai: TestAi;
  let server: ModelServer;
  let gate: { opened: Promise<void>; open: () => void } | undefined;
  let longAnswers = false;
  // Calls in flight take real time: a clock that waiting moves would let those who wait give up before an answer is there.
  const timing = createTestTiming();
  timing.standing = true;

  beforeAll(async () => {
    server = await startModelServer(() => ({
      text: "Hi",
      usage: { input: 40, output: longAnswers ? 49_960 : 60 },
      ...(gate === undefined ? {} : { gate: { after: 0, opened: gate.opened } }),
    }));
    database = await open();
    ai = await startAi({ db: database.db, environment: { variables: { OPENAI_BASE_URL: server.url } }, timing });
    await ai.invoke("POST", "ai-prices", { body: PRICE });
  });
  afterEach(async () => {
    gate?.open();
    gate = undefined;
    longAnswers = false;
    timing.standing = true;
    server.requests.length = 0;
    await ai.db.query("delete from ai_budgets");
    await ai.db.query("delete from ai_usage_logs");
  });
  afterAll(async () => {
    await ai.stop();
    await database.close();
    await server.close();
  });

  const budget = (terms: object) =>
    ai.invoke<ModelBudget>("POST", "ai-budgets", { body: { name: "Cap", scope: "run", period: "run", ...terms } });
  const spend = ({ id }: ModelBudget) =>
    ai.invoke<BudgetSpend[]>("GET", "ai-budgets/[id]/spend", { params: { id: String(id) } });
  const ask = (caller: Partial<ModelCaller> = { executionId: 1 }, request: Partial<ModelRequest> = {}) =>
    ai.services.ai.generate({
      model: "openai:m",
      messages,
      maxOutputTokens: 60,
      caller: { tenantId: 1, userId: null, ...caller },
      ...request,
    });
  const sent = () => server.requests.length;
  const closeGate = () => {
    let openGate = () => {};
    const opened = new Promise<void>((resolve) => {
      openGate = resolve;
    });
    gate = { opened, open: openGate };
  };

  test("that a budget is spent is told once for each subject and period, with the run that was refused", async () => {
    const told = async () =>
      (
        await ai.db.query<{ payload: Record<string, unknown> }>(
          "select payload from outbox_events where name = 'ai.budget.exhausted' order by id",
        )
      ).map(({ payload }) => payload);
    const cap = await budget({ scope: "workflow", period: "day", limitMicros: 500 });
    const seven = { executionId: 71, rootExecutionId: 70, workflow: "agent-workflow:7" };
    await ask(seven);
    expect(await told()).toEqual([]);
    // At once, and again: whoever is first tells.
    const refused = await Promise.allSettled([ask(seven), ask(seven), ask(seven)]);
    expect(refused.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    await expect(ask(seven)).rejects.toMatchObject({ code: "BUDGET_EXHAUSTED" });
    const first = {
      ...{ budgetId: cap.id, name: "Cap", scope: "workflow", subject: "agent-workflow:7", period: "2026-01-31" },
      ...{ action: "block", limitMicros: 500, limitTokens: null, spentMicros: 1_000, spentTokens: 100 },
      ...{ executionKind: "agent-workflow", executionId: 70 },
    };
    expect(await told()).toEqual([first]);
    const eight = { executionId: 80, workflow: "workflow:8" };
    await ask(eight);
    await expect(ask(eight)).rejects.toMatchObject({ code: "BUDGET_EXHAUSTED" });
    timing.advance(24 * 3_600_000);
    await ask(seven);
    await expect(ask(seven)).rejects.toMatchObject({ code: "BUDGET_EXHAUSTED" });
    timing.advance(-24 * 3_600_000);
    expect((await told()).slice(1)).toEqual([
      { ...first, subject: "workflow:8", executionKind: "workflow", executionId: 80 },
      { ...first, period: "2026-02-01" },
    ]);
  });

  test("calls go on until the money is spent, and then nothing is sent", async () => {
    const cap = await budget({ limitMicros: 2_500 });
    for (let call = 0; call < 3; call++) await ask();
    const refused = ask();
    await expect(refused).rejects.toMatchObject({
      code: "BUDGET_EXHAUSTED",
      status: 402,
      retryable: false,
      details: { budgetId: cap.id, action: "block", subject: "run:1", limitMicros: 2_500, spentMicros: 3_000 },
    });
    expect(sent()).toBe(3);
    expect(await spend(cap)).toEqual([
      {
        ...{ subject: "run:1", period: "run", spentMicros: 3_000, spentTokens: 300 },
        ...{ reservedMicros: 0, reservedTokens: 0 },
      },
    ]);
    // Refused before it was sent: it is in the log, and cost nothing.
    const [last] = await ai.invoke<UsageRow[]>("GET", "ai-usage-logs", { query: { sort: '["id","DESC"]' } });
    expect(last).toMatchObject({ status: "error", costMicros: 0, error: expect.stringContaining("BUDGET_EXHAUSTED") });
    // Another run has an amount of its own.
    await ask({ executionId: 2 });
  });

  test("parallel branches overshoot by one call at most, however many start at once", async () => {
    const cap = await budget({ limitMicros: 2_500 });
    const settled = await Promise.allSettled(Array.from({ length: 12 }, () => ask()));
    const codes = settled.map((one) => (one.status === "fulfilled" ? "ok" : one.reason.code));
    expect(codes.filter((code) => code === "ok")).toHaveLength(3);
    expect(new Set(codes)).toEqual(new Set(["ok", "BUDGET_EXHAUSTED"]));
    expect(sent()).toBe(3);
    expect(await spend(cap)).toMatchObject([{ spentMicros: 3_000, reservedMicros: 0 }]);
  });

  test("what calls in flight may cost is held: those that fit go together, the next one waits for one of them", async () => {
    closeGate();
    // At most 108 tokens a call, 1,080 micro-dollars: two fit.
    const cap = await budget({ limitMicros: 2_200 });
    const three = [ask(), ask(), ask()];
    await expect.poll(sent).toBe(2);
    expect(await spend(cap)).toMatchObject([{ spentMicros: 0, reservedMicros: 2_160 }]);
    gate?.open();
    await Promise.all(three);
    expect(await spend(cap)).toMatchObject([{ spentMicros: 3_000, reservedMicros: 0 }]);
    await expect(ask()).rejects.toMatchObject({ code: "BUDGET_EXHAUSTED" });
  });

  test("without maxOutputTokens the model's longest answer is held: one call over at most", async () => {
    longAnswers = true;
    const { id } = await ai.invoke<{ id: number }>("POST", "ai-prices", {
      body: { ...PRICE, modelId: "talker", maxOutputTokens: 60_000 },
    });
    // Each costs 500,000. Had they held 16,384 tokens each, all ten would have been sent at once.
    const cap = await budget({ limitMicros: 1_900_000 });
    const settled = await Promise.allSettled(
      Array.from({ length: 10 }, () => ask({ executionId: 1 }, { model: "openai:talker", maxOutputTokens: undefined })),
    );
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(4);
    expect(sent()).toBe(4);
    expect(await spend(cap)).toMatchObject([{ spentMicros: 2_000_000, reservedMicros: 0 }]);
    await ai.invoke("DELETE", "ai-prices/[id]", { params: { id: String(id) } });
  });

  test("of calls whose longest answer nobody knows one goes at a time: one call over at most", async () => {
    longAnswers = true;
    closeGate();
    const unbounded = () => ask({ executionId: 1 }, { maxOutputTokens: undefined });
    // Each costs 500,000 and holds 164,320: ten would fit at once by what they hold.
    const cap = await budget({ limitMicros: 1_900_000 });
    const ten = Promise.allSettled(Array.from({ length: 10 }, unbounded));
    await expect.poll(sent).toBe(1);
    // One that says how long its answer may be goes beside it.
    const bounded = ask({ executionId: 1 }, { maxOutputTokens: 49_960 });
    await expect.poll(sent).toBe(2);
    expect(await spend(cap)).toMatchObject([{ spentMicros: 0 }]);
    gate?.open();
    await bounded;
    const settled = await ten;
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    expect(sent()).toBe(4);
    expect(await spend(cap)).toMatchObject([{ spentMicros: 2_000_000, reservedMicros: 0 }]);
  });

  test("what a caller asks for is held instead of the model's longest answer, and a guess where nothing is known", async () => {
    closeGate();
    const cap = await budget({ limitMicros: 10_000_000 });
    const asked = ask();
    await expect.poll(sent).toBe(1);
    expect(await spend(cap)).toMatchObject([{ reservedTokens: 108 }]);
    const guessed = ask({ executionId: 1 }, { maxOutputTokens: undefined });
    await expect.poll(sent).toBe(2);
    expect(await spend(cap)).toMatchObject([{ reservedTokens: 108 + 48 + 16_384 }]);
    gate?.open();
    await Promise.all([asked, guessed]);
  });

  test("a call that waits for others longer than a minute gives up, and may try again", async () => {
    closeGate();
    await budget({ limitMicros: 600 });
    const first = ask();
    await expect.poll(sent).toBe(1);
    timing.standing = false;
    await expect(ask()).rejects.toMatchObject({ code: "BUDGET_HELD", retryable: true, retryAfterMs: 5_000 });
    gate?.open();
    await first;
    expect(sent()).toBe(1);
  });

  test("a call that waits for a budget that is deleted goes on without it", async () => {
    closeGate();
    const cap = await budget({ limitMicros: 600 });
    const first = ask();
    await expect.poll(sent).toBe(1);
    const second = ask();
    await ai.invoke("DELETE", "ai-budgets/[id]", { params: { id: String(cap.id) } });
    await expect.poll(sent).toBe(2);
    gate?.open();
    await Promise.all([first, second]);
  });

  test("what a process held that died is given up after the call's time-out, and counts as spent", async () => {
    const cap = await budget({ limitMicros: 10_000 });
    await ask();
    const second = Math.floor(timing.now() / 1_000);
    await ai.db.query("update ai_budget_spend set reservations = $1 where budget_id = $2", [
      JSON.stringify({ dead: [4_000, 400, second + 400] }),
      cap.id,
    ]);
    await ask();
    timing.advance(500_000);
    // 2,000 spent and 4,000 lost: four more fit, the fifth does not.
    for (let call = 0; call < 4; call++) await ask();
    await expect(ask()).rejects.toMatchObject({ code: "BUDGET_EXHAUSTED" });
  });

  test("tokens can be the limit, also of models without a price", async () => {
    await budget({ limitTokens: 150 });
    await ask();
    await ask();
    await expect(ask()).rejects.toMatchObject({ code: "BUDGET_EXHAUSTED" });
    await expect(ask({ executionId: 1 }, { model: "simulated:echo" })).rejects.toMatchObject({
      code: "BUDGET_EXHAUSTED",
    });
  });

  test("a budget in money is not kept by guessing: a model without a price is refused", async () => {
    await budget({ limitMicros: 2_500 });
    const other = { model: "other:m" };
    await ai.services.secrets.create(SYSTEM_PRINCIPAL, { name: "k", value: "sk-0123456789", hosts: ["example.com"] });
    const body = { id: "other", kind: "openai-compatible", baseUrl: "https://example.com/v1" };
    await ai.invoke("POST", "ai-providers", { body });
    await expect(ask({ executionId: 1 }, other)).rejects.toMatchObject({
      code: "MODEL_PRICE_UNKNOWN",
      fix: expect.stringContaining("/api/ai-prices"),
    });
    // A simulated model costs nothing, and everybody knows.
    await ask({ executionId: 1 }, { model: "simulated:echo" });
  });

  test.each([
    ["workflow", { workflow: "agent-workflow:7" }, { workflow: "agent-workflow:8" }],
    ["agent", { agent: "3" }, { agent: "4" }],
    ["key", { keyId: 5 }, { keyId: 6 }],
  ])("each %s has an amount of its own; a target narrows it to one", async (scope, mine, other) => {
    const cap = await budget({ scope, period: "month", limitMicros: 500 });
    await ask(mine);
    await expect(ask(mine)).rejects.toMatchObject({ code: "BUDGET_EXHAUSTED" });
    await ask(other);
    await ask({});
    await ai.invoke("DELETE", "ai-budgets/[id]", { params: { id: String(cap.id) } });
    const target = String(Object.values(mine)[0]);
    await budget({ scope, period: "month", limitMicros: 500, target });
    await ask(mine);
    await expect(ask(mine)).rejects.toMatchObject({ code: "BUDGET_EXHAUSTED" });
    await ask(other);
    await ask(other);
  });

  test("runs of one family share the amount of the run at its top", async () => {
    await budget({ limitMicros: 500 });
    await ask({ executionId: 11, rootExecutionId: 10 });
    await expect(ask({ executionId: 12, rootExecutionId: 10 })).rejects.toMatchObject({
      details: { subject: "run:10" },
    });
  });

  test("the next day has a new amount, in UTC", async () => {
    await budget({ scope: "tenant", period: "day", limitMicros: 500 });
    await ask();
    await expect(ask()).rejects.toMatchObject({ code: "BUDGET_EXHAUSTED" });
    timing.advance(24 * 3_600_000);
    await ask();
  });

  test("a budget that pauses says so, and what somebody releases goes through once", async () => {
    const cap = await budget({ limitMicros: 500, action: "pause" });
    await ask();
    await expect(ask()).rejects.toMatchObject({ code: "BUDGET_EXHAUSTED", details: { action: "pause" } });
    await ask({ executionId: 1 }, { releasedBudgets: [cap.id] });
    await expect(ask()).rejects.toMatchObject({ code: "BUDGET_EXHAUSTED" });
    expect(sent()).toBe(2);
  });

  test("a failed call gives back what it held; a broken one is paid by estimate", async () => {
    const cap = await budget({ limitMicros: 5_000 });
    closeGate();
    await expect(ask({ executionId: 1 }, { timeoutMs: 50 })).rejects.toThrow("50 ms");
    gate?.open();
    gate = undefined;
    await ai.services.ai.generate({
      model: "openai:m",
      messages,
      caller: { tenantId: 1, userId: null, executionId: 1 },
    });
    const [row] = await spend(cap);
    expect(row).toMatchObject({ reservedMicros: 0, reservedTokens: 0 });
    expect(row?.spentMicros).toBeGreaterThanOrEqual(1_000);
  });

  test("another tenant's budgets bind nobody here, and are not found", async () => {
    const cap = await budget({ limitMicros: 500 });
    await ask();
    await ask({ tenantId: 2 }, { model: "simulated:echo" });
    const stranger = { ...SYSTEM_PRINCIPAL, tenantId: 2 };
    const params = { id: String(cap.id) };
    for (const path of ["ai-budgets/[id]", "ai-budgets/[id]/spend"])
      await expect(ai.invoke("GET", path, { params }, stranger)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("a budget that makes no sense is refused, also by halves", async () => {
    await expect(budget({ limitMicros: null })).rejects.toMatchObject({ status: 400 });
    await expect(budget({ period: "day", limitMicros: 1 })).rejects.toMatchObject({ status: 400 });
    const cap = await budget({ limitMicros: 1 });
    const params = { id: String(cap.id) };
    for (const body of [{ period: "day" }, { limitMicros: null }, { scope: "tenant" }])
      await expect(ai.invoke("PUT", "ai-budgets/[id]", { params, body })).rejects.toMatchObject({ status: 422 });
    expect(await ai.invoke("PUT", "ai-budgets/[id]", { params, body: { ...cap, limitTokens: 9 } })).toMatchObject({
      limitTokens: 9,
    });
  });
});
