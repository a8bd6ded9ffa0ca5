import { isOvenError, type ListParams, notFound, OvenError, type Principal } from "@oven/contract";
import type { ToolInfo } from "@oven/contract/ai";
import type { Database } from "@oven/db";
import { and, eq, isNotNull, sql } from "@oven/db/drizzle";
import { requireCondition } from "@oven/engine";
import { type EventService, listRows } from "@oven/module-registry";
import { a2aCalls, a2aConnections } from "../schema.ts";
import type { A2aConnection, ApproveA2aAgent, CreateA2aConnection, UpdateA2aConnection } from "../shapes.ts";
import { type AgentClientDeps, type ConnectionRow, hashOf, readCard } from "./agent-client.ts";
import { agentChanged } from "./agent-events.ts";
import { stateOf, toConnection, toolIdOf, toToolInfo } from "./connection-row.ts";

/** A card that is older is read again before a message is sent. */
const FRESH_MS = 60_000;
const CHECK_MS = 5 * 60_000;
/** After the first failure; twice as long after each more, up to an hour. */
const BACKOFF_MS = 30_000;
const MOST_BACKOFF_MS = 3_600_000;
/** A process that claims a check and dies leaves it for this long. */
const CLAIM_MS = 2 * 60_000;
const AT_ONCE = 4;
const MOST_ERROR = 1_000;

interface Deps extends AgentClientDeps {
  db: Database;
  events: Pick<EventService, "write" | "wake">;
  /** Called after what agents may be asked has changed. */
  changed(): void;
}

