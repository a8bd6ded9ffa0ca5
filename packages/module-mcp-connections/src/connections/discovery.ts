import { isOvenError } from "@oven/contract";
import type { Database } from "@oven/db";
import { and, eq, inArray } from "@oven/db/drizzle";
import { claimDue, toFailure, untilNextCheck } from "@oven/module-agent-core";
import type { EventService, ServiceMap } from "@oven/module-registry";
import type { ServerSession } from "../client/server-session.ts";
import { mcpConnections } from "../schema.ts";
import { keepListing } from "../tools/tool-listing.ts";
import type { ConnectionRow } from "./connection-row.ts";
import type { Servers } from "./servers.ts";

/** How often a server that answers is asked for its tools. */
const CHECK_MS = 5 * 60_000;
const BACKOFF = { firstMs: 30_000, mostMs: 3_600_000 };
const AT_ONCE = 4;

interface Deps {
  db: Database;
  servers: Servers;
  events: Pick<EventService, "write" | "wake">;
  secrets: Pick<ServiceMap["secrets"], "redact">;
}

/** Asks servers for their tools: by hand, before a call, and by itself in the background. */
export class Discovery {
  readonly #db: Database;
  readonly #servers: Servers;
  readonly #events: Deps["events"];
  readonly #secrets: Deps["secrets"];

  constructor({ db, servers, events, secrets }: Deps) {
    this.#db = db.system;
    this.#servers = servers;
    this.#events = events;
    this.#secrets = secrets;
  }

  /** Lists anew, whatever comes of it: an error is written down, not thrown. */
  async refresh(row: ConnectionRow, signal: AbortSignal): Promise<void> {
    const started = performance.now();
    let session: ServerSession | undefined;
    try {
      session = await this.#servers.open(row, signal, { fresh: true });
      await this.list(row, session, started);
    } catch (error) {
      if (signal.aborted) throw error;
      await this.failed(row, error);
    } finally {
      await session?.close();
    }
  }

  /** Takes over what the server lists in a conversation that is open. @throws as `ServerSession.listTools` */
  async list(row: ConnectionRow, session: ServerSession, started = performance.now()): Promise<void> {
    const listed = await session.listTools();
    const changed = await keepListing(this.#db, row, listed, this.#events);
    if (changed.length > 0) this.#events.wake();
    const now = Date.now();
    await this.#set(row, {
      prior: session.prior,
      protocolVersion: session.protocolVersion,
      serverName: session.serverName?.slice(0, 200).replaceAll("\u0000", "") ?? null,
      instructions: session.instructions?.slice(0, 4_000).replaceAll("\u0000", "") ?? null,
      notes: listed.notes,
      lastContactAt: new Date(now),
      listedAt: new Date(now),
      latencyMs: Math.round(performance.now() - started),
      lastError: null,
      lastErrorCode: null,
      failures: 0,
      nextCheckAt: new Date(now + CHECK_MS),
    });
  }

  async failed(row: ConnectionRow, error: unknown): Promise<void> {
    await this.#set(row, {
      ...toFailure(this.#secrets, row, error, BACKOFF),
      lastErrorCode: isOvenError(error) ? error.code : null,
    });
  }

  /** All that are due, of all tenants; two processes never ask the same one. */
  async checkDue(signal: AbortSignal): Promise<void> {
    const ids = await claimDue(this.#db, "mcp_connections", AT_ONCE);
    const due = await this.#db.orm.select().from(mcpConnections).where(inArray(mcpConnections.id, ids));
    await Promise.all(due.map((row) => this.refresh(row, signal)));
  }

  /** Milliseconds until the next check; undefined: none. */
  async untilNext(): Promise<number | undefined> {
    return untilNextCheck(this.#db, "mcp_connections");
  }

  async #set({ id, tenantId }: ConnectionRow, values: Partial<typeof mcpConnections.$inferInsert>): Promise<void> {
    await this.#db.orm
      .update(mcpConnections)
      .set(values)
      .where(and(eq(mcpConnections.id, id), eq(mcpConnections.tenantId, tenantId)));
  }
}
