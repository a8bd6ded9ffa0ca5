import { type JsonObject, OvenError, type Principal } from "@oven/contract";
import { type DraftCase, MAX_BUILDER_QUESTIONS } from "@oven/contract/workflow";
import type { Database } from "@oven/db";
import { and, eq } from "@oven/db/drizzle";
import { builderDesks } from "./builder-desks.table.ts";

export type DeskRow = typeof builderDesks.$inferSelect;

/** What runs of the builder work on, as rows by run. */
export class DeskRows {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Begins the row of a run; the same call made again leaves it as it is. */
  async begin(
    row: Pick<DeskRow, "executionId" | "tenantId" | "workflowId" | "slug" | "seenRevision" | "seen">,
  ): Promise<void> {
    await this.#db.orm
      .insert(builderDesks)
      .values({ ...row, cases: [], asked: [] })
      .onConflictDoNothing();
  }

  /** @throws OvenError BUILDER_ONLY for a run that does not build a workflow */
  async get({ tenantId }: Pick<Principal, "tenantId">, executionId: number | undefined): Promise<DeskRow> {
    const [row] =
      executionId === undefined
        ? []
        : await this.#db.orm
            .select()
            .from(builderDesks)
            .where(and(eq(builderDesks.executionId, executionId), eq(builderDesks.tenantId, tenantId)));
    if (row !== undefined) return row;
    throw new OvenError("BUILDER_ONLY", "This tool works in runs of the builder only", {
      status: 403,
      fix: "Use the tools of the MCP server `oven`, which do the same for any client.",
    });
  }

  /** The run has read this revision of the draft. */
  async see(executionId: number, seenRevision: number, seen: JsonObject): Promise<void> {
    await this.#change(executionId, { seenRevision, seen });
  }

  /** The run has written this revision of the draft. */
  async write(executionId: number, seenRevision: number, seen: JsonObject): Promise<void> {
    await this.#change(executionId, { seenRevision, seen, changed: true });
  }

  async setCases(executionId: number, cases: DraftCase[]): Promise<void> {
    await this.#change(executionId, { cases });
  }

  /** Counts a question once. Answers whether it may be asked: the first ones of a run may. */
  async ask({ executionId, tenantId }: DeskRow, key: string): Promise<boolean> {
    const rows = await this.#db.query(
      `update builder_desks set asked = case when asked ? $3 then asked else asked || to_jsonb($3::text) end
       where execution_id = $1 and tenant_id = $2 and (asked ? $3 or jsonb_array_length(asked) < $4) returning execution_id`,
      [executionId, tenantId, key, MAX_BUILDER_QUESTIONS],
    );
    return rows.length > 0;
  }

  async #change(executionId: number, change: Partial<DeskRow>): Promise<void> {
    await this.#db.orm.update(builderDesks).set(change).where(eq(builderDesks.executionId, executionId));
  }
}
