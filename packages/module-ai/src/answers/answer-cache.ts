import type { ModelAnswer } from "@oven/contract/ai";
import type { Database } from "@oven/db";
import { and, eq, gt, lt, sql } from "@oven/db/drizzle";
import type { Timing } from "../limits/timing.ts";
import { aiCachedAnswers } from "../tables/ai-answers.table.ts";

/** Answers given again to the very same request of the same tenant to the same model. */
export class AnswerCache {
  readonly #db: Database;
  readonly #timing: Timing;

  constructor(db: Database, timing: Timing) {
    this.#db = db;
    this.#timing = timing;
  }

  async find(tenantId: number, digest: string): Promise<ModelAnswer | undefined> {
    const { answer, expiresAt } = aiCachedAnswers;
    const now = new Date(this.#timing.now());
    const [row] = await this.#db.orm
      .select({ answer })
      .from(aiCachedAnswers)
      .where(and(eq(aiCachedAnswers.tenantId, tenantId), eq(aiCachedAnswers.digest, digest), gt(expiresAt, now)));
    return row?.answer;
  }

  async keep(tenantId: number, digest: string, answer: ModelAnswer, ttlMs: number): Promise<void> {
    const now = this.#timing.now();
    const expiresAt = new Date(now + ttlMs);
    await this.#db.orm
      .insert(aiCachedAnswers)
      .values({ tenantId, digest, answer, expiresAt })
      .onConflictDoUpdate({
        target: [aiCachedAnswers.tenantId, aiCachedAnswers.digest],
        set: { answer: sql`excluded.answer`, expiresAt },
      });
    await this.#db.orm
      .delete(aiCachedAnswers)
      .where(and(eq(aiCachedAnswers.tenantId, tenantId), lt(aiCachedAnswers.expiresAt, new Date(now))));
  }
}
