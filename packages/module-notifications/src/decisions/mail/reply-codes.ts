import { createHash, randomBytes } from "node:crypto";
import type { Database } from "@oven/db";
import { and, eq, isNull, lte } from "@oven/db/drizzle";
import { replyCodes } from "../../schema.ts";
import type { ShownReview } from "../shown-review.ts";

export type CodeRow = typeof replyCodes.$inferSelect;

/** 128 bits, in the lower-case letters and digits that every mail server leaves as they are. */
const CODE_BYTES = 16;
const LONGEST_DAYS = 7;
const DAY_MS = 86_400_000;

/** One-time codes, each for one person and one proposal. Only their digests are stored. */
export class ReplyCodes {
  readonly #db: Database;

  constructor({ db }: { db: Database }) {
    this.#db = db;
  }

  /** A code for the mail of a person; it holds until the review is due, and for a week at most. */
  async make(tenantId: number, userId: number, review: ShownReview, dueAt: Date | null, now: Date): Promise<string> {
    const code = randomBytes(CODE_BYTES).toString("hex");
    const latest = new Date(now.getTime() + LONGEST_DAYS * DAY_MS);
    const expiresAt = dueAt !== null && dueAt < latest ? dueAt : latest;
    const { id: reviewId, digest, title } = review;
    const values = { codeHash: hashCode(code), tenantId, userId, reviewId, digest, title, expiresAt, createdAt: now };
    await this.#db.orm.insert(replyCodes).values(values);
    return code;
  }

  async find(code: string): Promise<CodeRow | undefined> {
    const [row] = await this.#db.orm
      .select()
      .from(replyCodes)
      .where(eq(replyCodes.codeHash, hashCode(code)));
    return row;
  }

  /** Uses a code up for one mail. False: another mail was quicker. */
  async use({ codeHash }: CodeRow, messageId: string): Promise<boolean> {
    const used = await this.#db.orm
      .update(replyCodes)
      .set({ usedBy: messageId })
      .where(and(eq(replyCodes.codeHash, codeHash), isNull(replyCodes.usedBy)))
      .returning({ codeHash: replyCodes.codeHash });
    return used.length > 0;
  }

  /** What the person who used it is answered. */
  async setAnswer({ codeHash }: CodeRow, answer: string): Promise<void> {
    await this.#db.orm.update(replyCodes).set({ answer }).where(eq(replyCodes.codeHash, codeHash));
  }

  /** The reply could not be worked on: it may come again. */
  async giveBack({ codeHash }: CodeRow): Promise<void> {
    await this.#db.orm.update(replyCodes).set({ usedBy: null }).where(eq(replyCodes.codeHash, codeHash));
  }

  /** Those that were over a while ago: until then, a late reply is answered with the reason. */
  async forgetOld(now: Date): Promise<void> {
    const before = new Date(now.getTime() - LONGEST_DAYS * DAY_MS);
    await this.#db.orm.delete(replyCodes).where(lte(replyCodes.expiresAt, before));
  }
}

function hashCode(code: string): string {
  return createHash("sha256").update(code).digest("hex");
}
