import { installedModules } from "@oven/installation";
import { startOrdersApi } from "@oven/module-api-connections/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type McpEndpoint, openMcpEndpoint } from "./testing/mcp-endpoint.ts";
import { insertKey } from "./testing/strangers.ts";

const ALL = { "*": ["*"] };
const CALLING = {
  initial: "ask",
  payloadSchema: { type: "object", properties: {} },
  states: {
    ask: { invoke: { src: "api.call", input: { tool: "api.shop.getOrder", arguments: { id: "7" } }, onDone: "done" } },
    done: { type: "final", output: "$.ask_output.body" },
  },
};

describe("a tool that needs the account of the client's user", () => {
  let api: Awaited<ReturnType<typeof startOrdersApi>>;
  let endpoint: McpEndpoint;
  let id: number;

  beforeAll(async () => {
    api = await startOrdersApi();
    endpoint = await openMcpEndpoint({
      modules: installedModules({ demo: false }),
      environment: { outboundAllow: [api.origin] },
    });
    const { call } = endpoint.oven;
    const source = { type: "url", url: `${api.origin}/openapi.json` };
    const made = await call("POST", "api-connections", {
      name: "shop",
      source,
      auth: { type: "bearer" },
      accounts: "own",
    });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    id = made.body.id;
    const operations = (await call("GET", `api-connections/${id}/operations`)).body;
    await call("POST", `api-connections/${id}/operations/approve`, {
      operations: operations
        .filter(({ name }: { name: string }) => name === "getOrder")
        .map(({ id: operation, hash }: { id: number; hash: string }) => ({ id: operation, hash })),
    });
    const workflow = await call("POST", "agent-workflows", { name: "Ordering", mcpExport: true, definition: CALLING });
    expect(workflow.status, JSON.stringify(workflow.body)).toBe(201);
  });
  afterAll(async () => {
    await endpoint.close();
    await api.close();
  });

  it.each(["legacy", "auto"] as const)(
    "is a page for them to open, and the call goes on with theirs (%s)",
    async (mode) => {
      const { key } = await insertKey(endpoint.oven.db, { tenantId: 1, permissions: ALL, role: "admin" });
      const value = `key-of-a-user-of-${mode}`;
      const asked: unknown[] = [];
      const client = await endpoint.connect("ordering", {
        ...{ key, mode },
        capabilities: { elicitation: { url: {} } },
        prepare: (unconnected) =>
          unconnected.setRequestHandler("elicitation/create", async ({ params }) => {
            asked.push(params);
            const path = `api-connections/${id}/account`;
            expect((await endpoint.oven.call("PUT", path, { value }, { key })).status).toBe(200);
            return { action: "accept" };
          }),
      });
      const answer = await client.callTool({ name: "ordering", arguments: {} });
      expect(answer.structuredContent, JSON.stringify(answer)).toMatchObject({
        status: "completed",
        output: { id: "7", total: 12.5 },
      });
      expect(asked).toMatchObject([
        { mode: "url", url: `${endpoint.origin}/account?connect=${id}`, message: expect.stringContaining("Connect") },
      ]);
      expect(api.calls.at(-1)).toBe(`GET /orders/7 as ${value}`);
    },
  );

  it("stays in the inbox of the user whose client cannot show a page", async () => {
    const { key } = await insertKey(endpoint.oven.db, { tenantId: 1, permissions: ALL, role: "admin" });
    const client = await endpoint.connect("ordering", { key });
    const answer = await client.callTool({ name: "ordering", arguments: {} });
    expect(answer.structuredContent).toMatchObject({
      status: "paused",
      pending: { title: "Connect your account at shop", context: { link: `${endpoint.origin}/account?connect=${id}` } },
    });
  });
});
