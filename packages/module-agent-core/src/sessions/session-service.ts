import { isGranted, type ListParams, notFound, type Principal, SHARED_TENANT } from "@oven/contract";
import type { AgentMessage, AgentSession, AgentStats, SpokenMessage } from "@oven/contract/agent";
import type { Database } from "@oven/db";
import { and, desc, eq, inArray, isNotNull, isNull, lt, notInArray, or, type SQL, sql } from "@oven/db/drizzle";
import { listRows } from "@oven/module-registry";
import { boundTo } from "../agents/bound-to.ts";
import { agentMessages, agentSessions } from "../tables/agent-sessions.table.ts";

export type SessionRow = typeof agentSessions.$inferSelect;
export type MessageRow = typeof agentMessages.$inferSelect;

export const READ_ALL = "conversations.read";

/** One request of a conversation and its answer; null: none yet, or none at all. */
export interface AgentTurn {
  executionId: number;
  said: string;
  answer: string | null;
  createdAt: Date;
}

/** The answer of a run, when there is one by now; null: it has ended without any. */
type AnswerOf = (executionId: number) => Promise<string | null | undefined>;

/** How many answers are looked for when a conversation is read. */
const LATE_ANSWERS = 50;

/** Conversations with agents. A person sees their own; everybody's only with `conversations.read`. */
export class SessionService {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async list(principal: Principal, params: ListParams): Promise<{ rows: AgentSession[]; total: number }> {
    const { id, agentId, userId, title, createdAt, updatedAt, tenantId } = agentSessions;
    const where = ownedBy(principal);
    const listing = {
      table: agentSessions,
      fields: { id, agentId, userId, title, createdAt, updatedAt },
      search: [title],
      tenant: tenantId,
      ...(where === undefined ? {} : { where }),
    };
    const { rows, total } = await listRows(this.#db.orm, principal, params, listing);
    return { rows: rows.map(toSession), total };
  }

  /** Counted over everybody's conversations; nobody learns whose they are. */
  async stats({ tenantId }: Principal): Promise<AgentStats[]> {
    const rows = await this.#db.query<{ agent_id: number; sessions: number; last_used_at: Date }>(
      `select agent_id, count(*)::int as sessions, max(updated_at) as last_used_at from agent_sessions
       where tenant_id = $1 group by agent_id`,
      [tenantId],
    );
    return rows.map(({ agent_id: agentId, sessions, last_used_at: at }) => ({
      agentId: Number(agentId),
      sessions,
      lastUsedAt: new Date(at).toISOString(),
    }));
  }

  /** @throws OvenError NOT_FOUND, also for those of others */
  async get(principal: Principal, id: number): Promise<SessionRow> {
    const [row] = await this.#db.orm
      .select()
      .from(agentSessions)
      .where(and(eq(agentSessions.tenantId, principal.tenantId), eq(agentSessions.id, id), ownedBy(principal)));
    if (row === undefined) throw notFound("session", id);
    return row;
  }

  async create({ tenantId, userId }: Principal, agentId: number, title: string | null): Promise<SessionRow> {
    const values = { tenantId, userId, agentId, title: title?.slice(0, 200) ?? null };
    const [row] = await this.#db.orm.insert(agentSessions).values(values).returning();
    if (row === undefined) throw new Error("an insert answered no row");
    return row;
  }

  /** @throws OvenError NOT_FOUND */
  async rename(principal: Principal, id: number, title: string | null): Promise<SessionRow> {
    await this.get(principal, id);
    const [row] = await this.#db.orm
      .update(agentSessions)
      .set({ title, updatedAt: sql`now()` })
      .where(eq(agentSessions.id, id))
      .returning();
    if (row === undefined) throw notFound("session", id);
    return row;
  }

  /** Its runs stay. @throws OvenError NOT_FOUND */
  async delete(principal: Principal, id: number): Promise<void> {
    await this.get(principal, id);
    await this.#db.orm.delete(agentSessions).where(eq(agentSessions.id, id));
  }

