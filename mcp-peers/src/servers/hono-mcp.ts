import { StreamableHTTPTransport } from "@hono/mcp";
import { serve } from "@hono/node-server";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { Hono } from "hono";
import { z } from "zod";
import { wait } from "./slow.ts";

/* A server written with Hono and its MCP transport, without sessions: `hono-mcp.ts <port>`. */
function createServer(): McpServer {
  const server = new McpServer({ name: "hono-example", version: "1.0.0" });
  const add = { inputSchema: { a: z.number(), b: z.number() }, outputSchema: { sum: z.number() } };
  server.registerTool("add", { description: "Adds two numbers", ...add }, async ({ a, b }) => ({
    content: [{ type: "text", text: String(a + b) }],
    structuredContent: { sum: a + b },
  }));
  server.registerTool("wait", { description: "Takes long" }, async () => {
    await wait();
    return { content: [{ type: "text", text: "done" }] };
  });
  return server;
}

const app = new Hono();
app.all("/mcp", async (context) => {
  const transport = new StreamableHTTPTransport();
  await createServer().connect(transport);
  return transport.handleRequest(context);
});
serve({ fetch: app.fetch, port: Number(process.argv[2]), hostname: "127.0.0.1" });
