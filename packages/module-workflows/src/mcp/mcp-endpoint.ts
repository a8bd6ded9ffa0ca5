import { createMcpHandler, isLegacyRequest, type McpServer } from "@modelcontextprotocol/server";
import {
  isGranted,
  isOvenError,
  type Json,
  OvenError,
  type Principal,
  type ReadJson,
  readJson,
  refuseLongNumbers,
} from "@oven/contract";
import {
  type Access,
  ClientGone,
  checkOrigin,
  defineRoute,
  expectReply,
  type Route,
  type ServiceMap,
  withBody,
} from "@oven/module-registry";
import { z } from "zod";
import { endWithCredentials } from "./end-with-credentials.ts";
import { newClientName, type OpenCalls, SESSION_HEADER } from "./open-calls.ts";
import { showsViews } from "./run-apps.ts";
import { refuseTaskNotifications } from "./task-notifications.ts";

const BODY_LIMIT = 1_048_576;
/** Of JSON-RPC. */
const INVALID_PARAMS = -32_602;
const MessageSchema = z.object({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string(),
  params: z
    .object({
      name: z.string().optional(),
      arguments: z.custom<Json>().optional(),
      requestId: z.union([z.string(), z.number()]).optional(),
    })
    .optional(),
});
const METHODS = ["POST", "GET", "DELETE"] as const;

export interface McpEndpoint<Params extends z.ZodObject> {
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
  createServer(given: ServerUse): McpServer;
  /** The schema of the arguments of a tool, where a long number in them stays as text; undefined: it has no such tool. */
  inputSchema(tool: string): Json | undefined;
  /** Changes with what the server has: a session that was begun with another one ends. */
  revision: string;
}

export interface ServerUse {
  /** Whether the client stays connected and can receive notifications between its calls. */
  session: boolean;
  /** Whether the client speaks revision 2026-07-28. */
  modern?: boolean;
  /** Whether the client shows views (`ui://`). */
  views: boolean;
  /** Of a server for one request: see `RunMcpDeps`. */
  isEnded?(): boolean;
}

interface Asked<Params> {
  principal: Principal;
  params: Params;
  request: Request;
  /** The tool that is called, if one is. */
  call?: ToolCall | undefined;
}

/** A tool by the name that clients know, and its arguments as they came. */
export interface ToolCall {
  name: string;
  given: Json;
}

/**
 * An MCP endpoint (Streamable HTTP, all eras of the protocol). A server and transport of its own for each request, or for each
 * session of an older client that can be asked: answers can never cross between clients.
 */
export function mcpEndpoint<Params extends z.ZodObject>(endpoint: McpEndpoint<Params>): Route[] {
  return METHODS.map((method) =>
    defineRoute({
      method,
      path: endpoint.path,
      operation: false,
      summary: endpoint.summary,
      access: endpoint.access,
      raw: true,
      rawBody: { limit: BODY_LIMIT, says: describeMessage },
      params: endpoint.params,
      handler: async ({ principal, params, request, text = "", services }) => {
        if (request.headers.has("origin")) checkOrigin(request, endpoint.publicUrl());
        // cast: the route gives a schema, so there is something parsed
        const given = params as z.output<Params>;
        const read = parseMessage(text);
        const parsed = read?.value;
        const asked = { principal, params: given, request, call: callIn(parsed) };
        const { createServer, inputSchema, revision } = await endpoint.open(asked);
        const refusal =
          read === undefined
            ? undefined
            : (refuseNumbers(read, asked.call, inputSchema) ?? refuseTaskNotifications(read.value));
        if (refusal !== undefined) return refusal;
        if (method === "POST" && principal.kind === "user") await requireScopes(endpoint, asked, services);
        // A failed tool call is an answer with status 200.
        if (asked.call !== undefined) expectReply(200);
        const { pathname } = new URL(request.url);
        const serve = async (signal: AbortSignal) => {
          const parsedBody = parsed === undefined ? {} : { parsedBody: parsed };
          // The transport gets a parsed body separately, and refuses one that is no JSON itself.
          const watched =
            parsed === undefined
              ? withBody(request, Buffer.from(text), signal)
              : new Request(request.url, { method, headers: request.headers, signal });
          if (await isLegacyRequest(watched, parsed, { maxRequestBodySize: BODY_LIMIT })) {
            const server = `${pathname} ${revision}`;
            const sessions = services.workflowPlatform.mcpSessions;
            const session = {
              request: watched,
              ...parsedBody,
              principal,
              server,
              bodyLimit: BODY_LIMIT,
              createServer: () => createServer({ session: true, views: showsViews(parsed, request) }),
            };
            const answer = await sessions.serve(session);
            if (answer !== undefined) return answer;
          }
          return serveAlone(watched, parsed, asked, createServer, services.workflowPlatform.mcpCalls);
        };
        return endWithCredentials(request, serve, services.authenticate);
      },
    }),
  );
}

