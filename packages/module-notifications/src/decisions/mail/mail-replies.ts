import { createHash } from "node:crypto";
import type { Clock, Database } from "@oven/db";
import {
  connectImap,
  type MailFields,
  parseMail,
  type RegistryView,
  type RuntimeEnvironment,
  type ServiceMap,
} from "@oven/module-registry";
import type { MailSender } from "../../channels/mail-sender.ts";
import { type Outgoing, SendError } from "../../channels/outgoing.ts";
import { reviewPath } from "../../messages/facts.ts";
import { decideAs } from "../decide-as.ts";
import { readShownReview, type ShownReview } from "../shown-review.ts";
import { codeIn, HOW_TO_REPLY, isAutomatic, type Reply, readReply, toCodeAddress } from "./read-reply.ts";
import type { CodeRow, ReplyCodes } from "./reply-codes.ts";
import type { ReplyMailbox } from "./reply-mailbox.ts";

export interface MailRepliesDeps {
  db: Database;
  services: ServiceMap;
  registry: RegistryView;
  environment: Pick<RuntimeEnvironment, "publicUrl">;
  clock: Clock;
  mailbox: ReplyMailbox;
  mail: MailSender;
  codes: ReplyCodes;
  /** A review was decided: its messages are to be changed. */
  onDecided(): void;
}

/** What a mail about a review carries so that a reply to it decides. */
export interface ReplyOffer {
  review: ShownReview;
  /** Where the reply goes. */
  replyTo: string;
  /** How to reply. */
  note: string;
}

const EVERY_SECONDS = 15;
/** So long one process has the mailbox to itself; longer than a look takes. */
const CLAIM_SECONDS = 300;
const MOST_AT_ONCE = 25;
/** Of a mail that are fetched: what is read stands at its beginning. */
const MAX_MAIL_BYTES = 262_144;

/** Offers codes with mails about reviews, and takes the replies that carry them. */
export class MailReplies {
  readonly #deps: MailRepliesDeps;

  constructor(deps: MailRepliesDeps) {
    this.#deps = deps;
  }

  /** Undefined: the review is not decided by mail, since it asks for data, needs a second press or is too long for a message. */
  async offer(
    { tenantId, userId, reviewId }: { tenantId: number; userId: number; reviewId: number },
    timezone: string,
    now: Date,
  ): Promise<ReplyOffer | undefined> {
    const { db, services, environment, codes, mailbox } = this.#deps;
    const { publicUrl } = environment;
    const review = await readShownReview({ db, services, publicUrl }, { tenantId, reviewId, timezone });
    if (review?.approve !== "once" || !review.reject) return undefined;
    const [row] = await db.query<{ due_at: Date | null }>("select due_at from reviews where id = $1", [reviewId]);
    const code = await codes.make(tenantId, userId, review, row?.due_at ?? null, now);
    return { review, replyTo: toCodeAddress(mailbox.address, code), note: HOW_TO_REPLY };
  }

