import { createHash } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { installedModules } from "@oven/installation";
import { createRuntime } from "@oven/module-registry";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHttpServer, type HttpServer } from "./http-server.ts";
import { insertKey } from "./testing/strangers.ts";

const final = { type: "final" };
const ALL = { "*": ["*"] };

describe("reviews in the whole installation", () => {
  let oven: TestOven;
  let http: HttpServer;
  let origin: string;
  beforeAll(async () => {
    oven = await startTestOven({ createRuntime, modules: installedModules({ demo: true }) });
    http = createHttpServer(
      (request) => oven.handle(request),
      () => undefined,
    );
    http.server.listen(0, "127.0.0.1");
    await once(http.server, "listening");
    const { port } = http.server.address() as AddressInfo; // cast: it listens on TCP
    origin = `http://127.0.0.1:${port}`;
  });
  afterAll(async () => {
    await http.close();
    await oven.stop();
  });

  let count = 0;
  async function start(definition: object): Promise<number> {
    count += 1;
    const made = await oven.call("POST", "agent-workflows", { name: `Reviewed ${count}`, definition });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    return (await oven.call("POST", `agent-workflows/${made.body.id}/execute?wait=20`, {})).body.id;
  }
  const run = async (id: number) => (await oven.call("GET", `agent-workflow-executions/${id}`)).body;
  const reviewOf = async (id: number) =>
    (await oven.call("GET", `reviews?filter={"executionId":${id}}`)).body[0] as { id: number; digest: string };
  const decide = (id: number, body: object) => oven.call("POST", `reviews/${id}/decide`, body);
  const ends = (id: number) =>
    expect.poll(async () => (await run(id)).status, { interval: 20 }).toMatch(/^(completed|failed)$/);

  it("over MCP are for their assignees too", async () => {
    const { key } = await insertKey(oven.db, { tenantId: 1, permissions: ALL, role: "editor" });
    await insertKey(oven.db, { tenantId: 1, permissions: {}, role: "auditor" });
    const id = await start({
      initial: "ask",
      states: {
        ask: {
          invoke: { src: "agent.humanReview", input: { show: "this", assignees: ["role:auditor"] }, onDone: "done" },
        },
        done: final,
      },
    });
    const review = await reviewOf(id);
    const client = new Client({ name: "test", version: "1.0.0" });
    const requestInit = { headers: { authorization: `Bearer ${key}` } };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${origin}/api/mcp/support-reply`), { requestInit }),
    );
    const answer = await client.callTool({
      name: "answer_review",
      arguments: { reviewId: review.id, digest: review.digest, action: "approve" },
    });
    await client.close();
    expect(answer.isError).toBe(true);
    expect(JSON.stringify(answer.content)).toContain("REVIEW_NOT_YOURS");
    expect((await run(id)).status).toBe("paused");
  });

  describe("release", () => {
    const call = {
      toolCallId: "c1",
      tool: "orders.refund",
      arguments: { orderId: 8841, amountCents: 500, reason: "late" },
    };
    const reviewed = (approved: unknown) => ({
      initial: "ask",
      states: {
        ask: { invoke: { src: "agent.humanReview", input: { toolCall: call }, onDone: "pay" } },
        pay: {
          invoke: {
            src: "agent.toolExecutor",
            input: { toolCalls: [call], tools: ["orders.*"], approved, history: "none" },
            onDone: "done",
            onError: "refused",
          },
        },
        done: { type: "final", output: "$.pay_output.results" },
        refused: { type: "final", outcome: "refused", output: "$.pay_error.code" },
      },
    });
    const refunds = async (id: number) =>
      oven.db.query("select fields from run_events where execution_id = $1 and event = 'tool.started'", [id]);
    async function decided(approved: unknown): Promise<number> {
      const id = await start(reviewed(approved));
      const { id: review, digest } = await reviewOf(id);
      expect((await decide(review, { action: "approve", digest })).status).toBe(200);
      await ends(id);
      return id;
    }

    it("exactly the call that was approved, once handed on as it is", async () => {
      const id = await decided("$.ask_output.toolCall");
      expect(await run(id)).toMatchObject({ status: "completed", outcome: null });
      expect(await refunds(id)).toMatchObject([{ fields: { tool: "orders.refund", arguments: call.arguments } }]);
    });

    const more = { ...call.arguments, amountCents: 5_000 };
    const canonical = '{"proposal":{"amountCents":5000,"orderId":8841,"reason":"late"},"tool":"orders.refund"}';
    const digest = createHash("sha256").update(canonical).digest("hex");
    it.each([
      ["written by the author", { ...call, arguments: more }],
      ["with the review that approved less", { ...call, arguments: more, review: "$.ask_output.toolCall.review" }],
      [
        "with its own digest under that review",
        { ...call, arguments: more, review: { id: "$.ask_output.toolCall.review.id", digest } },
      ],
      ["with a review that there is not", { ...call, review: { id: 999_999, digest } }],
    ])("no call %s", async (_name, approved) => {
      const id = await decided(approved);
      expect(await run(id)).toMatchObject({ outcome: "refused", output: "REVIEW_CHANGED" });
      expect(await refunds(id)).toEqual([]);
    });

    it("no call of another run", async () => {
      const first = await decided("$.ask_output.toolCall");
      const [node] = (await run(first)).nodes;
      const id = await decided(node.output.toolCall);
      expect(await run(id)).toMatchObject({ outcome: "refused", output: "REVIEW_CHANGED" });
      expect(await refunds(id)).toEqual([]);
    });
  });
});