/**
 * Serves a request without a session. An older client gets a name with its answer to `initialize`, which it sends with all that follows: by
 * that, `notifications/cancelled` finds the call that it is about.
 */
async function serveAlone<Params>(
  watched: Request,
  parsed: unknown,
  { request, principal, call }: Asked<Params>,
  createServer: McpOffer["createServer"],
  calls: OpenCalls,
): Promise<Response> {
  const { id, method, params } = MessageSchema.safeParse(parsed).data ?? {};
  const cancelled = method === "notifications/cancelled" ? params?.requestId : undefined;
  if (cancelled !== undefined) calls.cancel({ principal, request, requestId: cancelled });
  const open = call === undefined || id === undefined ? undefined : calls.begin({ principal, request, requestId: id });
  const isEnded = () => open?.signal.aborted === true || request.signal.reason instanceof ClientGone;
  const { pathname } = new URL(request.url);
  const views = showsViews(parsed, request);
  const handler = createMcpHandler(
    ({ era }) => createServer({ session: false, modern: era === "modern", views, isEnded }),
    {
      maxRequestBodySize: BODY_LIMIT,
      onerror: (error) => console.warn(`${pathname}: ${error.message}`),
    },
  );
  const given = parsed === undefined ? {} : { parsedBody: parsed };
  if (open === undefined) {
    const answer = await handler.fetch(watched, given);
    if (method === "initialize" && answer.ok) answer.headers.set(SESSION_HEADER, newClientName({ showsViews: views }));
    return answer;
  }
  const signal = AbortSignal.any([watched.signal, open.signal]);
  const answer = await handler.fetch(new Request(watched, { signal }), given);
  return whenRead(answer, open.end);
}

/** The same answer, and a word when all of it was read, or none is read any more. */
function whenRead(answer: Response, done: () => void): Response {
  if (answer.body === null) {
    done();
    return answer;
  }
  const watching = new TransformStream<Uint8Array, Uint8Array>({ flush: done });
  answer.body.pipeTo(watching.writable).catch(done);
  return new Response(watching.readable, answer);
}

/**
 * Refuses a call that needs more scopes than the token has, where the person has the permissions: the client can then ask them for more. The
 * tool itself refuses everything else.
 * @throws OvenError FORBIDDEN
 */
async function requireScopes<Params extends z.ZodObject>(
  { needs }: McpEndpoint<Params>,
  asked: Asked<z.output<Params>>,
  { access }: ServiceMap,
): Promise<void> {
  const { principal, call } = asked;
  if (call === undefined || needs === undefined || principal.userId === null) return;
  const missing = (await needs(asked, call.name)).filter((permission) => !isGranted(principal.permissions, permission));
  if (missing.length === 0) return;
  const person = await access.findPrincipal(principal.userId, principal.tenantId);
  if (person === undefined || !missing.every((permission) => isGranted(person.permissions, permission))) return;
  throw new OvenError(
    "FORBIDDEN",
    `${call.name} takes ${missing.join(" and ")}, which this connection does not allow`,
    {
      status: 403,
      fix: "Connect again, and allow it.",
      details: { permission: missing[0] ?? "", permissions: missing },
    },
  );
}

/** The method of a JSON-RPC message, and which tool a call is of; undefined for what is none. */
function describeMessage(body: string): string | undefined {
  const message = MessageSchema.safeParse(parseMessage(body)?.value);
  if (!message.success) return undefined;
  const { method, params } = message.data;
  return params?.name === undefined ? method : `${method} ${params.name}`;
}

function callIn(body: unknown): ToolCall | undefined {
  const { method, params } = MessageSchema.safeParse(body).data ?? {};
  if (method !== "tools/call" || params?.name === undefined) return undefined;
  return { name: params.name, given: params.arguments ?? {} };
}

function parseMessage(text: string): ReadJson | undefined {
  try {
    return readJson(text);
  } catch (error) {
    // What is no JSON is refused by the transport.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** A JSON-RPC error for a call whose numbers would be changed; undefined: there are none. */
function refuseNumbers(
  { value, longNumbers }: ReadJson,
  call: ToolCall | undefined,
  inputSchema: McpOffer["inputSchema"],
): Response | undefined {
  try {
    const schema = call === undefined ? undefined : inputSchema(call.name);
    // What answers a question of a server is checked by the question's own schema.
    const asked = longNumbers.filter(({ path: [part] }) => part !== "result");
    refuseLongNumbers(asked, { what: "The call", at: ["params", "arguments"], schema });
    return undefined;
  } catch (error) {
    if (!isOvenError(error)) throw error;
    const { id = null } = MessageSchema.safeParse(value).data ?? {};
    const { message, fix, path } = error;
    return Response.json({
      jsonrpc: "2.0",
      id,
      error: { code: INVALID_PARAMS, message: `${message}. ${fix}`, data: { code: error.code, path } },
    });
  }
}