  /** Reads what has come, if it is time and no other process does. */
  async look(): Promise<void> {
    const { services, mailbox, clock } = this.#deps;
    if (!(await this.#claim(await clock()))) return;
    try {
      const { user, password: pass, server, folder } = mailbox;
      const client = await connectImap(services.outbound, server, async () => ({ user, pass }));
      try {
        await client.mailboxOpen(folder);
        const found = await client.search({ seen: false }, { uid: true });
        const uids = (found || []).sort((one, other) => one - other).slice(0, MOST_AT_ONCE);
        for (const uid of uids) {
          const source = { maxLength: MAX_MAIL_BYTES };
          const fetched = await client.fetchOne(String(uid), { uid: true, source }, { uid: true });
          const isTaken = !fetched || fetched.source === undefined || (await this.#tryTake(fetched.source));
          // After the decision and its answer: a crash between leaves the mail, and its code says that it was used.
          if (isTaken) await client.messageFlagsAdd(String(uid), ["\\Seen"], { uid: true });
        }
        await client.logout();
      } finally {
        client.close();
      }
    } catch (error) {
      this.#report(error);
    } finally {
      await this.#release(await clock());
    }
  }

  async #claim(now: Date): Promise<boolean> {
    const rows = await this.#deps.db.query(
      `insert into notification_reply_mailboxes as m (address, next_look_at)
       values ($1, $2::timestamptz + make_interval(secs => ${CLAIM_SECONDS}))
       on conflict (address) do update set next_look_at = excluded.next_look_at where m.next_look_at <= $2
       returning address`,
      [this.#deps.mailbox.address, now.toISOString()],
    );
    return rows.length > 0;
  }

  async #release(now: Date): Promise<void> {
    await this.#deps.db.query("update notification_reply_mailboxes set next_look_at = $2 where address = $1", [
      this.#deps.mailbox.address,
      new Date(now.getTime() + EVERY_SECONDS * 1_000).toISOString(),
    ]);
  }

  /** False: it must be read once more, and holds up no other mail. */
  async #tryTake(source: Buffer): Promise<boolean> {
    try {
      await this.#take(source);
      return true;
    } catch (error) {
      this.#report(error);
      // An answer that the mail server will never take.
      return error instanceof SendError && error.final;
    }
  }

  #report(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    console.error(`the mailbox for replies to reviews: ${this.#deps.mailbox.clean(message)}`);
  }

  async #take(source: Buffer): Promise<void> {
    const { codes, services, mailbox } = this.#deps;
    const { fields } = await parseMail(source);
    if (isAutomatic(fields)) return;
    const code = codeIn(fields, mailbox.address);
    const row = code === undefined ? undefined : await codes.find(code);
    // Strangers are not answered: it would tell them which codes there are, and send mail to whom they name.
    if (row === undefined) return;
    const person = await services.access.findPerson(row.userId, row.tenantId);
    if (person === undefined || !isSame(person.email, fields.from[0]?.address)) return;
    const messageId = fields.messageId ?? createHash("sha256").update(source).digest("hex");
    const answer = await this.#answer(row, fields, messageId);
    await this.#deps.mail.answer(person.email, { ...answer, inReplyTo: fields.messageId });
  }

  async #answer(
    row: CodeRow,
    { text }: MailFields,
    messageId: string,
  ): Promise<Pick<Outgoing, "subject" | "text" | "link">> {
    const { codes, clock, environment } = this.#deps;
    const link = environment.publicUrl + reviewPath(row.reviewId);
    const say = (subject: string, words: string) => ({ subject: `${subject}: ${row.title}`, text: words, link });
    if (row.usedBy !== null) {
      // The same mail once more, after a crash: what it led to is said again.
      if (row.usedBy === messageId && row.answer !== null) return say("Your reply", row.answer);
      return say("Not decided", "A reply to that mail was taken already. Open the review to see how it stands.");
    }
    if (row.expiresAt <= (await clock()))
      return say("Not decided", "The time to reply to that mail is over. Open the review.");
    const reply = readReply(text);
    if (reply === undefined) {
      // How it ended is on its page, for those who may still see it.
      if (!(await this.#isOpen(row)))
        return say("Not decided", "This review is not open any more. Open it to see how it ended.");
      return say("Not understood", `Nothing was decided. ${HOW_TO_REPLY}`);
    }
    if (!(await codes.use(row, messageId))) return say("Not decided", "Another reply was quicker.");
    const words = await this.#decide(row, reply);
    await codes.setAnswer(row, words);
    return say("Your reply", words);
  }

  async #isOpen({ tenantId, reviewId }: CodeRow): Promise<boolean> {
    const found = await this.#deps.db.query(
      "select 1 from reviews where id = $1 and tenant_id = $2 and status = 'open'",
      [reviewId, tenantId],
    );
    return found.length > 0;
  }

  async #decide(row: CodeRow, reply: Reply): Promise<string> {
    const { tenantId, userId, reviewId, digest } = row;
    const request = new Request(`${this.#deps.environment.publicUrl}${reviewPath(reviewId)}`);
    const act = { tenantId, userId, reviewId, decision: { ...reply, digest }, request, said: "from mail" };
    try {
      const outcome = await decideAs(this.#deps, act);
      if (!outcome.taken) return `Not decided. ${outcome.why}`;
      if (outcome.review.status === "open") return "Your approval counts. Others must approve it, too.";
      return reply.action === "approve" ? "Approved." : "Rejected.";
    } catch (error) {
      await this.#deps.codes.giveBack(row);
      throw error;
    } finally {
      this.#deps.onDecided();
    }
  }
}

function isSame(own: string, given: string | undefined): boolean {
  return given !== undefined && own.toLowerCase() === given.toLowerCase();
}
