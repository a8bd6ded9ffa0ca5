import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What is on the other side of the border: a service that answers what it is told to and keeps what it gets, and an MCP server. */
export interface Outside {
  origin: string;
  /** Answers of `GET /give`. */
  give: { bytes: Uint8Array; contentType: string };
  /** The JSON of the next results of the MCP server's tool. */
  structured: string;
  /** Bodies of `POST /take`, and arguments of the MCP server's tool, as they came. */
  taken: string[];
  close(): Promise<void>;
}

const TOOL = {
  name: "pass",
  description: "Passes on",
  inputSchema: { type: "object", additionalProperties: true },
  annotations: { readOnlyHint: true },
};

export async function startOutside(): Promise<Outside> {
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // cast: it listens on TCP
  const outside: Outside = {
    origin: `http://127.0.0.1:${port}`,
    give: { bytes: Buffer.from("{}"), contentType: "application/json" },
    structured: "{}",
    taken: [],
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer); // cast: no encoding was set
    const body = Buffer.concat(chunks).toString();
    const { pathname } = new URL(request.url ?? "/", outside.origin);
    if (pathname === "/give") {
      response.writeHead(200, { "content-type": outside.give.contentType }).end(outside.give.bytes);
    } else if (pathname === "/take") {
      outside.taken.push(body);
      response.writeHead(204).end();
    } else if (request.method === "POST") answerRpc(body, response);
    else response.writeHead(405).end();
  }

  function answerRpc(body: string, response: ServerResponse): void {
    const { id, method } = JSON.parse(body) as { id?: unknown; method: string }; // cast: what an MCP client sends
    if (id === undefined) {
      response.writeHead(202).end();
      return;
    }
    if (method === "tools/call") outside.taken.push(body);
    const result =
      method === "initialize"
        ? JSON.stringify({
            protocolVersion: "2025-11-25",
            capabilities: { tools: {} },
            serverInfo: { name: "outside", version: "1" },
          })
        : method === "tools/list"
          ? JSON.stringify({ tools: [TOOL] })
          : `{"content":[{"type":"text","text":"passed"}],"structuredContent":${outside.structured}}`;
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`);
  }
  return outside;
}
