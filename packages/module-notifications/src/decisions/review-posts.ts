import type { NotificationChannel } from "@oven/contract/system";
import type { Database } from "@oven/db";
import { and, desc, eq, inArray } from "@oven/db/drizzle";
import type { RuntimeEnvironment, ServiceMap } from "@oven/module-registry";
import { SendError } from "../channels/outgoing.ts";
import type { RuleRow } from "../rules/rule-row.ts";
import { notificationRules, reviewPosts } from "../schema.ts";
import { channelOf, type DecidingSettings, type DecisionChannels, isDeciding, type Words } from "./decision-channel.ts";
import type { DecisionSource } from "./decision-source.ts";
import { readShownReview, type ShownReview, STATE_OF_R } from "./shown-review.ts";

export interface ReviewPostsDeps {
  db: Database;
  services: ServiceMap;
  environment: Pick<RuntimeEnvironment, "publicUrl">;
  channels: DecisionChannels;
}

type PostRow = typeof reviewPosts.$inferSelect;

/** So long one process has a message to itself; longer than any attempt. */
const CLAIM_SECONDS = 60;
const MAX_ATTEMPTS = 8;
const FIRST_WAIT_MS = 10_000;
const BATCH = 20;

/** Messages about reviews where people decide: posts them, and changes each whenever its review changes, however that came. */
export class ReviewPosts {
  readonly #deps: ReviewPostsDeps;

  constructor(deps: ReviewPostsDeps) {
    this.#deps = deps;
  }

  /**
   * @param thread of Slack: the `ts` of the message that began it
   * @throws SendError
   */
  async post(
    source: DecisionSource,
    message: Words & { link: string },
    reviewId: number | null,
    now: Date,
    thread?: string,
  ): Promise<void> {
    const { db, channels } = this.#deps;
    const { tenantId, timezone, channel: settings } = source;
    const { subject, text } = message;
    const channel = channelOf(channels, settings);
    const review = reviewId === null ? undefined : await this.#shown(tenantId, reviewId, timezone);
    const place = await channel.post(tenantId, settings, message, review, thread);
    if (reviewId === null || review === undefined) return;
    await db.orm.insert(reviewPosts).values({
      tenantId,
      source: source.kind,
      ruleId: source.id,
      reviewId,
      channel: settings,
      place,
      subject,
      text,
      shown: review.state,
      nextAttemptAt: now,
      createdAt: now,
    });
  }

  /** The words of the newest message of a source about this review; undefined: it has posted none. */
  async wordsOf({ kind, id, tenantId }: DecisionSource, reviewId: number): Promise<Words | undefined> {
    const { source, ruleId, tenantId: tenant, subject, text } = reviewPosts;
    const [row] = await this.#deps.db.orm
      .select({ subject, text })
      .from(reviewPosts)
      .where(and(eq(reviewPosts.reviewId, reviewId), eq(source, kind), eq(ruleId, id), eq(tenant, tenantId)))
      .orderBy(desc(reviewPosts.id))
      .limit(1);
    return row;
  }

  /** Changes the messages whose review is not as they show it. */
  async updateDue(now: Date): Promise<void> {
    for (;;) {
      const ids = await this.#claim(now);
      if (ids.length === 0) return;
      const rows = await this.#deps.db.orm.select().from(reviewPosts).where(inArray(reviewPosts.id, ids));
      await Promise.all(rows.map((row) => this.#update(row, now)));
    }
  }

  /** The first instant after this one at which a message is to be changed once more, since changing it failed. */
  async nextUpdateAfter(instant: Date): Promise<Date | undefined> {
    const [row] = await this.#deps.db.query<{ at: Date | null }>(
      "select min(next_attempt_at) as at from notification_review_posts where done_at is null and next_attempt_at > $1",
      [instant.toISOString()],
      "notification-next-post",
    );
    return row?.at ?? undefined;
  }

  /** Messages about reviews that are gone. */
  async forgetGone(): Promise<void> {
    await this.#deps.db.query(
      "delete from notification_review_posts p where not exists (select 1 from reviews r where r.id = p.review_id)",
    );
  }

  async #claim(now: Date): Promise<number[]> {
    const rows = await this.#deps.db.query<{ id: number }>(
      `update notification_review_posts set attempts = attempts + 1,
         next_attempt_at = $1::timestamptz + make_interval(secs => ${CLAIM_SECONDS})
       where id in (select p.id from notification_review_posts p join reviews r on r.id = p.review_id
         where p.done_at is null and p.next_attempt_at <= $1 and p.shown <> ${STATE_OF_R}
         order by p.id limit ${BATCH} for update of p skip locked)
       returning id`,
      [now.toISOString()],
      "notification-claim-posts",
    );
    return rows.map(({ id }) => id);
  }

  async #update(row: PostRow, now: Date): Promise<void> {
    const { db, services, channels } = this.#deps;
    const { id, tenantId, reviewId, place, subject, text, attempts } = row;
    const rule = row.source === "rule" ? await this.#rule(row.ruleId) : undefined;
    const settings = settingsOf(rule, row.channel);
    try {
      const review = await this.#shown(tenantId, reviewId, rule?.timezone ?? "UTC");
      if (review === undefined) return;
      await channelOf(channels, settings).update(tenantId, settings, place, { subject, text }, review);
      const doneAt = review.outcome === null ? null : now;
      const shown = { shown: review.state, attempts: 0, nextAttemptAt: now, reason: null, doneAt };
      await db.orm.update(reviewPosts).set(shown).where(eq(reviewPosts.id, id));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const reason = services.secrets.redact(tenantId, message).toWellFormed().replaceAll("\0", "");
      const isOver = attempts >= MAX_ATTEMPTS || (error instanceof SendError && error.final);
      const nextAttemptAt = new Date(now.getTime() + FIRST_WAIT_MS * 2 ** Math.max(0, attempts - 1));
      const after = { reason, nextAttemptAt, ...(isOver ? { doneAt: now } : {}) };
      await db.orm.update(reviewPosts).set(after).where(eq(reviewPosts.id, id));
    }
  }

  async #rule(id: number): Promise<RuleRow | undefined> {
    const [rule] = await this.#deps.db.orm.select().from(notificationRules).where(eq(notificationRules.id, id));
    return rule;
  }

  async #shown(tenantId: number, reviewId: number, timezone: string): Promise<ShownReview | undefined> {
    const { db, services, environment } = this.#deps;
    const { publicUrl } = environment;
    return readShownReview({ db, services, publicUrl }, { tenantId, reviewId, timezone });
  }
}

/** As the rule says now, so that a token that was replaced counts; of a bot, or of a rule that is gone, as it was. */
function settingsOf(rule: RuleRow | undefined, posted: NotificationChannel): DecidingSettings {
  if (!isDeciding(posted)) throw new Error(`a channel of the type ${posted.type} posts no reviews`);
  if (rule === undefined || !isDeciding(rule.channel) || rule.channel.type !== posted.type) return posted;
  return rule.channel;
}
