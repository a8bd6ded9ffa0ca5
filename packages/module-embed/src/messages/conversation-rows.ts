import { OvenError } from "@oven/contract";
import type { ExecutionKind } from "@oven/contract/run";
import type { Database } from "@oven/db";
import { and, asc, desc, eq, inArray, sql } from "@oven/db/drizzle";
import { embedConversations } from "../tables/embed-conversations.table.ts";
import { embedMessages } from "../tables/embed-messages.table.ts";
import { embeds } from "../tables/embeds.table.ts";
import type { Visit } from "../visitors/visitor-service.ts";

export type MessageRow = typeof embedMessages.$inferSelect;
type Change = Partial<Pick<MessageRow, "status" | "answer" | "executionId" | "executionKind">>;

const OPEN: MessageRow["status"][] = ["pending", "running", "paused"];
const HOUR_MS = 3_600_000;

/** What visitors said. Every query names the visitor. */
export class ConversationRows {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The visitor's messages in the conversation that goes on, oldest first. */
  async list(visit: Visit): Promise<MessageRow[]> {
    const conversationId = await this.#current(visit);
    return conversationId === undefined ? [] : this.#of(conversationId);
  }

  /** The earlier messages of the conversation of one, oldest first. */
  async before({ conversationId, id }: MessageRow): Promise<MessageRow[]> {
    return (await this.#of(conversationId)).filter((row) => row.id < id);
  }

  /** @throws OvenError NOT_FOUND, also for those of others */
  async get(visit: Visit, id: number): Promise<MessageRow> {
    const conversationId = await this.#current(visit);
    const own = and(eq(embedMessages.id, id), eq(embedMessages.conversationId, conversationId ?? 0));
    const [row] = await this.#db.orm.select().from(embedMessages).where(own);
    if (row === undefined) throw new OvenError("NOT_FOUND", "There is no such message", { status: 404 });
    return row;
  }

  /**
   * Writes a message down, once per key, where the limits leave room for it.
   * @throws OvenError EMBED_LIMIT 429, CONVERSATION_BUSY 409
   */
  async add(
    visit: Visit,
    said: { message: string; key: string; kind: ExecutionKind },
  ): Promise<{ row: MessageRow; isNew: boolean }> {
    const { embed, visitorId } = visit;
    const { tenantId, id: embedId } = embed;
    return this.#db.transaction(async ({ orm }) => {
      // Those who write at once are counted one after the other.
      await orm.select({ id: embeds.id }).from(embeds).where(eq(embeds.id, embedId)).for("update");
      const current = await this.#current(visit, orm);
      const [again] =
        current === undefined
          ? []
          : await orm
              .select()
              .from(embedMessages)
              .where(and(eq(embedMessages.conversationId, current), eq(embedMessages.key, said.key)));
      if (again !== undefined) return { row: again, isNew: false };
      await this.#requireRoom(visit, orm);
      let conversationId = current;
      if (conversationId === undefined) {
        const [begun] = await orm
          .insert(embedConversations)
          .values({ tenantId, embedId, visitorId })
          .returning({ id: embedConversations.id });
        conversationId = begun?.id ?? 0;
      }
      const [row] = await orm
        .insert(embedMessages)
        .values({ tenantId, conversationId, message: said.message, executionKind: said.kind, key: said.key })
        .onConflictDoNothing()
        .returning();
      if (row !== undefined) return { row, isNew: true };
      throw new OvenError("CONVERSATION_BUSY", "The answer before this one is still being made", {
        status: 409,
        fix: "Wait for it.",
      });
    });
  }

  /** Where it has not ended in the meantime. */
  async update(row: MessageRow, change: Change): Promise<MessageRow> {
    const open = and(eq(embedMessages.id, row.id), inArray(embedMessages.status, OPEN));
    const [updated] = await this.#db.orm.update(embedMessages).set(change).where(open).returning();
    return updated ?? { ...row, ...change };
  }

  /** Its run could not begin: nothing has come of it. */
  async remove({ id }: MessageRow): Promise<void> {
    await this.#db.orm.delete(embedMessages).where(eq(embedMessages.id, id));
  }

  /** The next message begins another conversation. */
  async close(visit: Visit): Promise<void> {
    const id = await this.#current(visit);
    if (id === undefined) return;
    await this.#db.orm.update(embedConversations).set({ closed: true }).where(eq(embedConversations.id, id));
  }

  async #current({ embed, visitorId }: Visit, orm: Pick<Database["orm"], "select"> = this.#db.orm) {
    const [row] = await orm
      .select()
      .from(embedConversations)
      .where(and(eq(embedConversations.visitorId, visitorId), eq(embedConversations.embedId, embed.id)))
      .orderBy(desc(embedConversations.id))
      .limit(1);
    const oldest = Date.now() - embed.settings.limits.conversationHours * HOUR_MS;
    return row === undefined || row.closed || row.createdAt.getTime() < oldest ? undefined : row.id;
  }

  async #of(conversationId: number): Promise<MessageRow[]> {
    return this.#db.orm
      .select()
      .from(embedMessages)
      .where(eq(embedMessages.conversationId, conversationId))
      .orderBy(asc(embedMessages.id));
  }

  /** @throws OvenError EMBED_LIMIT */
  async #requireRoom({ embed, visitorId }: Visit, orm: Pick<Database["orm"], "select">): Promise<void> {
    const { visitorPerHour, embedPerHour } = embed.settings.limits;
    const [counted] = await orm
      .select({
        all: sql<number>`count(*)::int`,
        own: sql<number>`count(*) filter (where ${embedConversations.visitorId} = ${visitorId})::int`,
      })
      .from(embedMessages)
      .innerJoin(embedConversations, eq(embedConversations.id, embedMessages.conversationId))
      .where(
        and(eq(embedConversations.embedId, embed.id), sql`${embedMessages.createdAt} > now() - interval '1 hour'`),
      );
    const { all = 0, own = 0 } = counted ?? {};
    if (own < visitorPerHour && all < embedPerHour) return;
    throw new OvenError("EMBED_LIMIT", "These are all the messages for now", {
      status: 429,
      retryAfterMs: HOUR_MS / 4,
      fix: own < visitorPerHour ? "Raise the messages per hour of the embed." : "Wait a while.",
    });
  }
}
