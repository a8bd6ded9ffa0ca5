import type { Database } from "@oven/db";
import { and, desc, eq, lt } from "@oven/db/drizzle";
import { botMessages } from "../schema.ts";

export type MessageRow = typeof botMessages.$inferSelect;

/** So long one process has a message to itself; longer than an attempt takes. */
export const CLAIM_SECONDS = 60;
const BATCH = 8;
const REMEMBERED_TURNS = 20;
/** Why a message is refused that comes after too many. */
export const OVER_LIMIT = "More messages within an hour than the bot answers";

/** Messages of a thread are answered one after the other; while people decide a review, the thread goes on. */
const IS_NEXT = `not exists (select 1 from bot_messages e where e.bot_id = m.bot_id and e.thread = m.thread and e.id < m.id
  and e.status in ('received', 'running', 'answering'))`;

export class MessageRows {
  readonly #db: Database;

  /** @param db the one that sees every tenant */
  constructor(db: Database) {
    this.#db = db;
  }

  /** Those that are due, for this process alone. */
  async claim(now: Date): Promise<MessageRow[]> {
    const ids = await this.#db.query<{ id: number }>(
      `update bot_messages set next_attempt_at = $1::timestamptz + make_interval(secs => ${CLAIM_SECONDS})
       where id in (select m.id from bot_messages m where m.ended_at is null and m.next_attempt_at <= $1 and ${IS_NEXT}
         order by m.id limit ${BATCH} for update of m skip locked)
       returning id`,
      [now.toISOString()],
      "bots-claim",
    );
    const rows = await Promise.all(ids.map(({ id }) => this.get(Number(id))));
    return rows.filter((row) => row !== undefined);
  }

  async get(id: number): Promise<MessageRow | undefined> {
    const [row] = await this.#db.orm.select().from(botMessages).where(eq(botMessages.id, id));
    return row;
  }

  async set(id: number, change: Partial<MessageRow>): Promise<MessageRow | undefined> {
    const [row] = await this.#db.orm.update(botMessages).set(change).where(eq(botMessages.id, id)).returning();
    return row;
  }

  /** When the next one becomes due. */
  async nextAt(): Promise<Date | undefined> {
    const [row] = await this.#db.query<{ at: Date | null }>(
      `select min(m.next_attempt_at) as at from bot_messages m where m.ended_at is null and ${IS_NEXT}`,
      [],
      "bots-next",
    );
    return row?.at ?? undefined;
  }

  /**
   * Something happened to runs of this tenant: messages that wait for runs are looked at. Those whose last attempt failed wait as long as the
   * messenger asked, or a busy tenant would use up their attempts within seconds.
   */
  async runsChanged(tenantId: number, now: Date): Promise<boolean> {
    const woken = await this.#db.query(
      `update bot_messages set next_attempt_at = $2 where tenant_id = $1 and ended_at is null
         and status in ('running', 'waiting') and attempts = 0 returning id`,
      [tenantId, now.toISOString()],
      "bots-runs-changed",
    );
    return woken.length > 0;
  }

  /** What was said and answered in the thread before, oldest first. */
  async before({ id, botId, thread }: MessageRow): Promise<{ text: string; answer: string | null }[]> {
    const rows = await this.#db.orm
      .select({ text: botMessages.text, answer: botMessages.answer })
      .from(botMessages)
      .where(
        and(
          eq(botMessages.botId, botId),
          eq(botMessages.thread, thread),
          lt(botMessages.id, id),
          eq(botMessages.status, "answered"),
        ),
      )
      .orderBy(desc(botMessages.id))
      .limit(REMEMBERED_TURNS);
    return rows.reverse();
  }

  /** Messages of the same account within the hour before, and how many of them were more than the bot answers. */
  async ofLastHour({ id, botId, account, createdAt }: MessageRow): Promise<{ all: number; limited: number }> {
    const since = new Date(createdAt.getTime() - 3_600_000).toISOString();
    const [row] = await this.#db.query<{ all: number; limited: number }>(
      `select count(*)::int as all, count(*) filter (where reason = $5)::int as limited
       from bot_messages where bot_id = $1 and account = $2 and created_at > $3 and id < $4`,
      [botId, account, since, id, OVER_LIMIT],
      "bots-of-hour",
    );
    return row ?? { all: 0, limited: 0 };
  }
}
