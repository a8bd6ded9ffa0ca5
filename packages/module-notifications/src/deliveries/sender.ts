import { NotificationPreferencesSchema } from "@oven/contract/system";
import type { Database } from "@oven/db";
import { and, asc, eq, inArray } from "@oven/db/drizzle";
import type { RuntimeEnvironment, ServiceMap } from "@oven/module-registry";
// What it puts into `services`.
import type {} from "@oven/module-roles";
import type { MailSender } from "../channels/mail-sender.ts";
import { type Outgoing, SendError } from "../channels/outgoing.ts";
import { sendToSlack } from "../channels/slack.ts";
import { sendWebhook } from "../channels/webhook.ts";
import { isDeciding } from "../decisions/decision-channel.ts";
import { toSource } from "../decisions/decision-source.ts";
import type { MailReplies } from "../decisions/mail/mail-replies.ts";
import type { ReviewPosts } from "../decisions/review-posts.ts";
import type { Facts } from "../messages/facts.ts";
import { withAddresses } from "../messages/facts.ts";
import { PROPOSED, readReviewDetails } from "../messages/review-details.ts";
import { notificationDeliveries, notificationPreferences, notificationRules } from "../schema.ts";
import { type DeliveryRow, postpone, settle } from "./delivery-rows.ts";

/** In characters. */
const SHOWN_DIGEST = 16;

export interface SenderDeps {
  db: Database;
  services: ServiceMap;
  environment: Pick<RuntimeEnvironment, "publicUrl" | "outboundAllow">;
  /** Absent: the operator has set no mail server. */
  mail: MailSender | undefined;
  posts: ReviewPosts;
  /** Absent: replies to mails decide nothing. */
  replies: MailReplies | undefined;
}

/** Sends messages that were claimed, and writes down what came of it. */
export class Sender {
  readonly #deps: SenderDeps;

  constructor(deps: SenderDeps) {
    this.#deps = deps;
  }

  /** Several ids are of one person, and go together. Never throws for what a receiver does. */
  async work(ids: readonly number[], now: Date): Promise<void> {
    const { db, services } = this.#deps;
    const claimed = await db.orm
      .select()
      .from(notificationDeliveries)
      .where(inArray(notificationDeliveries.id, [...ids]))
      .orderBy(asc(notificationDeliveries.id));
    const rows: DeliveryRow[] = [];
    for (const row of claimed) {
      const obstacle = await this.#obstacle(row);
      if (obstacle === undefined) rows.push(row);
      else await settle(db, [row.id], "skipped", obstacle, now);
    }
    const [first, ...others] = rows;
    if (first === undefined) return;
    try {
      await this.#send([first, ...others], now);
      await settle(
        db,
        rows.map(({ id }) => id),
        "sent",
        null,
        now,
      );
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const reason = services.secrets.redact(first.tenantId, message).toWellFormed().replaceAll("\0", "");
      if (error instanceof SendError && error.final) {
        const failed = rows.map(({ id }) => id);
        await settle(db, failed, "failed", reason, now);
      } else await postpone(db, rows, reason, now);
    }
  }

  /** Why a message is not to be sent any more. */
  async #obstacle({ reviewId, channel, userId, tenantId }: DeliveryRow): Promise<string | undefined> {
    const { db, services, mail } = this.#deps;
    if (reviewId !== null) {
      const [review] = await db.query<{ status: string }>("select status from reviews where id = $1", [reviewId]);
      if (review?.status !== "open") return "The review was closed meanwhile";
    }
    if (channel !== "email") return undefined;
    if (mail === undefined) return "No mail server is set: OVEN_SMTP_URL";
    if (userId !== null && (await services.access.findPerson(userId, tenantId)) === undefined)
      return "The person may not sign in any more";
    return undefined;
  }

  async #send(rows: readonly [DeliveryRow, ...DeliveryRow[]], now: Date): Promise<void> {
    const { db, services, mail, posts, environment } = this.#deps;
    const [row, ...others] = rows;
    if (row.channel === "email") {
      if (mail === undefined) throw new SendError("No mail server is set: OVEN_SMTP_URL", true);
      await mail.send(row.recipient, [
        others.length === 0 ? await this.#withReply(row, await this.#mail(row), now) : await this.#mail(row),
        ...(await Promise.all(others.map((other) => this.#mail(other)))),
      ]);
      return;
    }
    const [rule] =
      row.ruleId === null
        ? []
        : await db.orm.select().from(notificationRules).where(eq(notificationRules.id, row.ruleId));
    // Where it goes is what the rule says now: an address that was corrected counts for what still waits.
    if (rule?.channel.type !== row.channel) throw new SendError("Its rule was deleted, or goes another way now", true);
    const { channel } = rule;
    if (channel.type === "webhook") await sendWebhook(services, channel, this.#outgoing(row), now);
    if (channel.type === "slack") await sendToSlack(services, channel, this.#outgoing(row), environment);
    if (isDeciding(channel)) await posts.post(toSource(rule), this.#outgoing(row), row.reviewId, now);
  }

  /** With what a person needs to decide, as it stands now. */
  async #mail(row: DeliveryRow): Promise<Outgoing> {
    const outgoing = this.#outgoing(row);
    if (row.reviewId === null) return outgoing;
    const { db, services, environment } = this.#deps;
    const { publicUrl } = environment;
    const reader = { tenantId: row.tenantId, timezone: await this.#timezoneOf(row) };
    return { ...outgoing, ...(await readReviewDetails({ db, services, publicUrl }, row.reviewId, reader)) };
  }

  /** With a code for a reply that decides, and then with the whole proposal. In a mail of several, a reply would be about none of them. */
  async #withReply(row: DeliveryRow, outgoing: Outgoing, now: Date): Promise<Outgoing> {
    const { tenantId, userId, reviewId } = row;
    const { replies } = this.#deps;
    if (replies === undefined || userId === null || reviewId === null) return outgoing;
    const offer = await replies.offer({ tenantId, userId, reviewId }, await this.#timezoneOf(row), now);
    if (offer === undefined) return outgoing;
    const { review, replyTo, note } = offer;
    const others = (outgoing.details ?? []).filter(({ label }) => label !== PROPOSED);
    const decides = review.facts.filter(({ label }) => label === "May decide");
    const digest = { label: "Digest", text: review.digest.slice(0, SHOWN_DIGEST) };
    return {
      ...outgoing,
      details: [{ label: PROPOSED, text: review.proposal }, ...others, ...decides, digest],
      replyTo,
      note,
    };
  }

  async #timezoneOf({ userId, tenantId }: DeliveryRow): Promise<string> {
    const [found] =
      userId === null
        ? []
        : await this.#deps.db.orm
            .select()
            .from(notificationPreferences)
            .where(and(eq(notificationPreferences.userId, userId), eq(notificationPreferences.tenantId, tenantId)));
    return found?.preferences.timezone ?? NotificationPreferencesSchema.parse({}).timezone;
  }

  #outgoing(row: DeliveryRow): Outgoing {
    const { id, tenantId, kind, subject, text, link, createdAt } = row;
    const { publicUrl } = this.#deps.environment;
    const facts = withAddresses(row.facts as unknown as Facts, publicUrl); // cast: written as facts
    return { id, tenantId, kind, subject, text, link: publicUrl + link, facts, createdAt };
  }
}
