import { OvenError } from "@oven/contract";
import type { ModelAnswer, UsageRow } from "@oven/contract/ai";
import type { Database } from "@oven/db";
import { and, eq, sql } from "@oven/db/drizzle";
import type { Recording } from "../model/model-request.ts";
import { aiRecordedAnswers } from "../tables/ai-answers.table.ts";
import { type ModelCaller, recordAgain } from "../usage/record-usage.ts";
import { digestOf } from "./request-digest.ts";

type Answer = Pick<ModelAnswer, "model" | "costMicros" | "source">;

interface RecordedCall {
  caller: ModelCaller;
  operation: UsageRow["operation"];
  /** Comes before the caller's. */
  recording?: Recording | undefined;
  /** All that the answer depends on. */
  asked: object;
}

/** How an answer is kept, where it is not JSON itself. */
interface Codec<T> {
  toJson(answer: T): object;
  // biome-ignore lint/suspicious/noExplicitAny: what `toJson` has made of one
  fromJson(kept: any): T;
}

/** Model traffic kept under a name, to be answered again without a model. */
export class Recordings {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * The call as its recording says: asked, asked and kept, or answered from what was kept alone.
   * @throws OvenError RECORDING_MISSING: the request is not in the recording, so the run has gone another way
   */
  async through<T extends Answer>(
    { caller, operation, asked, recording = caller.recording }: RecordedCall,
    ask: () => Promise<T>,
    codec: Codec<T> = { toJson: (answer) => answer, fromJson: (kept) => kept },
  ): Promise<T> {
    if (recording === undefined) return ask();
    const { tenantId } = caller;
    const digest = digestOf(asked);
    if (recording.mode === "replay") {
      const kept = codec.fromJson(await this.#find(tenantId, recording, digest));
      const answer = { ...kept, costMicros: 0, source: "recording" as const };
      await recordAgain(this.#db, answer, caller, operation);
      return answer;
    }
    const answer = await ask();
    await this.#keep(tenantId, recording, digest, codec.toJson(answer));
    return answer;
  }

  async #find(tenantId: number, { name, callKey }: Recording, digest: string): Promise<object> {
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
  async #keep(tenantId: number, { name, callKey }: Recording, digest: string, answer: object): Promise<void> {
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
