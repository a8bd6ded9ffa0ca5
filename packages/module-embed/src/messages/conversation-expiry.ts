import type { Database } from "@oven/db";
import { and, eq, lte, min, sql } from "@oven/db/drizzle";
import { toEmbed } from "../embeds/embed-row.ts";
import { embedConversations } from "../tables/embed-conversations.table.ts";
import { embedVisitors } from "../tables/embed-visitors.table.ts";
import { embeds } from "../tables/embeds.table.ts";

const HOUR_MS = 3_600_000;
/** Such a visitor has nothing here but its secret. */
const WITHOUT_CONVERSATION = sql`not exists (select from embed_conversations c where c.visitor_id = ${embedVisitors.id})`;

interface Life {
  embedId: number;
  ms: number;
}

/** Deletes conversations, and visitors without any, after the hours of their embed. Any number of processes may do it. */
export class ConversationExpiry {
  readonly #db: Database;

  /** @param db of all tenants */
  constructor(db: Database) {
    this.#db = db;
  }

  /** Deletes what was begun, or last seen, too long ago. */
  async deleteDue(now: number): Promise<void> {
    for (const life of await this.#lives()) {
      const nextAt = await this.#nextAt(life);
      if (nextAt === undefined || nextAt > now) continue;
      await this.#delete(life.embedId, new Date(now - life.ms));
    }
  }

  /** When something is due next; undefined: there is nothing. */
  async nextAt(): Promise<number | undefined> {
    const instants = await Promise.all((await this.#lives()).map((life) => this.#nextAt(life)));
    const known = instants.filter((at) => at !== undefined);
    return known.length === 0 ? undefined : Math.min(...known);
  }

  async #lives(): Promise<Life[]> {
    const rows = await this.#db.orm.select().from(embeds);
    return rows.map((row) => ({ embedId: row.id, ms: toEmbed(row).limits.conversationHours * HOUR_MS }));
  }

  async #nextAt({ embedId, ms }: Life): Promise<number | undefined> {
    const { orm } = this.#db;
    const [conversation] = await orm
      .select({ at: min(embedConversations.createdAt) })
      .from(embedConversations)
      .where(eq(embedConversations.embedId, embedId));
    const [visitor] = await orm
      .select({ at: min(embedVisitors.seenAt) })
      .from(embedVisitors)
      .where(and(eq(embedVisitors.embedId, embedId), WITHOUT_CONVERSATION));
    const instants = [conversation?.at, visitor?.at].flatMap((at) => (at == null ? [] : [at.getTime() + ms]));
    return instants.length === 0 ? undefined : Math.min(...instants);
  }

  async #delete(embedId: number, until: Date): Promise<void> {
    const { orm } = this.#db;
    await orm
      .delete(embedConversations)
      .where(and(eq(embedConversations.embedId, embedId), lte(embedConversations.createdAt, until)));
    await orm
      .delete(embedVisitors)
      .where(and(eq(embedVisitors.embedId, embedId), lte(embedVisitors.seenAt, until), WITHOUT_CONVERSATION));
  }
}
