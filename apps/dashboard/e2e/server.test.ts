import { connectDatabase } from "@oven/db";
import { createTestPostgres } from "@oven/db/testing";
import { type ModelReply, type ModelServer, startModelServer } from "@oven/testing";
import { afterEach, describe, expect, inject, it } from "vitest";
import { openBrowser, shoot } from "./browser.ts";
import { KEY, type OvenProcess, startOven } from "./oven-process.ts";
import { seriousIssues } from "./page-checks.ts";
import { signUp } from "./sign-up.ts";

const loop = {
  initial: "answer",
  payloadSchema: { type: "object", properties: { message: { type: "string" } }, required: ["message"] },
  agentConfig: { model: "openai:test-model" },
  states: {
    answer: {
      invoke: {
        src: "agent.toolLoop",
        input: { prompt: "{{ $.trigger.message }}", tools: ["orders.*"] },
        onDone: "done",
        onError: "broken",
      },
    },
    done: { type: "final", output: "$.answer_output.text" },
    broken: { type: "final", outcome: "failed", output: "$.answer_error" },
  },
};

const twoTools: ModelReply = {
  text: "Let me look.",
  toolCalls: [
    { name: "orders_get", arguments: { orderId: 8841 } },
    { name: "orders_policy", arguments: { topic: "delivery" } },
  ],
};

