import { randomUUID } from "node:crypto";
import { type JsonObject, OvenError, type Principal, toActor } from "@oven/contract";
import type { Database } from "@oven/db";
import { and, desc, eq, isNotNull, lt, type SQL, sql } from "@oven/db/drizzle";
import { hashJson } from "@oven/engine";
import { a2aTasks } from "../schema.ts";
import type { Asked } from "./review-answer.ts";

export type TaskRow = typeof a2aTasks.$inferSelect;

/** Whose task it is: an exported workflow's or an exported agent's. */
export type TaskOwner = { workflowId: number; agentId: null } | { workflowId: null; agentId: number };

export interface NewTask {
  owner: TaskOwner;
  messageId: string;
  contextId: string;
  input: JsonObject;
}

/** The handles of the tasks of one agent. */
export class TaskRows {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** A new task, or the one that the same message has begun. @throws OvenError IDEMPOTENCY_KEY_REUSED */
  async begin(principal: Principal, task: NewTask): Promise<TaskRow> {
    const { owner, messageId, contextId, input } = task;
    const caller = callerOf(principal);
    const inputHash = hashJson(input);
    const { tenantId } = principal;
    await this.#db.orm
      .insert(a2aTasks)
      .values({
        ...{ tenantId, messageId, caller, inputHash },
        ...owner,
        taskId: randomUUID(),
        contextId: contextId === "" ? randomUUID() : contextId,
      })
      .onConflictDoNothing();
    const [row] = await this.#db.orm
      .select()
      .from(a2aTasks)
      .where(
        and(
          eq(a2aTasks.tenantId, tenantId),
          eq(a2aTasks.caller, caller),
          ownedBy(owner),
          eq(a2aTasks.messageId, messageId),
        ),
      );
    if (row === undefined) throw new Error("a task that was written is not there");
    if (row.inputHash === inputHash) return row;
    throw new OvenError("IDEMPOTENCY_KEY_REUSED", "This messageId was used with other content", {
      status: 409,
      fix: "Give each message an id of its own.",
    });
  }

  async started({ id }: TaskRow, executionId: number): Promise<void> {
    await this.#db.orm.update(a2aTasks).set({ executionId }).where(eq(a2aTasks.id, id));
  }

  /** A start that was refused leaves no task. */
  async drop({ id }: TaskRow): Promise<void> {
    await this.#db.orm.delete(a2aTasks).where(eq(a2aTasks.id, id));
  }

  async asked({ id }: TaskRow, asked: Asked): Promise<void> {
    await this.#db.orm.update(a2aTasks).set({ asked }).where(eq(a2aTasks.id, id));
  }

  async answered({ id }: TaskRow, answer: TaskRow["answered"][number]): Promise<TaskRow["answered"]> {
    const [row] = await this.#db.orm
      .update(a2aTasks)
      .set({ answered: sql`${a2aTasks.answered} || ${JSON.stringify([answer])}::jsonb` })
      .where(eq(a2aTasks.id, id))
      .returning();
    return row?.answered ?? [];
  }

  async find({ tenantId }: Principal, owner: TaskOwner, taskId: string): Promise<TaskRow | undefined> {
    const [row] = await this.#db.orm
      .select()
      .from(a2aTasks)
      .where(and(eq(a2aTasks.tenantId, tenantId), ownedBy(owner), eq(a2aTasks.taskId, taskId)));
    return row;
  }

  /** A handle goes with its run. What is younger may be of a run that is being written. */
  async forgetEnded(): Promise<void> {
    await this.#db.system.query(
      `delete from a2a_tasks t where t.created_at < now() - interval '1 day'
       and not exists (select from agent_workflow_executions e where e.id = t.execution_id)`,
    );
    await this.#db.system.query(
      "delete from a2a_pushes p where not exists (select from a2a_tasks t where t.id = p.task_row_id)",
    );
  }

  /** The newest that this caller has started. @param before the row that the page before ended with */
  async list(
    principal: Principal,
    { owner, contextId, before, limit }: { owner: TaskOwner; contextId: string; before?: number; limit: number },
  ): Promise<TaskRow[]> {
    return this.#db.orm
      .select()
      .from(a2aTasks)
      .where(
        and(
          eq(a2aTasks.tenantId, principal.tenantId),
          ownedBy(owner),
          eq(a2aTasks.caller, callerOf(principal)),
          isNotNull(a2aTasks.executionId),
          contextId === "" ? undefined : eq(a2aTasks.contextId, contextId),
          before === undefined ? undefined : lt(a2aTasks.id, before),
        ),
      )
      .orderBy(desc(a2aTasks.id))
      .limit(limit);
  }
}

export function isStartedBy({ caller }: TaskRow, principal: Principal): boolean {
  return caller === callerOf(principal);
}

export function ownerOf({ workflowId, agentId }: Pick<TaskRow, "workflowId" | "agentId">): TaskOwner {
  if (workflowId !== null) return { workflowId, agentId: null };
  if (agentId === null) throw new Error("a task belongs to a workflow or to an agent");
  return { workflowId, agentId };
}

function ownedBy({ workflowId, agentId }: TaskOwner): SQL {
  return workflowId === null ? eq(a2aTasks.agentId, agentId) : eq(a2aTasks.workflowId, workflowId);
}

export function callerOf(principal: Principal): string {
  const { kind, id } = toActor(principal);
  return `${kind}:${id}`;
}