  /** What one request says; its last message stands for it. @returns its row, or undefined when the key was used before */
  async say(
    { id, tenantId }: Pick<SessionRow, "id" | "tenantId">,
    said: readonly SpokenMessage[],
    key: string | null,
  ): Promise<MessageRow | undefined> {
    return this.#db.transaction(async (tx) => {
      const values = said.map(({ role, content }) => ({ tenantId, sessionId: id, role, content }));
      const last = values.pop();
      if (last === undefined) return undefined;
      const before =
        values.length === 0
          ? []
          : await tx.orm.insert(agentMessages).values(values).returning({ id: agentMessages.id });
      const [row] = await tx.orm
        .insert(agentMessages)
        .values({ ...last, idempotencyKey: key })
        .onConflictDoNothing()
        .returning();
      const ids = before.map((one) => one.id);
      if (row === undefined) await tx.orm.delete(agentMessages).where(inArray(agentMessages.id, ids));
      else if (ids.length > 0)
        await tx.orm.update(agentMessages).set({ saidWith: row.id }).where(inArray(agentMessages.id, ids));
      await tx.orm.update(agentSessions).set({ updatedAt: sql`now()` }).where(eq(agentSessions.id, id));
      return row;
    });
  }

  async saidWith(tenantId: number, key: string): Promise<MessageRow | undefined> {
    const [row] = await this.#db.orm
      .select()
      .from(agentMessages)
      .where(and(eq(agentMessages.tenantId, tenantId), eq(agentMessages.idempotencyKey, key)));
    return row;
  }

  /** The run that the request of this message has started. */
  async ran(id: number, executionId: number): Promise<void> {
    await this.#db.orm
      .update(agentMessages)
      .set({ executionId })
      .where(and(ofRequest(id), isNull(agentMessages.executionId)));
  }

  /** What led to a run: its last message stands for the request. */
  async askedBy(tenantId: number, executionId: number): Promise<MessageRow | undefined> {
    const { executionId: run, answerOf, saidWith, tenantId: tenant, id } = agentMessages;
    const [row] = await this.#db.orm
      .select()
      .from(agentMessages)
      .where(and(eq(tenant, tenantId), eq(run, executionId), isNull(answerOf), isNull(saidWith)))
      .orderBy(desc(id))
      .limit(1);
    return row;
  }

  /** Another run takes the place of one, whose answer is forgotten. */
  async replaced(executionId: number, byExecutionId: number): Promise<void> {
    await this.#db.transaction(async (tx) => {
      await tx.orm.delete(agentMessages).where(eq(agentMessages.answerOf, executionId));
      await tx.orm
        .update(agentMessages)
        .set({ executionId: byExecutionId })
        .where(eq(agentMessages.executionId, executionId));
    });
  }

  /** What was said and answered by run, in order. */
  async turns(sessionId: number, answerOf: AnswerOf): Promise<AgentTurn[]> {
    await this.#collect(sessionId, answerOf);
    const rows = await this.#inOrder(eq(agentMessages.sessionId, sessionId));
    const turns = new Map<number, AgentTurn>();
    for (const { executionId, role, content, answerOf: of, createdAt } of rows) {
      if (executionId === null) continue;
      const turn = turns.get(executionId) ?? { executionId, said: "", answer: null, createdAt };
      turns.set(executionId, turn);
      if (of !== null) turn.answer = content;
      else if (role === "user") turn.said = content;
    }
    return [...turns.values()];
  }

  /** Nothing has come of it. */
  async unsay(id: number): Promise<void> {
    await this.#db.orm.delete(agentMessages).where(and(ofRequest(id), isNull(agentMessages.executionId)));
  }

  /** Once per run. */
  async answered(executionId: number, content: string): Promise<void> {
    await this.#db.query(
      `insert into agent_messages (tenant_id, session_id, role, content, execution_id, answer_of)
       select m.tenant_id, m.session_id, 'assistant', $2, $1::bigint, $1::bigint from agent_messages m
       where m.execution_id = $1::bigint and m.answer_of is null order by m.id desc limit 1
       on conflict (answer_of) do nothing`,
      [executionId, content],
    );
  }

  /** Oldest first; a run that ended while nobody was listening gives its answer now. */
  async messages(
    sessionId: number,
    answerOf: AnswerOf,
    range: { first: number; last: number },
  ): Promise<{ rows: AgentMessage[]; total: number }> {
    await this.#collect(sessionId, answerOf);
    const rows = await this.#inOrder(eq(agentMessages.sessionId, sessionId));
    return { rows: rows.slice(range.first, range.last + 1).map(toMessage), total: rows.length };
  }

  /** What was said before a message and led to a run, and what its own request said; oldest first. */
  async before({ id, sessionId, executionId }: MessageRow, answerOf: AnswerOf): Promise<SpokenMessage[]> {
    await this.#collect(sessionId, answerOf);
    const ofRuns = and(
      eq(agentMessages.sessionId, sessionId),
      executionId === null ? isNotNull(agentMessages.executionId) : lt(agentMessages.executionId, executionId),
    );
    const earlier = await this.#inOrder(ofRuns);
    const own = await this.#inOrder(eq(agentMessages.saidWith, id));
    return [...earlier, ...own].map(({ role, content }) => ({ role, content }));
  }

  async #collect(sessionId: number, answerOf: AnswerOf): Promise<void> {
    const answered = this.#db.orm
      .select({ id: agentMessages.answerOf })
      .from(agentMessages)
      .where(and(eq(agentMessages.sessionId, sessionId), isNotNull(agentMessages.answerOf)));
    const open = await this.#db.orm
      .selectDistinct({ executionId: agentMessages.executionId })
      .from(agentMessages)
      .where(
        and(
          eq(agentMessages.sessionId, sessionId),
          isNotNull(agentMessages.executionId),
          notInArray(agentMessages.executionId, answered),
        ),
      )
      .orderBy(desc(agentMessages.executionId))
      .limit(LATE_ANSWERS);
    for (const { executionId } of open) {
      const text = executionId === null ? null : await answerOf(executionId);
      if (executionId !== null && typeof text === "string") await this.answered(executionId, text);
    }
  }

  /** An answer stands after what it answers, however late it came. */
  async #inOrder(where: SQL | undefined): Promise<MessageRow[]> {
    return this.#db.orm
      .select()
      .from(agentMessages)
      .where(where)
      .orderBy(sql`${agentMessages.executionId} asc nulls last`, agentMessages.id);
  }
}

function ofRequest(messageId: number): SQL | undefined {
  return or(eq(agentMessages.id, messageId), eq(agentMessages.saidWith, messageId));
}

function ownedBy(principal: Principal): SQL | undefined {
  const { userId, permissions } = principal;
  const bound = boundTo(principal, agentSessions.agentId);
  if (isGranted(permissions, READ_ALL)) return bound;
  return and(bound, userId === null ? isNull(agentSessions.userId) : eq(agentSessions.userId, userId));
}

export function toSession({ tenantId, createdAt, updatedAt, ...row }: SessionRow): AgentSession {
  return {
    ...row,
    tenantId: tenantId === SHARED_TENANT ? null : tenantId,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

function toMessage({ id, sessionId, role, content, executionId, createdAt }: MessageRow): AgentMessage {
  return { id, sessionId, role, content, executionId, createdAt: createdAt.toISOString() };
}
