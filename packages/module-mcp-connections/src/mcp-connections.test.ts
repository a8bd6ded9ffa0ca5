import type { OutsideServer } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type ConnectedOven, startConnectedOven } from "./connections/testing/connected-oven.ts";
import { startMcpServer } from "./connections/testing/mcp-server.ts";

describe.each(["both", "legacy"] as const)("an agent and an outside server that speaks %s", (eras) => {
  let server: OutsideServer & { sessions: Map<string, unknown> };
  let oven: ConnectedOven;
  const calls: unknown[] = [];

  beforeAll(async () => {
    server = await startMcpServer(
      (mcp) => {
        mcp.registerTool(
          "stock",
          {
            description: "How many there are",
            inputSchema: z.object({ item: z.string() }),
            outputSchema: z.object({ count: z.number() }),
            annotations: { readOnlyHint: true },
          },
          async ({ item }) => {
            calls.push(item);
            return { content: [{ type: "text", text: `7 of ${item}` }], structuredContent: { count: 7 } };
          },
        );
        mcp.registerTool("fail", { inputSchema: z.object({}) }, async () => ({
          isError: true,
          content: [{ type: "text", text: "the catalogue is locked" }],
        }));
      },
      { eras },
    );
    oven = await startConnectedOven([], { allow: [server.origin] });
  });
  afterAll(async () => {
    await oven.stop();
    await server.close();
  });

  it("discovers its tools, which nobody may call until they are approved", async () => {
    const { status, body } = await oven.call("POST", "mcp-connections", { name: "shop", url: server.url });
    expect(status, JSON.stringify(body)).toBe(201);
    expect(body).toMatchObject({
      status: "ok",
      lastError: null,
      serverName: "outside",
      instructions: "Sells things.",
      protocolVersion: eras === "both" ? "2026-07-28" : "2025-11-25",
      tools: { approved: 0, waiting: 2 },
    });
    const tools = await oven.tools(body.id);
    expect(tools.map(({ toolId, state }) => [toolId, state])).toEqual([
      ["mcp.shop.fail", "new"],
      ["mcp.shop.stock", "new"],
    ]);
    // The server says that it only reads; that decides nothing.
    expect(tools[1]).toMatchObject({
      effect: "at-most-once",
      needsApproval: true,
      listed: { hints: { readOnlyHint: true } },
    });
    const offered = async () =>
      (await oven.call("GET", 'tools?filter={"source":"mcp"}')).body.map(({ id }: { id: string }) => id);
    expect(await offered()).toEqual([]);
    await oven.approveAll(body.id);
    expect(await offered()).toEqual(["mcp.shop.fail", "mcp.shop.stock"]);
    // What the editor knows of a step that calls it: the node says where its type stands, the tool what it is.
    const types = (await oven.call("GET", "node-types")).body;
    const { outputSchema } = types.find(({ id }: { id: string }) => id === "mcp.callTool");
    expect(outputSchema.properties.structured["x-type-from"][0]).toEqual({ called: "tool" });
    const stock = (await oven.call("GET", "tools/mcp.shop.stock")).body;
    expect(stock.outputSchema.properties.structured).toMatchObject({ properties: { count: { type: "number" } } });
  });

  it("calls a tool for an agent, and gives the model what it answered, marked as somebody else's", async () => {
    oven.model.enqueue({ toolCalls: [{ name: "mcp_shop_stock", arguments: { item: "tea" } }] }, { text: "7 left" });
    const run = await oven.run(["mcp.shop.*"]);
    expect(run, JSON.stringify(run.errorInfo)).toMatchObject({ status: "completed", output: "7 left" });
    expect(calls).toEqual(["tea"]);
    const [asked, told] = oven.model.requests.slice(-2).map(({ body }) => body);
    expect(asked?.tools).toContainEqual({
      type: "function",
      function: expect.objectContaining({
        name: "mcp_shop_stock",
        description: "How many there are. Of the outside server shop.",
        parameters: expect.objectContaining({ required: ["item"] }),
      }),
    });
    const messages = told?.messages as { role: string; content: string }[];
    expect(JSON.parse(messages.at(-1)?.content ?? "")).toEqual({
      untrusted: expect.stringContaining("came from outside"),
      content: { text: "7 of tea", structured: { count: 7 } },
    });
    // Nothing is left behind at the server once the run has ended.
    await expect.poll(() => server.sessions.size).toBe(0);
  });

  it("tells the model of a call that failed, and what does not fit is not sent", async () => {
    oven.model.enqueue(
      {
        toolCalls: [
          { name: "mcp_shop_fail", arguments: {} },
          { name: "mcp_shop_stock", arguments: { item: 3 } },
        ],
      },
      { text: "no" },
    );
    const sent = calls.length;
    expect(await oven.run(["mcp.shop.*"])).toMatchObject({ status: "completed" });
    const messages = oven.model.requests.at(-1)?.body.messages as { content: string }[];
    expect(messages.at(-2)?.content).toContain("the catalogue is locked");
    expect(messages.at(-1)?.content).toContain("do not fit");
    expect(calls).toHaveLength(sent);
    const [{ id: connection }] = (await oven.call("GET", "mcp-connections")).body;
    const stock = (await oven.tools(connection)).find(({ name }) => name === "stock");
    const path = `mcp-connections/${connection}/tools/${stock.id}/try`;
    const { body } = await oven.call("POST", path, { arguments: { item: 3 } });
    expect(body.error.code).toBe("TOOL_INPUT_INVALID");
  });
});
