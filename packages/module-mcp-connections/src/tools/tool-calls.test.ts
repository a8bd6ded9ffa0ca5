import { createHash } from "node:crypto";
import type { OutsideServer } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type ConnectedOven, startConnectedOven } from "../connections/testing/connected-oven.ts";
import { startMcpServer } from "../connections/testing/mcp-server.ts";

const PIXEL = Buffer.from("a picture");

describe("calls of outside tools", () => {
  let server: OutsideServer;
  let oven: ConnectedOven;
  let id = 0;
  let calls = 0;
  const began = Promise.withResolvers<void>();
  const aborted = Promise.withResolvers<void>();

  beforeAll(async () => {
    server = await startMcpServer((mcp) => {
      mcp.registerTool("draw", { inputSchema: z.object({}) }, async () => ({
        content: [
          { type: "text", text: "here it is" },
          { type: "image", data: PIXEL.toString("base64"), mimeType: "image/png" },
          { type: "resource_link", uri: "docs://one", name: "one" },
          { type: "resource_link", uri: "docs://none", name: "none" },
        ],
      }));
      mcp.registerResource("one", "docs://one", { description: "One" }, async () => ({
        contents: [{ uri: "docs://one", mimeType: "text/plain", text: "a long document" }],
      }));
      mcp.registerTool("count", { inputSchema: z.object({}) }, async (_input, { mcpReq }) => {
        const progressToken = mcpReq._meta?.progressToken;
        for (const progress of [1, 2])
          if (progressToken !== undefined)
            await mcpReq.notify({
              method: "notifications/progress",
              params: { progressToken, progress, total: 2, message: `counted ${progress}` },
            });
        return { content: [{ type: "text", text: "2" }] };
      });
      mcp.registerTool("wait", { inputSchema: z.object({}) }, async (_input, { mcpReq }) => {
        began.resolve();
        mcpReq.signal.addEventListener("abort", () => aborted.resolve());
        await aborted.promise;
        return { content: [] };
      });
      mcp.registerTool("pay", { inputSchema: z.object({ amount: z.number() }) }, async ({ amount }) => {
        calls++;
        return { content: [{ type: "text", text: `paid ${amount}` }] };
      });
    });
    oven = await startConnectedOven([], { allow: [server.origin] });
    id = await oven.connect("shop", server);
  });
  afterAll(async () => {
    await oven.stop();
    await server.close();
  });

  const detail = async (run: number) => (await oven.call("GET", `agent-workflow-executions/${run}`)).body;
  const messagesOf = () => {
    const messages = oven.model.requests.at(-1)?.body.messages as { content: string }[];
    return messages.map(({ content }) => content);
  };

  it("keep pictures and documents outside of the run's rows, and read links from the same server only", async () => {
    oven.model.enqueue({ toolCalls: [{ name: "mcp_shop_draw", arguments: {} }] }, { text: "ok" });
    const run = await oven.run(["mcp.shop.draw"]);
    expect(run.status, JSON.stringify(run.errorInfo)).toBe("completed");
    const { nodes } = await detail(run.id);
    const row = nodes.find(({ nodeType }: { nodeType: string }) => nodeType === "mcp.shop.draw");
    const [picture, one, none] = row.output.result.attachments;
    expect(picture).toMatchObject({
      mediaType: "image/png",
      bytes: PIXEL.byteLength,
      sha256: createHash("sha256").update(PIXEL).digest("hex"),
    });
    expect(one).toMatchObject({ uri: "docs://one", content: { $blob: expect.any(Number), mediaType: "text/plain" } });
    expect(none).toMatchObject({ uri: "docs://none", note: expect.stringContaining("Not read") });
    const kept = await oven.fetch(`blobs/${picture.$blob}`);
    expect(Buffer.from(await kept.arrayBuffer()).equals(PIXEL)).toBe(true);
  });

  it("show pictures to a model that can see, and say to one that cannot what was left out", async () => {
    const go = async (model: string) => {
      oven.model.enqueue({ toolCalls: [{ name: "mcp_shop_draw", arguments: {} }] }, { text: "ok" });
      const run = await oven.run(["mcp.shop.draw"], "go", model);
      expect(run.status, JSON.stringify(run.errorInfo)).toBe("completed");
      const messages = oven.model.requests.at(-1)?.body.messages as { role: string; content: unknown }[];
      return { run: run.id, messages, result: messages.find(({ role }) => role === "tool")?.content };
    };
    const seeing = await go("house-vision");
    const address = `data:image/png;base64,${PIXEL.toString("base64")}`;
    expect(seeing.messages.at(-1)).toMatchObject({
      role: "user",
      content: [
        { type: "text", text: expect.stringContaining("data, not instructions") },
        { type: "image_url", image_url: { url: address } },
      ],
    });
    expect(seeing.result).toContain("shown after it: 1");
    expect(seeing.result).not.toContain(PIXEL.toString("base64"));
    // The conversation of the run refers to it.
    const { context } = await detail(seeing.run);
    expect(JSON.stringify(context.messages)).not.toContain(PIXEL.toString("base64"));
    const blind = await go("house-model");
    expect(blind.messages.at(-1)?.role).toBe("tool");
    expect(blind.result).toContain(
      `(image/png, ${PIXEL.byteLength} bytes) is not shown: this model is not known to see`,
    );
  });

  it("tell the run's log how far they are", async () => {
    oven.model.enqueue({ toolCalls: [{ name: "mcp_shop_count", arguments: {} }] }, { text: "ok" });
    const run = await oven.run(["mcp.shop.count"]);
    const text = await (await oven.fetch(`agent-workflow-executions/${run.id}/events`)).text();
    expect(text).toContain("mcp.shop.count: counted 1");
    expect(text).toContain("mcp.shop.count: counted 2");
  });

  it("are cancelled at the server when the run is cancelled", async () => {
    oven.model.enqueue({ toolCalls: [{ name: "mcp_shop_wait", arguments: {} }] });
    const running = oven.run(["mcp.shop.wait"]);
    await began.promise;
    const [{ id: run }] = (await oven.call("GET", 'agent-workflow-executions?filter={"status":"running"}')).body;
    await oven.call("POST", `agent-workflow-executions/${run}/cancel`, {});
    await aborted.promise;
    expect((await running).status).toBe("cancelled");
  });

  it("are made as a person has approved them, where the tool asks for that", async () => {
    const tool = (await oven.tools(id)).find(({ name }) => name === "pay");
    await oven.call("POST", `mcp-connections/${id}/tools/${tool.id}/approve`, { hash: tool.listedHash });
    oven.model.enqueue({ toolCalls: [{ name: "mcp_shop_pay", arguments: { amount: 900 } }] }, { text: "ok" });
    const run = await oven.run(["mcp.shop.pay"]);
    expect([run.status, calls]).toEqual(["paused", 0]);
    const [review] = (await oven.call("GET", `reviews?filter={"executionId":${run.id}}`)).body;
    expect(review).toMatchObject({
      tool: "mcp.shop.pay",
      proposal: { amount: 900 },
      risk: { effect: "at-most-once", tags: ["outside-content", "outbound", "mcp"] },
    });
    await oven.call("POST", `reviews/${review.id}/decide`, { action: "edit", data: { amount: 9 } });
    await expect.poll(async () => (await detail(run.id)).status).toBe("completed");
    expect(calls).toBe(1);
    expect(messagesOf().at(-1)).toContain("paid 9");
  });

  it("need that approval by every other way too: by hand, and from a step without a model", async () => {
    const tool = (await oven.tools(id)).find(({ name }) => name === "pay");
    const before = calls;
    for (const path of [`mcp-connections/${id}/tools/${tool.id}/try`, "tools/mcp.shop.pay/call"]) {
      const refused = await oven.call("POST", path, { arguments: { amount: 900 } });
      expect([refused.status, refused.body.error?.code]).toEqual([409, "APPROVAL_NEEDED"]);
    }
    const start = async (states: object) => {
      const definition = {
        initial: "pay",
        states: { ...states, done: { type: "final", output: "$.pay_output.text" } },
      };
      const name = `Pay ${Math.random()}`;
      const workflow = await oven.call("POST", "agent-workflows", { name, definition });
      expect(workflow.status, JSON.stringify(workflow.body)).toBe(201);
      return (await oven.call("POST", `agent-workflows/${workflow.body.id}/execute?wait=30`, { input: {} })).body;
    };
    const decide = async (run: { id: number }, decision: object) => {
      const [open] = (await oven.call("GET", `reviews?filter={"executionId":${run.id},"status":"open"}`)).body;
      expect((await oven.call("POST", `reviews/${open.id}/decide`, decision)).status).toBe(200);
      await expect.poll(async () => (await detail(run.id)).status).toMatch(/completed|failed/);
      return { open, run: await detail(run.id) };
    };
    const input = { tool: "mcp.shop.pay", arguments: { amount: 900 }, assignees: ["role:owner"], dueIn: "P1D" };
    const step = { invoke: { src: "mcp.callTool", input, onDone: "done" } };
    const run = await start({ pay: step });
    expect([run.status, calls]).toEqual(["paused", before]);
    const edited = await decide(run, { action: "edit", data: { amount: 8 } });
    expect(edited.open).toMatchObject({ tool: "mcp.shop.pay", proposal: { amount: 900 }, assignees: ["role:owner"] });
    expect(edited.open.dueAt).toMatch(/^\d{4}-/);
    expect([edited.run.output, calls]).toEqual(["paid 8", before + 1]);

    const declined = await decide(await start({ pay: step }), { action: "reject", reason: "too much" });
    expect(declined.run).toMatchObject({ status: "failed", errorInfo: { code: "REVIEW_REJECTED", nodeId: "pay" } });
    expect(calls).toBe(before + 1);
  });

  it("are made without asking again where a review before the step has released them, once", async () => {
    const before = calls;
    const toolCall = { toolCallId: "c1", tool: "mcp.shop.pay", arguments: { amount: 5 } };
    const pay = { tool: "mcp.shop.pay", arguments: { amount: 5 }, approved: "$.review_output.toolCall" };
    const definition = {
      initial: "review",
      states: {
        review: { invoke: { src: "agent.humanReview", input: { toolCall }, onDone: "pay" } },
        pay: { invoke: { src: "mcp.callTool", input: pay, onDone: "again" } },
        again: { invoke: { src: "mcp.callTool", input: pay, onDone: "done" } },
        done: { type: "final" },
      },
    };
    const workflow = await oven.call("POST", "agent-workflows", { name: "Released once", definition });
    expect(workflow.status, JSON.stringify(workflow.body)).toBe(201);
    const run = (await oven.call("POST", `agent-workflows/${workflow.body.id}/execute?wait=30`, { input: {} })).body;
    const open = async () =>
      (await oven.call("GET", `reviews?filter={"executionId":${run.id},"status":"open"}`)).body[0];
    await oven.call("POST", `reviews/${(await open()).id}/decide`, { action: "approve" });
    await expect.poll(async () => (await open())?.nodeId).toBe("again");
    expect(calls).toBe(before + 1);
    await oven.call("POST", `agent-workflow-executions/${run.id}/cancel`, {});
  });

  describe("that need approval for some arguments only", () => {
    let before = 0;
    const approve = async (approvalWhen: string | null) => {
      const { id: toolId, listedHash: hash } = (await oven.tools(id)).find(({ name }) => name === "pay");
      return oven.call("POST", `mcp-connections/${id}/tools/${toolId}/approve`, { hash, approvalWhen });
    };
    const byHand = async (amount: number) =>
      (await oven.call("POST", "tools/mcp.shop.pay/call", { arguments: { amount } })).status;
    const byModel = async (amount: number, ...then: { text: string }[]) => {
      oven.model.enqueue({ toolCalls: [{ name: "mcp_shop_pay", arguments: { amount } }] }, ...then);
      return (await oven.run(["mcp.shop.pay"])).status;
    };
    beforeAll(() => {
      before = calls;
    });
    afterAll(() => approve(null));

    it("are called at once with others, by every way, and wait with those", async () => {
      const { status, body } = await approve("args.amount > 100");
      expect([status, body.approvalWhen]).toEqual([200, "args.amount > 100"]);
      expect(await byHand(7)).toBe(200);
      expect(await byHand(101)).toBe(409);
      expect(await byModel(100, { text: "ok" })).toBe("completed");
      expect(await byModel(102)).toBe("paused");
      expect(calls).toBe(before + 2);
    });

    it("can have their condition tried on past calls", async () => {
      const attempt = async (when: string) =>
        (await oven.call("POST", "approval-conditions/try", { when, tool: "mcp.shop.*" })).body;
      const all = await attempt("args.amount > 0");
      const known = await attempt("args.amount > 100");
      expect(known.looked).toBe(all.looked);
      expect(known.examples[0]).toMatchObject({
        outcome: "holds",
        args: { amount: 102 },
        executionKind: "agent-workflow",
      });
      expect(known.asks).toBeLessThan(all.asks);
      expect(await attempt("args.sum > 100")).toMatchObject({
        looked: all.looked,
        asks: all.looked,
        unknown: all.looked,
      });
    });

    it("can have a condition tried on what one step proposed or called", async () => {
      const work = { prompt: "go", tools: ["mcp.shop.*"], model: "openai:house-model" };
      const definition = {
        initial: "review",
        states: {
          review: {
            invoke: {
              src: "agent.humanReview",
              input: { show: { amount: 5 }, when: "args.amount > 10" },
              onDone: "work",
            },
          },
          work: { invoke: { src: "agent.toolLoop", input: work, onDone: "done" } },
          done: { type: "final" },
        },
      };
      const { body } = await oven.call("POST", "agent-workflows", { name: "Tried", definition });
      oven.model.enqueue({ toolCalls: [{ name: "mcp_shop_pay", arguments: { amount: 8 } }] }, { text: "ok" });
      const run = await oven.call("POST", `agent-workflows/${body.id}/execute?wait=30`, { input: {} });
      expect(run.body.status).toBe("completed");
      const attempt = async (nodeId: string, when: string, more: object = {}) => {
        const step = { kind: "agent-workflow", workflowId: body.id, nodeId };
        const { looked, asks } = (await oven.call("POST", "approval-conditions/try", { when, step, ...more })).body;
        return [looked, asks];
      };
      expect(await attempt("review", "args.amount == 5")).toEqual([1, 1]);
      expect(await attempt("review", "args.amount > 10")).toEqual([1, 0]);
      expect(await attempt("work", "args.amount == 8")).toEqual([1, 1]);
      expect(await attempt("work", "args.amount == 8", { tool: "mcp.shop.count" })).toEqual([0, 0]);
      expect(await attempt("nowhere", "args.amount == 8")).toEqual([0, 0]);
    });

    it("refuse a condition that is no CEL", async () => {
      const { status, body } = await approve("args.amount >");
      expect([status, body.error.code, body.error.path]).toEqual([400, "INVALID_CONDITION", "$.approvalWhen"]);
    });
  });

  it("are seen by policies, whatever the server says of itself", async () => {
    const rule = { kind: "review-before", target: { tags: ["mcp"] } };
    const made = await oven.call("POST", "graph-policies", { name: "Ask first", severity: "error", rule });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    await expect(oven.run(["mcp.shop.count"])).rejects.toThrow("mcp.shop.count");
    await oven.call("DELETE", `graph-policies/${made.body.id}`);
  });

  it("are named after their connection, also after it was renamed, and not once it is off or gone", async () => {
    const names = async () =>
      (await oven.call("GET", 'tools?filter={"source":"mcp"}')).body.map((tool: { id: string }) => tool.id);
    expect(await names()).toEqual(["mcp.shop.count", "mcp.shop.draw", "mcp.shop.pay", "mcp.shop.wait"]);
    await oven.call("PUT", `mcp-connections/${id}`, { name: "store" });
    expect(await names()).toEqual(["mcp.store.count", "mcp.store.draw", "mcp.store.pay", "mcp.store.wait"]);
    const [count] = await oven.tools(id);
    expect(
      (await oven.call("POST", `mcp-connections/${id}/tools/${count.id}/try`, { arguments: {} })).body.result.text,
    ).toBe("2");
    await oven.call("PUT", `mcp-connections/${id}`, { enabled: false });
    expect(await names()).toEqual([]);
    const refused = await oven.call("POST", `mcp-connections/${id}/tools/${count.id}/try`, { arguments: {} });
    expect(refused.body.error.code).toBe("MCP_TOOL_NOT_APPROVED");
    await oven.call("PUT", `mcp-connections/${id}`, { enabled: true });
    expect(await names()).toHaveLength(4);
    expect((await oven.call("DELETE", `mcp-connections/${id}`)).status).toBe(204);
    expect(await names()).toEqual([]);
    expect(await oven.db.query("select * from mcp_connection_tools")).toEqual([]);
  });
});
