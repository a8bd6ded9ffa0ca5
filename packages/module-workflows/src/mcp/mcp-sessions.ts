import { randomUUID } from "node:crypto";
import { type McpServer, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import type { Principal } from "@oven/contract";
import { z } from "zod";
import { ownerOf, sessionOf } from "./open-calls.ts";

const MOST_OF_ONE = 20;
const MOST = 2_000;
const IDLE_MS = 30 * 60_000;
const SWEEP_MS = 60_000;

/** Clients of the revisions to 2025-11-25 that can be asked something: only they need a session. */
const InitializeSchema = z.object({
  method: z.literal("initialize"),
  params: z.object({
    capabilities: z.looseObject({ elicitation: z.unknown().optional(), sampling: z.unknown().optional() }),
  }),
});

export interface SessionRequest {
  request: Request;
  /** Its body, where that is JSON. */
  parsedBody?: unknown;
  principal: Principal;
  /** The server that is asked, as it is now: another one, or one that has changed, is not that of the session. */
  server: string;
  bodyLimit: number;
  createServer(): McpServer;
}

interface Session {
  owner: string;
  /** The owner with their rights, and the server, as they were when it began. */
  made: string;
  transport: WebStandardStreamableHTTPServerTransport;
  server: McpServer;
  usedAt: number;
}

/**
 * Sessions of older clients, in this process: the server can ask them in the middle of a call. An id is random, tied to who began
 * it, and proves nothing by itself. A session ends with DELETE, after half an hour of silence, when what its owner may do or
 * the server changes, when its owner opens too many, and when the process stops; then the client begins a new one.
 */
export class McpSessions {
  readonly #sessions = new Map<string, Session>();
  readonly #now: () => number;
  #sweep: NodeJS.Timeout | undefined;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** Undefined: this request needs no session. */
  async serve(asked: SessionRequest): Promise<Response | undefined> {
    const id = sessionOf(asked.request);
    if (id !== undefined) return this.#go(id, asked);
    if (asked.request.method !== "POST" || !canBeAsked(asked.parsedBody)) return undefined;
    return this.#begin(asked);
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep);
    await Promise.all([...this.#sessions.keys()].map((id) => this.#end(id)));
  }

  async #go(id: string, { request, parsedBody, principal, server }: SessionRequest): Promise<Response> {
    const session = this.#sessions.get(id);
    // A session of another person does not exist for this one.
    if (session === undefined || session.owner !== ownerOf(principal)) return notFound();
    if (session.made !== madeFor(principal, server)) {
      await this.#end(id);
      return notFound();
    }
    session.usedAt = this.#now();
    return session.transport.handleRequest(request, { parsedBody });
  }

  async #begin(asked: SessionRequest): Promise<Response> {
    const { request, parsedBody, principal, server: name, bodyLimit, createServer } = asked;
    const owner = ownerOf(principal);
    await this.#makeRoom(owner);
    const server = createServer();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      maxRequestBodySize: bodyLimit,
      onsessioninitialized: (id) => {
        this.#sessions.set(id, { owner, made: madeFor(principal, name), transport, server, usedAt: this.#now() });
      },
      onsessionclosed: (id) => {
        this.#sessions.delete(id);
      },
    });
    await server.connect(transport);
    this.#sweep ??= setInterval(() => void this.sweep(), SWEEP_MS).unref();
    return transport.handleRequest(request, { parsedBody });
  }

  /** Ends sessions that were not used for long. */
  async sweep(): Promise<void> {
    const until = this.#now() - IDLE_MS;
    const idle = [...this.#sessions].filter(([, { usedAt }]) => usedAt < until);
    await Promise.all(idle.map(([id]) => this.#end(id)));
  }

  async #makeRoom(owner: string): Promise<void> {
    const byAge = [...this.#sessions].toSorted(([, one], [, other]) => one.usedAt - other.usedAt);
    const own = byAge.filter(([, session]) => session.owner === owner);
    const [oldest] = own.length >= MOST_OF_ONE ? own : byAge.length >= MOST ? byAge : [];
    if (oldest !== undefined) await this.#end(oldest[0]);
  }

  async #end(id: string): Promise<void> {
    const session = this.#sessions.get(id);
    this.#sessions.delete(id);
    await session?.server.close();
  }
}

function madeFor(principal: Principal, server: string): string {
  return JSON.stringify([principal, server]);
}

function canBeAsked(body: unknown): boolean {
  const begun = InitializeSchema.safeParse(body);
  // Whatever else it is, it begins no session.
  if (!begun.success) return false;
  const { capabilities } = begun.data.params;
  return capabilities.elicitation !== undefined || capabilities.sampling !== undefined;
}

/** As the transport of the protocol answers for a session that has ended. */
function notFound(): Response {
  const error = { code: -32_001, message: "Session not found" };
  return Response.json({ jsonrpc: "2.0", error, id: null }, { status: 404 });
}
