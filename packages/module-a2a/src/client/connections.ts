import { isOvenError, type ListParams, notFound, OvenError, type Principal } from "@oven/contract";
import type { Database } from "@oven/db";
import { and, eq, inArray, sql } from "@oven/db/drizzle";
import { requireCondition } from "@oven/engine";
import { CLAIM_MS, claimDue, type TenantTools, toFailure, untilNextCheck, whyNotCalled } from "@oven/module-agent-core";
import { type EventService, listRows, type ServiceMap } from "@oven/module-registry";
import { a2aCalls, a2aConnections } from "../schema.ts";
import type { A2aConnection, ApproveA2aAgent, CreateA2aConnection, UpdateA2aConnection } from "../shapes.ts";
import { type AgentClientDeps, type ConnectionRow, hashOf, readCard } from "./agent-client.ts";
import { agentChanged } from "./agent-events.ts";
import { pinOf, toConnection, toolIdOf } from "./connection-row.ts";

/** A card that is older is read again before a message is sent. */
const FRESH_MS = 60_000;
const CHECK_MS = 5 * 60_000;
const BACKOFF = { firstMs: 30_000, mostMs: 3_600_000 };
const AT_ONCE = 4;

interface Deps extends AgentClientDeps {
  db: Database;
  events: Pick<EventService, "write" | "wake">;
  secrets: Pick<ServiceMap["secrets"], "redact">;
  tools: TenantTools;
}

/** Outside agents: connected, pinned to the card that was approved, and looked at in the background. */
export class Connections {
  readonly #deps: Deps;

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
    // What one agent was asked is not another's.
    if (moved) await this.#deps.db.orm.delete(a2aCalls).where(callsOf(principal, id));
    const [row] = await this.#deps.db.orm
      .update(a2aConnections)
      .set({
        ...changes,
        ...(moved ? { card: null, cardHash: null, cardReadAt: null, ...NO_CARD_APPROVED } : {}),
        ...{ lastError: null, failures: 0, updatedAt: sql`now()` },
        nextCheckAt: new Date(Date.now() + CLAIM_MS),
      })
      .where(owned(principal, id))
      .returning();
    if (row?.enabled) await this.#read(row, signal);
    await this.#deps.tools.refresh();
    return this.get(principal, id);
  }

  /** @throws OvenError NOT_FOUND */
  async delete(principal: Principal, id: number): Promise<void> {
    await this.#row(principal, id);
    await this.#deps.db.transaction(async ({ orm }) => {
      await orm.delete(a2aCalls).where(callsOf(principal, id));
      await orm.delete(a2aConnections).where(owned(principal, id));
    });
    await this.#deps.tools.refresh();
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
    await this.#deps.tools.refresh();
    return this.get(principal, id);
  }

  /** @throws OvenError NOT_FOUND */
  async withdraw(principal: Principal, id: number): Promise<A2aConnection> {
    await this.#row(principal, id);
    await this.#deps.db.orm.update(a2aConnections).set(NO_CARD_APPROVED).where(owned(principal, id));
    await this.#deps.tools.refresh();
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

  /** An agent that may be asked; undefined: it is gone, disabled, or not approved as it is now. */
  async findUsable(id: number): Promise<ConnectionRow | undefined> {
    const [row] = await this.#system.select().from(a2aConnections).where(eq(a2aConnections.id, id));
    return row !== undefined && whyNotCalled(row.enabled, pinOf(row), "its card") === undefined ? row : undefined;
  }

  async noteFailure(row: ConnectionRow, error: unknown): Promise<void> {
    await this.#system
      .update(a2aConnections)
      .set(toFailure(this.#deps.secrets, row, error, BACKOFF))
      .where(eq(a2aConnections.id, row.id));
  }

  /** Reads all cards that are due, of all tenants; two processes never read the same one. */
  async checkDue(signal: AbortSignal): Promise<void> {
    const ids = await claimDue(this.#deps.db, "a2a_connections", AT_ONCE);
    const due = await this.#system.select().from(a2aConnections).where(inArray(a2aConnections.id, ids));
    await Promise.all(due.map((row) => this.#read(row, signal)));
  }

  /** Milliseconds until the next check; undefined: none. */
  async untilNext(): Promise<number | undefined> {
    return untilNextCheck(this.#deps.db, "a2a_connections");
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
    await this.#deps.tools.refresh();
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

const NO_CARD_APPROVED = { approvedCard: null, approvedHash: null, approvedBy: null, approvedAt: null };
const KEYS = [
  "name",
  "title",
  "url",
  "auth",
  "timeoutMs",
  "maxTotalMs",
  "callsPerMinute",
  "callsPerDay",
  "enabled",
] as const;

/** Only what may be set, and only what was given. */
function settingsOf<Body extends UpdateA2aConnection>(body: Body): Pick<Body, (typeof KEYS)[number]> {
  const given = Object.fromEntries(KEYS.filter((key) => body[key] !== undefined).map((key) => [key, body[key]]));
  return given as Pick<Body, (typeof KEYS)[number]>; // cast: the keys that were given, with their values
}

function owned({ tenantId }: Principal, id: number) {
  return and(eq(a2aConnections.id, id), eq(a2aConnections.tenantId, tenantId));
}

function callsOf({ tenantId }: Principal, id: number) {
  return and(eq(a2aCalls.connectionId, id), eq(a2aCalls.tenantId, tenantId));
}

/** @throws OvenError A2A_AGENT_NOT_APPROVED */
function requireApproved(row: ConnectionRow): void {
  const why = whyNotCalled(row.enabled, pinOf(row), "its card");
  if (why !== undefined) throw notUsable(row, why);
}

function notUsable(row: ConnectionRow, why: string): OvenError {
  return new OvenError("A2A_AGENT_NOT_APPROVED", `The agent ${row.name} is not asked: ${why}`, {
    status: 409,
    fix: `A person who may approve agents finds it at /a2a-connections/${row.id}/show.`,
  });
}
