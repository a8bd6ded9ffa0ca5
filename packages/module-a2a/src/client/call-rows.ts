import { type JsonObject, JsonObjectSchema } from "@oven/contract";
import type { Database } from "@oven/db";
import { and, eq, inArray, lt } from "@oven/db/drizzle";
import type { ToolRun } from "@oven/module-registry";
import { z } from "zod";
import { a2aCalls } from "../schema.ts";

const OutgoingSchema = z.strictObject({
  messageId: z.string(),
  text: z.string(),
  data: JsonObjectSchema.optional(),
});
export type Outgoing = z.output<typeof OutgoingSchema>;

/** A call of an agent. Outside of runs it leaves no row. */
export interface CallRecord {
  arguments: JsonObject;
  outgoing: Outgoing | null;
  taskId: string | null;
  contextId: string | null;
  taken: number[];
  asked: string | null;
  misses: number;
  createdAt: Date;
}

/** Longer than any task may take. */
const KEEP_MS = 60 * 86_400_000;

/** Looked at in one go. */
const MOST_RUNS = 1_000;

/** What runs have begun at outside agents. */
export class CallRows {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db.system;
  }

  async find(run: ToolRun, tenantId: number): Promise<CallRecord | undefined> {
    const [row] = await this.#db.orm.select().from(a2aCalls).where(at(run, tenantId));
    if (row === undefined) return undefined;
    const { taskId, contextId, taken, asked, misses, createdAt } = row;
    return {
      ...{ taskId, contextId, taken, asked, misses, createdAt },
      arguments: JsonObjectSchema.parse(row.arguments),
      outgoing: OutgoingSchema.nullable().parse(row.outgoing),
    };
  }

  async keep(run: ToolRun, tenantId: number, connectionId: number, record: CallRecord): Promise<void> {
    const { executionId, nodeId, visit, item } = run;
    const { createdAt: _since, ...values } = record;
    await this.#db.orm
      .insert(a2aCalls)
      .values({ ...values, ...{ tenantId, connectionId, executionId, nodeId, visit, item: item ?? "" } })
      .onConflictDoUpdate({
        target: [a2aCalls.executionId, a2aCalls.nodeId, a2aCalls.visit, a2aCalls.item],
        set: values,
      });
  }

  async forget(run: ToolRun, tenantId: number): Promise<void> {
    await this.#db.orm.delete(a2aCalls).where(at(run, tenantId));
  }

  /** The runs that have begun calls. */
  async runs(): Promise<number[]> {
    const rows = await this.#db.orm.selectDistinct({ id: a2aCalls.executionId }).from(a2aCalls).limit(MOST_RUNS);
    return rows.map(({ id }) => id);
  }

  /** Takes out what runs have begun: no other process gets it too. */
  async takeOf(runs: readonly number[]): Promise<{ connectionId: number; taskId: string | null }[]> {
    const { connectionId, taskId } = a2aCalls;
    return this.#db.orm
      .delete(a2aCalls)
      .where(inArray(a2aCalls.executionId, [...runs]))
      .returning({ connectionId, taskId });
  }

  async forgetOld(now: number): Promise<void> {
    await this.#db.orm.delete(a2aCalls).where(lt(a2aCalls.createdAt, new Date(now - KEEP_MS)));
  }
}

function at({ executionId, nodeId, visit, item }: ToolRun, tenantId: number) {
  return and(
    eq(a2aCalls.tenantId, tenantId),
    eq(a2aCalls.executionId, executionId),
    eq(a2aCalls.nodeId, nodeId),
    eq(a2aCalls.visit, visit),
    eq(a2aCalls.item, item ?? ""),
  );
}
