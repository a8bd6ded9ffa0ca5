import { type Json, type JsonObject, notFound, OvenError, type Principal } from "@oven/contract";
import type { DataContainerInstance } from "@oven/contract/formats/linear.ts";
import type { Database } from "@oven/db";
import { and, desc, eq, sql } from "@oven/db/drizzle";
import type { AiService, ModelCaller, Spend } from "@oven/module-ai";
import type { Owner } from "../../shared/owner.ts";
import { toRunUuid, toUserUuid } from "../../shared/source-ids.ts";
import { summarise } from "./summarise.ts";
import { dataContainerInstances } from "./tables/data-containers.table.ts";

/** Values a list of a container shows. */
const LISTED = 100;

export type DataInstanceRow = typeof dataContainerInstances.$inferSelect;

export interface NewDataInstance {
  tenantId: number;
  userId: number;
  executionId: number;
  container: string;
  raw: Json;
  markdown: string | null;
  stepInstance: string | null;
  messages: Json;
  /** The node that makes it; null: a client. */
  madeBy: string | null;
}

/** What each container held in each run. */
export class DataInstances {
  readonly #db: Database;
  readonly #ai: () => AiService;

  constructor(db: Database, ai: () => AiService) {
    this.#db = db;
    this.#ai = ai;
  }

  /** Summarised first, then kept; a node that is repeated finds what it made. */
  async create(
    fresh: NewDataInstance,
    call: { caller: ModelCaller; signal: AbortSignal },
  ): Promise<{ row: DataInstanceRow; spend: Spend | null }> {
    const { tenantId, userId, executionId, container, raw, markdown, stepInstance, messages, madeBy } = fresh;
    const made = madeBy === null ? undefined : await this.#madeBy(executionId, madeBy);
    if (made !== undefined) return { row: made, spend: null };
    const { text, spend } = await summarise(this.#ai(), markdown ?? toText(raw), call);
    const [row] = await this.#db.orm
      .insert(dataContainerInstances)
      .values({
        ...{ tenantId, userId, executionId, containerUuid: container, stepInstanceUuid: stepInstance },
        ...{ rawData: toStored(raw), summary: text, markdown, messages, madeBy },
      })
      .onConflictDoNothing()
      .returning();
    const kept = row ?? (madeBy === null ? undefined : await this.#madeBy(executionId, madeBy));
    if (kept === undefined) throw new Error("an insert answered no row");
    return { row: kept, spend };
  }

  async #madeBy(executionId: number, madeBy: string): Promise<DataInstanceRow | undefined> {
    const { executionId: run, madeBy: by } = dataContainerInstances;
    const [row] = await this.#db.orm
      .select()
      .from(dataContainerInstances)
      .where(and(eq(run, executionId), eq(by, madeBy)));
    return row;
  }

  /** The newest of a run. @throws OvenError DATA_MISSING naming both */
  async newest(tenantId: number, executionId: number, container: string): Promise<DataInstanceRow> {
    const { id, tenantId: tenant, executionId: run, containerUuid } = dataContainerInstances;
    const [row] = await this.#db.orm
      .select()
      .from(dataContainerInstances)
      .where(and(eq(tenant, tenantId), eq(run, executionId), eq(containerUuid, container)))
      .orderBy(desc(id))
      .limit(1);
    if (row !== undefined) return row;
    throw new OvenError(
      "DATA_MISSING",
      `The data container ${container} has no value in the run ${toRunUuid(executionId)}`,
      { status: 404, fix: "Only what the trigger brought and steps that have run can be read." },
    );
  }

  /** All of a run, in the order in which they were made. */
  ofRun(tenantId: number, executionId: number): Promise<DataInstanceRow[]> {
    const { id, tenantId: tenant, executionId: run } = dataContainerInstances;
    return this.#db.orm
      .select()
      .from(dataContainerInstances)
      .where(and(eq(tenant, tenantId), eq(run, executionId)))
      .orderBy(id);
  }

  /** The latest of a container, newest first. */
  ofContainer({ tenantId, userId }: Owner, container: string): Promise<DataInstanceRow[]> {
    const { id, tenantId: tenant, userId: user, containerUuid } = dataContainerInstances;
    return this.#db.orm
      .select()
      .from(dataContainerInstances)
      .where(and(eq(tenant, tenantId), eq(user, userId), eq(containerUuid, container)))
      .orderBy(desc(id))
      .limit(LISTED);
  }

  /** Summarised first, as at its making. @throws OvenError NOT_FOUND when it went meanwhile */
  async change(
    { id, uuid }: DataInstanceRow,
    { raw, markdown }: Pick<NewDataInstance, "raw" | "markdown">,
    call: { caller: ModelCaller; signal: AbortSignal },
  ): Promise<DataInstanceRow> {
    const { text: summary } = await summarise(this.#ai(), markdown ?? toText(raw), call);
    const [row] = await this.#db.orm
      .update(dataContainerInstances)
      .set({ rawData: toStored(raw), markdown, summary })
      .where(eq(dataContainerInstances.id, id))
      .returning();
    if (row === undefined) throw notFound("data instance", uuid);
    return row;
  }

  async delete({ id }: DataInstanceRow): Promise<void> {
    await this.#db.orm.delete(dataContainerInstances).where(eq(dataContainerInstances.id, id));
  }

  /** @throws OvenError NOT_FOUND, also of another run than the given one */
  async get({ tenantId }: Pick<Principal, "tenantId">, uuid: string, executionId?: number): Promise<DataInstanceRow> {
    const { uuid: key, tenantId: tenant } = dataContainerInstances;
    const [row] = await this.#db.orm
      .select()
      .from(dataContainerInstances)
      .where(and(eq(tenant, tenantId), eq(key, uuid)));
    if (row === undefined || (executionId !== undefined && row.executionId !== executionId))
      throw notFound("data instance", uuid);
    return row;
  }
}

/** Markdown where there is some, else what was given. */
export function contentOf({ markdown, rawData }: Pick<DataInstanceRow, "markdown" | "rawData">): Json {
  return markdown ?? (rawData as Json); // cast: written as JSON
}

export function referenceOf({ uuid, summary }: Pick<DataInstanceRow, "uuid" | "summary">): JsonObject {
  return { uuid, summary: summary ?? "" };
}

export function toDataInstance(row: DataInstanceRow): DataContainerInstance {
  return {
    uuid: row.uuid,
    user_id: toUserUuid(row.userId),
    workflow_instance_uuid: toRunUuid(row.executionId),
    datacontainer_uuid: row.containerUuid,
    step_instance_uuid: row.stepInstanceUuid,
    raw_data: row.rawData as Json, // cast: written as JSON
    generated_summary: row.summary,
    markdown_representation: row.markdown,
    created_at: row.createdAt.toISOString(),
  };
}

/** Null is a value here. */
const toStored = (raw: Json) => (raw === null ? sql`'null'::json` : raw);

const toText = (raw: Json): string => (typeof raw === "string" ? raw : JSON.stringify(raw));