/** Outside agents: connected, pinned to the card that was approved, and looked at in the background. */
export class Connections {
  readonly #deps: Deps;
  #tools: ReadonlyMap<number, readonly ToolInfo[]> = new Map();
  #mark: string | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async list(principal: Principal, params: ListParams): Promise<{ rows: A2aConnection[]; total: number }> {
    const { id, name, enabled, createdAt, updatedAt, tenantId: tenant } = a2aConnections;
    const { rows, total } = await listRows(this.#deps.db.orm, principal, params, {
      table: a2aConnections,
      fields: { id, name, enabled, createdAt, updatedAt },
      search: [name],
      tenant,
    });
    return { rows: rows.map(toConnection), total };
  }

  /** @throws OvenError NOT_FOUND, also for connections of other tenants */
  async get(principal: Principal, id: number): Promise<A2aConnection> {
    return toConnection(await this.#row(principal, id));
  }

  /** What goes wrong with the agent stands in the answer. @throws OvenError UNIQUE_VIOLATION */
  async create(principal: Principal, body: CreateA2aConnection, signal: AbortSignal): Promise<A2aConnection> {
    const { tenantId, userId } = principal;
    const nextCheckAt = new Date(Date.now() + CLAIM_MS);
    const values = { ...settingsOf(body), tenantId, createdBy: userId, nextCheckAt };
    const [row] = await this.#deps.db.orm.insert(a2aConnections).values(values).returning();
    if (row === undefined) throw new Error("an insert answered no row");
    if (row.enabled) await this.#read(row, signal);
    return this.get(principal, row.id);
  }

  /**
   * At another address it is another agent, which has to be approved anew. Its card is read with the new settings.
   * @throws OvenError NOT_FOUND
   */
  async update(
    principal: Principal,
    id: number,
    body: UpdateA2aConnection,
    signal: AbortSignal,
  ): Promise<A2aConnection> {
    const before = await this.#row(principal, id);
    const changes = settingsOf(body);
    const moved = changes.url !== undefined && changes.url !== before.url;
    const [row] = await this.#deps.db.orm
      .update(a2aConnections)
      .set({
        ...changes,
        ...(moved ? { card: null, cardHash: null, cardReadAt: null, ...NOT_APPROVED } : {}),
        ...{ lastError: null, failures: 0, updatedAt: sql`now()` },
        nextCheckAt: new Date(Date.now() + CLAIM_MS),
      })
      .where(owned(principal, id))
      .returning();
    if (row?.enabled) await this.#read(row, signal);
    await this.refreshTools();
    return this.get(principal, id);
  }

  /** @throws OvenError NOT_FOUND */
  async delete(principal: Principal, id: number): Promise<void> {
    await this.#row(principal, id);
    await this.#deps.db.transaction(async ({ orm }) => {
      const { tenantId } = principal;
      await orm.delete(a2aCalls).where(and(eq(a2aCalls.connectionId, id), eq(a2aCalls.tenantId, tenantId)));
      await orm.delete(a2aConnections).where(owned(principal, id));
    });
    await this.refreshTools();
  }

  /** Reads the card now. What goes wrong is in the answer. @throws OvenError NOT_FOUND, A2A_AGENT_NOT_APPROVED when it is disabled */
  async refresh(principal: Principal, id: number, signal: AbortSignal): Promise<A2aConnection> {
    const row = await this.#row(principal, id);
    if (!row.enabled) throw notUsable(row, "its connection is disabled");
    await this.#read(row, signal);
    return this.get(principal, id);
  }

  /** @throws OvenError NOT_FOUND; A2A_AGENT_NOT_APPROVED when it is no longer what was looked at */
  async approve(principal: Principal, id: number, body: ApproveA2aAgent): Promise<A2aConnection> {
    const { hash, needsApproval, approvalWhen } = body;
    if (approvalWhen !== null) requireCondition(approvalWhen, "$.approvalWhen");
    const row = await this.#row(principal, id);
    const approvedCard = sql`${a2aConnections.card}`;
    const approval = {
      approvedHash: hash,
      approvedBy: principal.userId,
      approvedAt: sql`now()`,
      needsApproval,
      approvalWhen,
    };
    const done = await this.#deps.db.orm
      .update(a2aConnections)
      .set({ approvedCard, ...approval, updatedAt: sql`now()` })
      .where(and(owned(principal, id), eq(a2aConnections.cardHash, hash)))
      .returning({ id: a2aConnections.id });
    if (done.length === 0) throw notUsable(row, "its card is not the one that you looked at");
    await this.refreshTools();
    return this.get(principal, id);
  }

  /** @throws OvenError NOT_FOUND */
  async withdraw(principal: Principal, id: number): Promise<A2aConnection> {
    await this.#row(principal, id);
    await this.#deps.db.orm.update(a2aConnections).set(NOT_APPROVED).where(owned(principal, id));
    await this.refreshTools();
    return this.get(principal, id);
  }

  /** The agent behind a tool, after a look at what its card says now. @throws OvenError A2A_AGENT_NOT_APPROVED, TOOL_UNKNOWN */
  async requireUsable(toolId: string, tenantId: number, signal: AbortSignal): Promise<ConnectionRow> {
    const row = await this.#byTool(toolId, tenantId);
    requireApproved(row);
    if (row.cardReadAt !== null && Date.now() - row.cardReadAt.getTime() < FRESH_MS) return row;
    await this.#read(row, signal);
    const now = await this.#byTool(toolId, tenantId);
    requireApproved(now);
    return now;
  }

  async noteFailure({ id, failures }: ConnectionRow, error: unknown): Promise<void> {
    const wait = Math.min(MOST_BACKOFF_MS, BACKOFF_MS * 2 ** Math.min(failures, 10));
    const said = error instanceof Error ? error.message : String(error);
    const lastError = said.replaceAll("\u0000", "").slice(0, MOST_ERROR);
    const nextCheckAt = new Date(Date.now() + wait);
    await this.#system
      .update(a2aConnections)
      .set({ lastError, failures: failures + 1, nextCheckAt })
      .where(eq(a2aConnections.id, id));
  }

  /** Reads all cards that are due, of all tenants; two processes never read the same one. */
  async checkDue(signal: AbortSignal): Promise<void> {
    const until = new Date(Date.now() + CLAIM_MS);
    const due = await this.#deps.db.system.query<{ id: number }>(
      `update a2a_connections set next_check_at = $1 where id in (
         select id from a2a_connections where enabled and next_check_at <= now() order by next_check_at
         limit ${AT_ONCE} for update skip locked)
       returning id`,
      [until],
    );
    await Promise.all(
      due.map(async ({ id }) => {
        const [row] = await this.#system.select().from(a2aConnections).where(eq(a2aConnections.id, id));
        if (row !== undefined) await this.#read(row, signal);
      }),
    );
  }

  /** Milliseconds until the next check; undefined: none. */
  async untilNext(): Promise<number | undefined> {
    const [next] = await this.#deps.db.system.query<{ ms: number | null }>(
      "select (extract(epoch from min(next_check_at) - now()) * 1000)::float8 as ms from a2a_connections where enabled",
    );
    return next?.ms == null ? undefined : Math.max(0, Math.ceil(next.ms));
  }

  tools(tenantId: number): readonly ToolInfo[] {
    return this.#tools.get(tenantId) ?? [];
  }

  /** Reads anew what may be asked if something has changed, here or in another process. */
  async refreshTools(): Promise<void> {
    const [row] = await this.#deps.db.system.query<{ mark: string }>(
      `select coalesce(md5(string_agg(concat_ws(':', id, name, title, approved_hash, needs_approval, approval_when, last_error), ',' order by id)), '') as mark
       from a2a_connections where approved_hash is not null and enabled`,
    );
    if (row?.mark === this.#mark) return;
    const rows = await this.#system
      .select()
      .from(a2aConnections)
      .where(and(isNotNull(a2aConnections.approvedHash), eq(a2aConnections.enabled, true)))
      .orderBy(a2aConnections.name);
    this.#tools = new Map(
      [...Map.groupBy(rows, ({ tenantId }) => tenantId)].map(([tenantId, own]) => [tenantId, own.flatMap(toToolInfo)]),
    );
    this.#mark = row?.mark;
    this.#deps.changed();
  }

  get #system() {
    return this.#deps.db.system.orm;
  }

  /** Takes over what the card says; an error is written down, not thrown. */
  async #read(row: ConnectionRow, signal: AbortSignal): Promise<void> {
    try {
      const card = await readCard(this.#deps, row, signal);
      const cardHash = hashOf(card);
      await this.#deps.db.system.transaction(async (tx) => {
        const [before] = await tx.orm.select().from(a2aConnections).where(eq(a2aConnections.id, row.id)).for("update");
        if (before === undefined) return;
        const { approvedHash } = before;
        const isNews = approvedHash !== null && before.cardHash === approvedHash && cardHash !== approvedHash;
        const now = new Date();
        const nextCheckAt = new Date(now.getTime() + CHECK_MS);
        await tx.orm
          .update(a2aConnections)
          .set({ card, cardHash, cardReadAt: now, lastError: null, failures: 0, nextCheckAt })
          .where(eq(a2aConnections.id, row.id));
        if (isNews) await this.#deps.events.write(tx, [agentChanged(before)]);
      });
      this.#deps.events.wake();
    } catch (error) {
      if (signal.aborted) throw error;
      if (!isOvenError(error)) console.warn(`reading the card of ${row.name}: ${String(error)}`);
      await this.noteFailure(row, error);
    }
    await this.refreshTools();
  }

  async #row(principal: Principal, id: number): Promise<ConnectionRow> {
    const [row] = await this.#deps.db.orm.select().from(a2aConnections).where(owned(principal, id));
    if (row === undefined) throw notFound("A2A connection", id);
    return row;
  }

  async #byTool(toolId: string, tenantId: number): Promise<ConnectionRow> {
    const [, name = ""] = toolId.split(".");
    const [row] = await this.#system
      .select()
      .from(a2aConnections)
      .where(and(eq(a2aConnections.tenantId, tenantId), eq(a2aConnections.name, name)));
    if (row !== undefined && toolIdOf(row) === toolId) return row;
    throw new OvenError("TOOL_UNKNOWN", `There is no tool \`${toolId}\``, {
      status: 422,
      fix: "See the list of tools at /api/tools",
    });
  }
}