describe("the server process", () => {
  let oven: OvenProcess | undefined;
  let models: ModelServer | undefined;
  const cleanups: (() => Promise<void>)[] = [];
  afterEach(async () => {
    await oven?.kill("SIGKILL");
    await models?.close();
    for (const cleanup of cleanups.splice(0)) await cleanup();
    oven = undefined;
    models = undefined;
  });

  const withModels = (server: ModelServer) => ({ OPENAI_BASE_URL: server.url, OPENAI_API_KEY: "test" });

  async function until<T>(probe: () => Promise<T | undefined> | T | undefined): Promise<T> {
    const giveUp = Date.now() + 30_000;
    for (;;) {
      const found = await probe();
      if (found !== undefined) return found;
      if (Date.now() > giveUp) throw new Error("what the test waits for did not happen within 30 s");
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  it("goes on after kill -9 in the middle of a tool loop: nothing recorded is asked for again [004-012]", async () => {
    models = await startModelServer([
      twoTools,
      { text: "never sent", stallAfter: 0 },
      { text: "It arrives on 9 March." },
    ]);
    const { requests } = models;
    oven = await startOven({ env: withModels(models) });
    await oven.call("POST", "agent-workflows", { name: "Loop", definition: loop });
    const { body: run } = await oven.call("POST", "agent-workflows/loop/execute", {
      input: { message: "Where is 8841?" },
    });
    await until(() => requests.filter(({ path }) => path.endsWith("/chat/completions"))[1]);
    await oven.kill("SIGKILL");

    oven = await startOven({ dataDir: oven.dataDir, env: withModels(models) });
    const done = await until(async () => {
      const { body } = (await oven?.call("GET", `agent-workflow-executions/${run.id}`)) ?? {};
      return body.status === "running" || body.status === "pending" ? undefined : body;
    });
    expect(done).toMatchObject({ status: "completed", output: "It arrives on 9 March." });
    const asked = requests
      .filter(({ path }) => path.endsWith("/chat/completions"))
      .map(({ body }) => JSON.stringify(body.messages));
    expect(asked).toHaveLength(3);
    // The lost call is made again with the very conversation it had; the first one is not.
    expect(asked[2]).toBe(asked[1]);
    const tools = done.nodes.filter((node: { item: string | null }) => node.item !== null);
    expect(tools.map((node: { attempt: number; status: string }) => [node.attempt, node.status])).toEqual([
      [1, "completed"],
      [1, "completed"],
    ]);
    const roles = done.context.messages.map((message: { role: string }) => message.role);
    expect(roles).toEqual(["user", "assistant", "tool", "assistant"]);
  });

  it("never silently repeats an at-most-once step that a crash left open: a person says what happened", async () => {
    const { url, drop } = await createTestPostgres(inject("postgresUrl"), { migrated: false });
    cleanups.push(drop);
    oven = await startOven({ env: { DATABASE_URL: url } });
    const { body: run } = await oven.call("POST", "agent-workflows/refund/execute?wait=30", {
      input: { message: "Order 9001 is late and I want my money back." },
    });
    const db = await connectDatabase({ url, dataDir: "unused" });
    cleanups.unshift(() => db.close());
    // The refund is held up in the middle of its call, by a lock on its row, while the server is killed.
    await db.transaction(async (lock) => {
      await lock.query("select id from demo_orders where order_number = 9001 for update");
      await oven?.call("POST", `agent-workflow-executions/${run.id}/resume`, { action: "approve" });
      const blocked = "select pid from pg_stat_activity where wait_event_type = 'Lock' and query like '%demo_orders%'";
      const [{ pid } = { pid: 0 }] = await until(async () => {
        const rows = await db.query<{ pid: number }>(blocked);
        return rows.length === 0 ? undefined : rows;
      });
      await oven?.kill("SIGKILL");
      await db.query("select pg_terminate_backend($1)", [pid]);
    });
    oven = await startOven({ env: { DATABASE_URL: url } });
    const review = await until(async () => {
      const { body } = (await oven?.call("GET", `reviews?filter={"executionId":${run.id},"status":"open"}`)) ?? {};
      return body[0];
    });
    expect(review).toMatchObject({ actions: ["rerun", "supply", "fail"] });
    const refunded = "select refunded_cents from demo_orders where order_number = 9001";
    expect(await db.query(refunded)).toEqual([{ refunded_cents: 0 }]);
    const decide = (decision: object) =>
      oven?.call("POST", `reviews/${review.id}/decide`, { digest: review.digest, ...decision });
    expect(await decide({ action: "supply" })).toMatchObject({
      status: 400,
      body: { error: { code: "INVALID_EDIT" } },
    });
    const paidByHand = { orderId: 9001, refundedCents: 64_900, reason: "paid by hand" };
    const chromium = await openBrowser();
    cleanups.unshift(() => chromium.close());
    const { page } = await chromium.newPage();
    await signUp(page, oven);
    await page.goto(`${oven.url}/reviews/${review.id}`);
    await page.getByRole("button", { name: "Supply" }).click();
    await page.getByLabel("Output of the step").fill(JSON.stringify(paidByHand));
    await shoot(page, "review-supply");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.getByRole("button", { name: "Use this output" }).click();
    const done = await until(async () => {
      const { body } = (await oven?.call("GET", `agent-workflow-executions/${run.id}`)) ?? {};
      return body.status === "completed" ? body : undefined;
    });
    expect(done.output.decision).toBe("approve");
    expect(done.context.pay_output.results).toMatchObject([{ tool: "orders.refund", result: paidByHand }]);
    expect(await db.query(refunded)).toEqual([{ refunded_cents: 0 }]);
  });

  it("still has its paused runs after kill -9", async () => {
    oven = await startOven();
    const { body: run } = await oven.call("POST", "agent-workflows/support-reply/execute?wait=30", {
      input: { message: "Order 8841?" },
    });
    expect(run.status).toBe("paused");
    await oven.kill("SIGKILL");
    oven = await startOven({ dataDir: oven.dataDir });
    const resumed = await oven.call("POST", `agent-workflow-executions/${run.id}/resume`, { action: "approve" });
    expect(resumed).toMatchObject({ status: 200, body: { status: "completed" } });
  });

  it("refuses a second process on the same data directory, naming the first", async () => {
    oven = await startOven();
    await expect(startOven({ dataDir: oven.dataDir })).rejects.toThrow(/in use by process \d+/);
    expect((await oven.call("GET", "health")).status).toBe(200);
  });

  it.each(["SIGTERM", "SIGINT"] as const)("stops cleanly on %s with a stream open", async (signal) => {
    oven = await startOven();
    const { body: run } = await oven.call("POST", "agent-workflows/support-reply/execute?wait=30", {
      input: { message: "Order 8841?" },
    });
    const stream = await fetch(`${oven.url}/api/agent-workflow-executions/${run.id}/events`, {
      headers: { authorization: `Bearer ${KEY}` },
    });
    const ended = stream.text();
    expect(await oven.kill(signal)).toBe(0);
    expect(await ended).toContain("event: review.opened");
    oven = await startOven({ dataDir: oven.dataDir });
    expect((await oven.call("GET", `agent-workflow-executions/${run.id}`)).body.status).toBe("paused");
  });

  it("says in one line which variable is wrong", async () => {
    await expect(startOven({ env: { DATABASE_URL: "mysql://localhost" } })).rejects.toThrow(/oven: DATABASE_URL: /);
    await expect(startOven({ env: { OVEN_BOOTSTRAP_API_KEY: "short" } })).rejects.toThrow(
      /oven: OVEN_BOOTSTRAP_API_KEY: 24 or more/,
    );
  });

  it("runs the same story on PostgreSQL", async () => {
    const { url, drop } = await createTestPostgres(inject("postgresUrl"));
    cleanups.push(drop);
    oven = await startOven({ env: { DATABASE_URL: url } });
    expect((await oven.call("GET", "health")).body.database).toBe("postgres");
    const { body: run } = await oven.call("POST", "agent-workflows/support-reply/execute?wait=30", {
      input: { message: "Order 8841?" },
    });
    const resumed = await oven.call("POST", `agent-workflow-executions/${run.id}/resume`, { action: "approve" });
    expect(resumed.body.status).toBe("completed");
    expect(await oven.kill("SIGTERM")).toBe(0);
  });

  it("runs against an OpenAI-compatible server: parallel tool calls, a 429 it waits out, a broken stream it repeats", async () => {
    models = await startModelServer([
      { status: 429, retryAfter: 1 },
      twoTools,
      { text: "It arrives on 9", breakAfter: 2 },
      { text: "It arrives on 9 March." },
    ]);
    oven = await startOven({ env: withModels(models) });
    await oven.call("POST", "agent-workflows", { name: "Loop", definition: loop });
    const { body: run } = await oven.call("POST", "agent-workflows/loop/execute?wait=60", {
      input: { message: "Where is 8841?" },
    });
    expect(run).toMatchObject({ status: "completed", output: "It arrives on 9 March.", simulated: false });
    const log = await (
      await fetch(`${oven.url}/api/agent-workflow-executions/${run.id}/events`, {
        headers: { authorization: `Bearer ${KEY}` },
      })
    ).text();
    expect(log).toContain("event: text.discarded");
    const usage = (await oven.call("GET", 'ai-usage-logs?filter={"status":"error"}')).body;
    expect(usage).toHaveLength(2);
  });

  it.each([
    ["answers rubbish", { rawBody: "<html>not json</html>" }, "MODEL_BAD_RESPONSE"],
    ["refuses the key", { status: 401, message: "bad key" }, "MODEL_REFUSED_REQUEST"],
  ])("follows onError, and never completes, when the model %s", async (_name, reply, code) => {
    models = await startModelServer(() => reply);
    oven = await startOven({ env: withModels(models) });
    await oven.call("POST", "agent-workflows", { name: "Loop", definition: loop });
    const { body: run } = await oven.call("POST", "agent-workflows/loop/execute?wait=60", {
      input: { message: "Where is 8841?" },
    });
    expect(run).toMatchObject({ status: "failed", output: { code } });
  });
});
