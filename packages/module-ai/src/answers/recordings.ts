import { type ModelAnswer, OvenError } from "@oven/contract";
import type { Database } from "@oven/db";
import { and, eq, sql } from "drizzle-orm";
import type { Recording } from "../model/model-request.ts";
import { aiRecordedAnswers } from "../tables/ai-answers.table.ts";

/** Model traffic kept under a name, to be answered again without a model. */
export class Recordings {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** @throws OvenError RECORDING_MISSING: the request is not in the recording, so the run has gone another way */
  async find(tenantId: number, { name, callKey }: Recording, digest: string): Promise<ModelAnswer> {
    const { recording, digest: ofRequest, callKey: key } = aiRecordedAnswers;
    const [row] = await this.#db.orm
      .select({ answer: aiRecordedAnswers.answer })
      .from(aiRecordedAnswers)
      .where(
        and(eq(aiRecordedAnswers.tenantId, tenantId), eq(recording, name), eq(ofRequest, digest), eq(key, callKey)),
      );
    if (row !== undefined) return row.answer;
    throw new OvenError("RECORDING_MISSING", `The recording ${name} has no answer to this request (${callKey})`, {
      status: 422,
      fix: "Record it again: the request is not the one that was recorded",
      details: { recording: name, callKey },
    });
  }

  /** Recorded again, an answer takes the place of the earlier one. */
  async keep(tenantId: number, { name, callKey }: Recording, digest: string, answer: ModelAnswer): Promise<void> {
    const { recording, digest: ofRequest, callKey: key } = aiRecordedAnswers;
    await this.#db.orm
      .insert(aiRecordedAnswers)
      .values({ tenantId, recording: name, digest, callKey, answer })
      .onConflictDoUpdate({
        target: [aiRecordedAnswers.tenantId, recording, ofRequest, key],
        set: { answer: sql`excluded.answer` },
      });
  }
}
