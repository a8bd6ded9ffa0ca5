import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** An outside server whose tool counts what is in stock, and whose words can be changed. */
export async function startStock(): Promise<{ server: Server; origin: string; tool: { description: string } }> {
  const tool = {
    name: "stock",
    description: "How many of an item there are",
    inputSchema: { type: "object", properties: { item: { type: "string" } }, required: ["item"] },
    annotations: { readOnlyHint: true },
  };
  const initialize = {
    protocolVersion: "2025-11-25",
    capabilities: { tools: {} },
    serverInfo: { name: "stock", version: "1" },
    instructions: "Counts things.",
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { id, method } = JSON.parse(Buffer.concat(chunks).toString() || "{}");
    const results: Record<string, object> = {
      initialize,
      "tools/list": { tools: [tool] },
      "tools/call": { content: [{ type: "text", text: "7 left" }] },
    };
    if (id === undefined) return response.writeHead(method === undefined ? 405 : 202).end();
    const result = results[method];
    const error = { code: -32601, message: "no such method" };
    response.writeHead(200, { "content-type": "application/json" });
    return response.end(JSON.stringify({ jsonrpc: "2.0", id, ...(result === undefined ? { error } : { result }) }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, tool }; // cast: it listens on TCP
}
