import { randomUUID } from "node:crypto";
import {
  createMcpHandler,
  isLegacyRequest,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { type OutsideServer, startOutsideServer } from "@oven/testing";

/** A server as others write them: both eras at one address, the older one with sessions. */
export async function startMcpServer(
  declare: (server: McpServer) => void,
  { eras = "both" }: { eras?: "both" | "legacy" } = {},
): Promise<OutsideServer & { sessions: Map<string, unknown> }> {
  const make = () => {
    const server = new McpServer({ name: "outside", version: "1.0.0" }, { instructions: "Sells things." });
    declare(server);
    return server;
  };
  const modern = createMcpHandler(make, { legacy: "reject" });
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const started = await startOutsideServer(async (request) => {
    if (eras === "both" && !(await isLegacyRequest(request.clone()))) return modern.fetch(request);
    const id = request.headers.get("mcp-session-id");
    if (id !== null)
      return sessions.get(id)?.handleRequest(request) ?? new Response("no such session", { status: 404 });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (session) => void sessions.set(session, transport),
      onsessionclosed: (session) => void sessions.delete(session),
    });
    await make().connect(transport);
    return transport.handleRequest(request);
  });
  return { ...started, sessions };
}
