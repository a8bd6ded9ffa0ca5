import { OvenError } from "@oven/contract";
import { openSession, type ServerSession } from "../client/server-session.ts";
import { createExactTransport } from "./exact-transport.ts";
import type { StdioServer } from "./operator-file.ts";

interface Running {
  session: Promise<ServerSession>;
  /** One call at a time: a question in the middle of a call must be that call's. */
  last: Promise<unknown>;
}

/** The operator's servers as child processes: started when they are first needed, ended with this process. */
export class StdioServers {
  readonly #servers: ReadonlyMap<string, StdioServer>;
  readonly #running = new Map<string, Running>();
  readonly #end = new AbortController();

  constructor(servers: readonly StdioServer[]) {
    this.#servers = new Map(servers.map((server) => [keyOf(server.tenantId, server.name), server]));
  }

  /** A caller's view of the one conversation: closing it leaves the process running. @throws OvenError MCP_CONNECTION_FAILED */
  async session(tenantId: number, name: string): Promise<ServerSession> {
    const key = keyOf(tenantId, name);
    const server = this.#servers.get(key);
    if (server === undefined)
      throw new OvenError("MCP_CONNECTION_FAILED", `${name} is not in the operator's file of this process`, {
        status: 502,
        fix: "Have the operator name it in OVEN_MCP_SERVERS_FILE of every process.",
      });
    const running = this.#running.get(key) ?? this.#start(key, server);
    const session = await running.session;
    return {
      ...session,
      callTool: (request) => {
        const call = running.last.then(() => session.callTool(request));
        running.last = call.then(
          () => undefined,
          () => undefined,
        );
        return call;
      },
      close: async () => undefined,
    };
  }

  async stop(): Promise<void> {
    this.#end.abort();
    const all = [...this.#running.values()];
    this.#running.clear();
    await Promise.allSettled(all.map(async ({ session }) => (await session).close()));
  }

  #start(key: string, { name, command, args, env, cwd, timeoutMs, maxTotalMs, maxBytes }: StdioServer): Running {
    const transport = createExactTransport({
      ...{ command, args, env, maxBufferSize: maxBytes },
      ...(cwd === undefined ? {} : { cwd }),
      stderr: "ignore",
    });
    const session = openSession({
      name,
      transport,
      timeoutMs,
      maxTotalMs,
      signal: this.#end.signal,
      ended: () => this.#running.delete(key),
    });
    const running: Running = { session, last: Promise.resolve() };
    this.#running.set(key, running);
    session.catch(() => this.#running.delete(key));
    return running;
  }
}

function keyOf(tenantId: number, name: string): string {
  return `${tenantId}/${name}`;
}
