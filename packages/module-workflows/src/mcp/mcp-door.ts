import { createMcpHandler, type McpServer } from "@modelcontextprotocol/server";
import type { Principal } from "@oven/contract";
import { type Access, checkOrigin, defineRoute, type Route } from "@oven/module-registry";
import { z } from "zod";

const BODY_LIMIT = 1_048_576;
const MessageSchema = z.object({ method: z.string(), params: z.object({ name: z.string().optional() }).optional() });
const METHODS = ["POST", "GET", "DELETE"] as const;

export interface McpDoor<Params extends z.ZodObject> {
  path: string;
  summary: string;
  access: Access;
  params: Params;
  publicUrl(): string;
  /** Finds what is asked for, and says how to make a server for this request. @throws OvenError NOT_FOUND */
  open(asked: { principal: Principal; params: z.output<Params>; request: Request }): Promise<() => McpServer>;
}

/**
 * An MCP endpoint (Streamable HTTP, all eras of the protocol). A server and transport of its own for each request: answers can
 * never cross between clients.
 */
export function mcpDoor<Params extends z.ZodObject>(door: McpDoor<Params>): Route[] {
  return METHODS.map((method) =>
    defineRoute({
      method,
      path: door.path,
      operation: false,
      summary: door.summary,
      access: door.access,
      raw: true,
      rawBody: { limit: BODY_LIMIT, says: describeMessage },
      params: door.params,
      handler: async ({ principal, params, request }) => {
        if (request.headers.has("origin")) checkOrigin(request, door.publicUrl());
        // cast: the route gives a schema, so there is something parsed
        const createServer = await door.open({ principal, params: params as z.output<Params>, request });
        const { pathname } = new URL(request.url);
        const onerror = (error: Error) => console.warn(`${pathname}: ${error.message}`);
        const handler = createMcpHandler(createServer, { maxRequestBodySize: BODY_LIMIT, onerror });
        return handler.fetch(request);
      },
    }),
  );
}

/** The method of a JSON-RPC message, and which tool a call is of; undefined for what is none. */
function describeMessage(body: string): string | undefined {
  const message = MessageSchema.safeParse(parseOrNull(body));
  if (!message.success) return undefined;
  const { method, params } = message.data;
  return params?.name === undefined ? method : `${method} ${params.name}`;
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // What is no JSON is refused by the transport.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
