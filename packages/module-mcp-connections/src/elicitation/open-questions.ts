import { JsonObjectSchema } from "@oven/contract";
import type { Database } from "@oven/db";
import { and, eq, lt } from "@oven/db/drizzle";
import type { ToolRun } from "@oven/module-registry";
import { z } from "zod";
import { mcpOpenQuestions } from "../schema.ts";

const StateSchema = z.strictObject({
  round: z.int(),
  /** Answers that were taken, by the ids of their reviews: a step that is repeated after a crash brings the same one again. */
  taken: z.array(z.int()).default([]),
  /** Of the newer era: the questions that are still to be answered, and what is answered already. */
  requests: JsonObjectSchema.optional(),
  responses: JsonObjectSchema.optional(),
  requestState: z.string().optional(),
  /** Of the older era: answers so far, and the question that is open. */
  legacyAnswers: z.record(z.string(), JsonObjectSchema).optional(),
  legacyKey: z.string().optional(),
});
export type QuestionState = z.output<typeof StateSchema>;

/** Longer than any run keeps a question open. */
const KEEP_MS = 400 * 86_400_000;

/** What calls in runs that wait for a person need to go on, also in another process. */
export class OpenQuestions {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db.system;
  }

  async find(run: ToolRun, tenantId: number): Promise<QuestionState | undefined> {
    const [row] = await this.#db.orm.select().from(mcpOpenQuestions).where(at(run, tenantId));
    return row === undefined ? undefined : StateSchema.parse(row.state);
  }

  async keep(run: ToolRun, tenantId: number, connectionId: number, state: QuestionState): Promise<void> {
    const { executionId, nodeId, visit, item } = run;
    await this.#db.orm
      .insert(mcpOpenQuestions)
      .values({ tenantId, connectionId, executionId, nodeId, visit, item: item ?? "", state })
      .onConflictDoUpdate({
        target: [mcpOpenQuestions.executionId, mcpOpenQuestions.nodeId, mcpOpenQuestions.visit, mcpOpenQuestions.item],
        set: { state },
      });
  }

  async forget(run: ToolRun, tenantId: number): Promise<void> {
    await this.#db.orm.delete(mcpOpenQuestions).where(at(run, tenantId));
  }

  async forgetOld(now: number): Promise<void> {
    await this.#db.orm.delete(mcpOpenQuestions).where(lt(mcpOpenQuestions.createdAt, new Date(now - KEEP_MS)));
  }
}

function at({ executionId, nodeId, visit, item }: ToolRun, tenantId: number) {
  return and(
    eq(mcpOpenQuestions.tenantId, tenantId),
    eq(mcpOpenQuestions.executionId, executionId),
    eq(mcpOpenQuestions.nodeId, nodeId),
    eq(mcpOpenQuestions.visit, visit),
    eq(mcpOpenQuestions.item, item ?? ""),
  );
}
