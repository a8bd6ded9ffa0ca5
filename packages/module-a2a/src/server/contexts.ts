import { isOvenError, type Principal } from "@oven/contract";
import type { Database } from "@oven/db";
import { and, eq } from "@oven/db/drizzle";
import type { ServiceMap } from "@oven/module-registry";
import { a2aContexts } from "../schema.ts";
import { callerOf, type TaskRow } from "./task-rows.ts";

type ContextRow = typeof a2aContexts.$inferSelect;

/** Contexts of A2A clients as conversations with agents. A context belongs to one caller: another one's of the same id is another. */
export class Contexts {
  readonly #db: Database;
  readonly #agents: () => ServiceMap["agents"];

  constructor(db: Database, agents: () => ServiceMap["agents"]) {
    this.#db = db;
    this.#agents = agents;
  }

  /**
   * Starts a run in the conversation of a task's context. One that was deleted is begun anew, and one that is begun for a run which is
   * refused does not stay.
   * @param said the title of a conversation that begins with it
   * @throws OvenError as `start`
   */
  async run(
    principal: Principal,
    task: TaskRow,
    agentId: number,
    said: string,
    start: (sessionId: number) => Promise<number>,
  ): Promise<number> {
    const earlier = await this.#find(principal, task, agentId);
    if (earlier !== undefined)
      try {
        return await start(earlier.sessionId);
      } catch (error) {
        if (!isOvenError(error) || error.code !== "NOT_FOUND" || (await this.#stands(principal, earlier))) throw error;
        await this.#forget(earlier);
      }
    const { row, isNew } = await this.#begin(principal, task, agentId, said);
    try {
      return await start(row.sessionId);
    } catch (error) {
      if (isNew && isOvenError(error) && error.status < 500) {
        await this.#forget(row);
        await this.#agents().deleteSession(principal, row.sessionId);
      }
      throw error;
    }
  }

  /** A context goes with its conversation. */
  async forgetEnded(): Promise<void> {
    await this.#db.system.query(
      `delete from a2a_contexts c where c.created_at < now() - interval '1 day'
       and not exists (select from agent_sessions s where s.id = c.session_id)`,
    );
  }

  async #find(principal: Principal, { contextId }: TaskRow, agentId: number): Promise<ContextRow | undefined> {
    const [row] = await this.#db.orm
      .select()
      .from(a2aContexts)
      .where(
        and(
          eq(a2aContexts.tenantId, principal.tenantId),
          eq(a2aContexts.caller, callerOf(principal)),
          eq(a2aContexts.agentId, agentId),
          eq(a2aContexts.contextId, contextId),
        ),
      );
    return row;
  }

  /** Two first messages at once begin one conversation. */
  async #begin(
    principal: Principal,
    task: TaskRow,
    agentId: number,
    said: string,
  ): Promise<{ row: ContextRow; isNew: boolean }> {
    const agents = this.#agents();
    const sessionId = await agents.beginSession(principal, agentId, said);
    const { tenantId } = principal;
    const [row] = await this.#db.orm
      .insert(a2aContexts)
      .values({ tenantId, agentId, sessionId, caller: callerOf(principal), contextId: task.contextId })
      .onConflictDoNothing()
      .returning();
    if (row !== undefined) return { row, isNew: true };
    await agents.deleteSession(principal, sessionId);
    const first = await this.#find(principal, task, agentId);
    if (first === undefined) throw new Error("a context was neither written nor found");
    return { row: first, isNew: false };
  }

  async #stands(principal: Principal, { sessionId }: ContextRow): Promise<boolean> {
    try {
      await this.#agents().turnsOf(principal, sessionId);
      return true;
    } catch (error) {
      if (isOvenError(error) && error.code === "NOT_FOUND") return false;
      throw error;
    }
  }

  async #forget({ id }: ContextRow): Promise<void> {
    await this.#db.orm.delete(a2aContexts).where(eq(a2aContexts.id, id));
  }
}
