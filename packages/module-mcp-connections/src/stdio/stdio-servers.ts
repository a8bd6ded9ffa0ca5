import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OvenError } from "@oven/contract";
import { openSession, type ServerSession } from "../client/server-session.ts";
import { createExactTransport } from "./exact-transport.ts";
import type { StdioServer } from "./operator-file.ts";

/** The operator's servers as child processes: each session is a process of its own, and ends with it. */
export class StdioServers {
  readonly #servers: ReadonlyMap<string, StdioServer>;

  constructor(servers: readonly StdioServer[]) {
    this.#servers = new Map(servers.map((server) => [keyOf(server.tenantId, server.name), server]));
  }

  /**
   * Starts a process. Unless the operator's file names a directory, it works in an empty one that is removed with it.
   * @param ended called when the process has gone
   * @throws OvenError MCP_CONNECTION_FAILED
   */
  async open(tenantId: number, name: string, signal: AbortSignal, ended?: () => void): Promise<ServerSession> {
    const server = this.#servers.get(keyOf(tenantId, name));
    if (server === undefined)
      throw new OvenError("MCP_CONNECTION_FAILED", `${name} is not in the operator's file of this process`, {
        status: 502,
        fix: "Have the operator name it in OVEN_MCP_SERVERS_FILE of every process.",
      });
    const { command, args, env, timeoutMs, maxTotalMs, maxBytes } = server;
    const own = server.cwd === undefined ? await mkdtemp(join(tmpdir(), `oven-mcp-${name}-`)) : undefined;
    const cleanUp = async () => {
      if (own !== undefined) await rm(own, { recursive: true, force: true });
    };
    const cwd = server.cwd ?? own ?? tmpdir();
    const transport = createExactTransport({ command, args, env, cwd, maxBufferSize: maxBytes, stderr: "ignore" });
    try {
      const session = await openSession({
        ...{ name, transport, timeoutMs, maxTotalMs, signal },
        ended: () => {
          ended?.();
          void cleanUp();
        },
      });
      return {
        ...session,
        close: async () => {
          await session.close();
          await cleanUp();
        },
      };
    } catch (error) {
      await cleanUp();
      throw error;
    }
  }
}

function keyOf(tenantId: number, name: string): string {
  return `${tenantId}/${name}`;
}
