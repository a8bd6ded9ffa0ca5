import { isOvenError } from "@oven/contract";
import type { Database } from "@oven/db";
import { and, asc, eq, lte, sql } from "@oven/db/drizzle";
import type { EventService } from "@oven/module-registry";
import type { ServerSession } from "../client/server-session.ts";
import { mcpConnections } from "../schema.ts";
import { keepListing } from "../tools/tool-listing.ts";
import type { ConnectionRow } from "./connection-row.ts";
import type { Servers } from "./servers.ts";

/** How often a server that answers is asked for its tools. */
const CHECK_MS = 5 * 60_000;
/** After the first failure; twice as long after each more, up to an hour. */
const BACKOFF_MS = 30_000;
const MOST_BACKOFF_MS = 3_600_000;
/** Another process that claimed a check and died leaves it for this long. */
export const CLAIM_MS = 2 * 60_000;
const AT_ONCE = 4;

interface Deps {
  db: Database;
  servers: Servers;
  events: Pick<EventService, "write" | "wake">;
  now?: () => number;
}

/** Asks servers for their tools: by hand, before a call, and by itself in the background. */
export class Discovery {
  readonly #db: Database;
  readonly #servers: Servers;
  readonly #events: Deps["events"];
  readonly #now: () => number;

  constructor({ db, servers, events, now = Date.now }: Deps) {
    this.#db = db.system;
    this.#servers = servers;
    this.#events = events;
    this.#now = now;
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
    const now = this.#now();
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
    const failures = row.failures + 1;
    const wait = Math.min(MOST_BACKOFF_MS, BACKOFF_MS * 2 ** Math.min(failures - 1, 10));
    await this.#set(row, {
      lastError: (error instanceof Error ? error.message : String(error)).replaceAll("\u0000", "").slice(0, 1_000),
      lastErrorCode: isOvenError(error) ? error.code : null,
      failures,
      nextCheckAt: new Date(this.#now() + wait),
    });
  }

  /** All that are due, of all tenants; two processes never ask the same one. */
  async checkDue(signal: AbortSignal): Promise<void> {
    const now = new Date(this.#now());
    const due = await this.#db.orm
      .select()
      .from(mcpConnections)
      .where(and(eq(mcpConnections.enabled, true), lte(mcpConnections.nextCheckAt, now)))
      .orderBy(asc(mcpConnections.nextCheckAt))
      .limit(AT_ONCE);
    await Promise.all(
      due.map(async (row) => {
        const claimed = await this.#db.orm
          .update(mcpConnections)
          .set({ nextCheckAt: new Date(this.#now() + CLAIM_MS) })
          .where(and(eq(mcpConnections.id, row.id), eq(mcpConnections.nextCheckAt, row.nextCheckAt)))
          .returning({ id: mcpConnections.id });
        if (claimed.length > 0) await this.refresh(row, signal);
      }),
    );
  }

  /** Milliseconds until the next check; undefined: none. */
  async untilNext(): Promise<number | undefined> {
    const [next] = await this.#db.orm
      .select({ at: sql<Date | string | null>`min(${mcpConnections.nextCheckAt})` })
      .from(mcpConnections)
      .where(eq(mcpConnections.enabled, true));
    return next?.at == null ? undefined : Math.max(0, new Date(next.at).getTime() - this.#now());
  }

  async #set({ id, tenantId }: ConnectionRow, values: Partial<typeof mcpConnections.$inferInsert>): Promise<void> {
    await this.#db.orm
      .update(mcpConnections)
      .set(values)
      .where(and(eq(mcpConnections.id, id), eq(mcpConnections.tenantId, tenantId)));
  }
}