const NOT_APPROVED = { approvedCard: null, approvedHash: null, approvedBy: null, approvedAt: null };
const KEYS = ["name", "title", "url", "auth", "timeoutMs", "maxTotalMs", "callsPerMinute", "enabled"] as const;

/** Only what may be set, and only what was given. */
function settingsOf<Body extends UpdateA2aConnection>(body: Body): Pick<Body, (typeof KEYS)[number]> {
  const given = Object.fromEntries(KEYS.filter((key) => body[key] !== undefined).map((key) => [key, body[key]]));
  return given as Pick<Body, (typeof KEYS)[number]>; // cast: the keys that were given, with their values
}

function owned({ tenantId }: Principal, id: number) {
  return and(eq(a2aConnections.id, id), eq(a2aConnections.tenantId, tenantId));
}

const WHY = {
  new: "it was not approved yet",
  changed: "its card has changed since it was approved",
  disabled: "its connection is disabled",
};

/** @throws OvenError A2A_AGENT_NOT_APPROVED */
function requireApproved(row: ConnectionRow): void {
  const state = stateOf(row);
  if (state !== "approved" && state !== "failing") throw notUsable(row, WHY[state]);
  if (row.approvedHash === null) throw notUsable(row, WHY.new);
}

function notUsable(row: ConnectionRow, why: string): OvenError {
  return new OvenError("A2A_AGENT_NOT_APPROVED", `The agent ${row.name} is not asked: ${why}`, {
    status: 409,
    fix: `A person who may approve agents finds it at /a2a-connections/${row.id}/show.`,
  });
}
