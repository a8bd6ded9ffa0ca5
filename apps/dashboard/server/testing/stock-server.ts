import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

interface Stock {
  server: Server;
  origin: string;
  tool: { description: string };
  /** Tools that it lists beside its own. */
  others: object[];
  /** Files that its answers bring along, by their media type. */
  files: Record<string, string>;
}

/** An outside server whose tool counts what is in stock, and whose words can be changed. */
export async function startStock(): Promise<Stock> {
  const files: Stock["files"] = {};
  const others: Stock["others"] = [];
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
      "tools/list": { tools: [tool, ...others] },
      "tools/call": { content: [{ type: "text", text: "7 left" }, ...Object.entries(files).map(toResource)] },
    };
    if (id === undefined) return response.writeHead(method === undefined ? 405 : 202).end();
    const result = results[method];
    const error = { code: -32601, message: "no such method" };
    response.writeHead(200, { "content-type": "application/json" });
    return response.end(JSON.stringify({ jsonrpc: "2.0", id, ...(result === undefined ? { error } : { result }) }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // cast: it listens on TCP
  return { server, origin: `http://127.0.0.1:${port}`, tool, others, files };
}

function toResource([mimeType, content]: [string, string]): object {
  const uri = `stock://files/${encodeURIComponent(mimeType)}`;
  return { type: "resource", resource: { uri, mimeType, blob: Buffer.from(content).toString("base64") } };
}
