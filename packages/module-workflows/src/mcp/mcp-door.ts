import { createMcpHandler, isLegacyRequest, type McpServer } from "@modelcontextprotocol/server";
import { isGranted, OvenError, type Principal } from "@oven/contract";
import { type Access, checkOrigin, defineRoute, type Route, type ServiceMap } from "@oven/module-registry";
import { z } from "zod";
import { endWithCredentials } from "./end-with-credentials.ts";

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
  open(asked: Asked<z.output<Params>>): Promise<McpOffer>;
  /** The permissions that a call of this tool takes, so that a client with a narrower token can ask for more. */
  needs?(asked: Asked<z.output<Params>>, tool: string): Promise<readonly string[]>;
}

/** What this client finds there. */
export interface McpOffer {
  /** @param session whether the client stays connected, and can be told of things between its calls */
  createServer(given: { session: boolean }): McpServer;
  /** Changes with what the server has: a session that was begun with another one ends. */
  revision: string;
}

interface Asked<Params> {
  principal: Principal;
  params: Params;
  request: Request;
  /** The tool that is called, if one is. */
  tool?: string | undefined;
}

/**
 * An MCP endpoint (Streamable HTTP, all eras of the protocol). A server and transport of its own for each request, or for each
 * session of an older client that can be asked: answers can never cross between clients.
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
      handler: async ({ principal, params, request, text = "", services }) => {
        if (request.headers.has("origin")) checkOrigin(request, door.publicUrl());
        // cast: the route gives a schema, so there is something parsed
        const given = params as z.output<Params>;
        const parsed = parseJson(text);
        const asked = { principal, params: given, request, tool: toolOf(parsed) };
        const { createServer, revision } = await door.open(asked);
        if (method === "POST" && principal.kind === "user") await requireScopes(door, asked, services);
        const { pathname } = new URL(request.url);
        const serve = async (watched: Request) => {
          if (await isLegacyRequest(watched, parsed, { maxRequestBodySize: BODY_LIMIT })) {
            const server = `${pathname} ${revision}`;
            const sessions = services.workflowPlatform.mcpSessions;
            const session = {
              request: watched,
              text,
              principal,
              server,
              bodyLimit: BODY_LIMIT,
              createServer: () => createServer({ session: true }),
            };
            const answer = await sessions.serve(session);
            if (answer !== undefined) return answer;
          }
          const onerror = (error: Error) => console.warn(`${pathname}: ${error.message}`);
          return createMcpHandler(() => createServer({ session: false }), {
            maxRequestBodySize: BODY_LIMIT,
            onerror,
          }).fetch(watched, parsed === undefined ? {} : { parsedBody: parsed });
        };
        return endWithCredentials(request, serve, services.authenticate);
      },
    }),
  );
}

/**
 * A person's token may allow less than he may himself. Where that is all that is missing, the client is told at the level of
 * HTTP, so that it can ask him; anything else is refused by the tool.
 * @throws OvenError FORBIDDEN
 */
async function requireScopes<Params extends z.ZodObject>(
  { needs }: McpDoor<Params>,
  asked: Asked<z.output<Params>>,
  { access }: ServiceMap,
): Promise<void> {
  const { principal, tool } = asked;
  if (tool === undefined || needs === undefined || principal.userId === null) return;
  const missing = (await needs(asked, tool)).filter((permission) => !isGranted(principal.permissions, permission));
  if (missing.length === 0) return;
  const person = await access.findPrincipal(principal.userId, principal.tenantId);
  if (person === undefined || !missing.every((permission) => isGranted(person.permissions, permission))) return;
  throw new OvenError("FORBIDDEN", `${tool} takes ${missing.join(" and ")}, which this connection does not allow`, {
    status: 403,
    fix: "Connect again, and allow it.",
    details: { permission: missing[0] ?? "", permissions: missing },
  });
}

/** The method of a JSON-RPC message, and which tool a call is of; undefined for what is none. */
function describeMessage(body: string): string | undefined {
  const message = MessageSchema.safeParse(parseJson(body));
  if (!message.success) return undefined;
  const { method, params } = message.data;
  return params?.name === undefined ? method : `${method} ${params.name}`;
}

function toolOf(body: unknown): string | undefined {
  const message = MessageSchema.safeParse(body);
  return message.data?.method === "tools/call" ? message.data.params?.name : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // What is no JSON is refused by the transport.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
