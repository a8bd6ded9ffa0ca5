import { OvenError } from "@oven/contract";
import type { ServerSession } from "../client/server-session.ts";
import { type LeasedSession, OpenSession } from "./open-session.ts";
import type { SessionOwner } from "./session-owner.ts";

export interface SessionLimits {
  /** How many sessions may be open at once in this process. */
  maxSessions: number;
  /** How long a call waits for one when all are in use. */
  sessionWaitMs: number;
  /** How long a session may be without a call. */
  sessionIdleMs: number;
}

export interface PooledServer extends SessionLimits {
  tenantId: number;
  /** Of its connection. */
  id: number;
  name: string;
  /** Sessions that were opened with other settings are not used any more. */
  updatedAt: Date;
}

export interface SessionPoolDeps {
  /** Resolves when the run has ended. */
  runEnded(executionId: number, signal: AbortSignal): Promise<void>;
}

interface Request {
  server: PooledServer;
  owner: SessionOwner;
  /** Aborts the waiting; the session itself is opened for all of its owner's calls. */
  signal: AbortSignal;
  /** @param ended the other side ended it @param signal fires when this process stops */
  open(ended: () => void, signal: AbortSignal): Promise<ServerSession>;
}

/** The sessions that are open here: one for each owner and server. */
export class SessionPool {
  readonly #deps: SessionPoolDeps;
  readonly #sessions = new Map<string, OpenSession>();
  /** By connection: calls that wait for room. */
  readonly #waiting = new Map<number, (() => void)[]>();
  readonly #stopped = new AbortController();

  constructor(deps: SessionPoolDeps) {
    this.#deps = deps;
  }

  /** The owner's session: closing it gives it back. @throws OvenError MCP_SESSIONS_FULL, and what opening throws */
  async lease(request: Request): Promise<LeasedSession> {
    const { server, owner, signal } = request;
    const key = JSON.stringify([server.tenantId, server.id, server.updatedAt.getTime(), owner.key]);
    const until = Date.now() + server.sessionWaitMs;
    for (;;) {
      signal.throwIfAborted();
      const open = this.#sessions.get(key) ?? (this.#hasRoom(server) ? this.#open(key, request) : undefined);
      if (open !== undefined) return open.lease(signal);
      const left = until - Date.now();
      if (left <= 0) throw sessionsFull(server);
      await this.#room(server.id, left, signal);
    }
  }

  async stop(): Promise<void> {
    this.#stopped.abort(new Error("the process stops"));
    await Promise.all([...this.#sessions.values()].map((session) => session.end()));
  }

  #hasRoom({ id, maxSessions }: PooledServer): boolean {
    let open = 0;
    for (const { connectionId } of this.#sessions.values()) if (connectionId === id) open++;
    return open < maxSessions;
  }

  #open(key: string, { server, owner, open }: Request): OpenSession {
    const session: OpenSession = new OpenSession({
      connectionId: server.id,
      idleMs: server.sessionIdleMs,
      open: (ended) => open(ended, this.#stopped.signal),
      onEnd: () => {
        if (this.#sessions.get(key) === session) this.#sessions.delete(key);
        this.#waiting.get(server.id)?.shift()?.();
      },
    });
    this.#sessions.set(key, session);
    if (owner.run !== undefined) void this.#endWithRun(owner.run, session);
    return session;
  }

  async #endWithRun(executionId: number, session: OpenSession): Promise<void> {
    try {
      await this.#deps.runEnded(executionId, session.ended);
    } catch (error) {
      // The database is away for now: the session ends when it has been idle.
      if (!(error instanceof Error)) throw error;
      return;
    }
    await session.end();
  }

  /** Resolves when one of a connection's sessions has ended, or the time is up. */
  #room(id: number, milliseconds: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(id) ?? [];
      this.#waiting.set(id, waiting);
      const go = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", go);
        const at = waiting.indexOf(go);
        if (at >= 0) waiting.splice(at, 1);
        resolve();
      };
      const timer = setTimeout(go, milliseconds);
      signal.addEventListener("abort", go, { once: true });
      waiting.push(go);
    });
  }
}

function sessionsFull({ name, maxSessions, sessionWaitMs }: PooledServer): OvenError {
  return new OvenError(
    "MCP_SESSIONS_FULL",
    `${name} has ${maxSessions} sessions open, all of other runs, and none ended within ${sessionWaitMs} ms`,
    {
      status: 429,
      retryable: true,
      retryAfterMs: Math.max(1_000, sessionWaitMs),
      fix: "Wait until one of those runs has ended, or raise the connection's sessions at once.",
    },
  );
}
