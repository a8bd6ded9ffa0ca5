import type { Database } from "@oven/db";
import { eq, sql } from "@oven/db/drizzle";
import { runContinuations } from "./tables/run-continuations.table.ts";

/** A run that is taken up again goes on in an execution of its own; to the document it is the same run. */
export class RunContinuations {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The executions that a run was taken up again as, oldest first. */
  async of(firstId: number): Promise<number[]> {
    const rows = await this.#db.orm
      .select({ id: runContinuations.executionId })
      .from(runContinuations)
      .where(eq(runContinuations.firstId, firstId))
      .orderBy(runContinuations.executionId);
    return rows.map(({ id }) => id);
  }

  /** The execution that a run began with, whichever of its executions is named. */
  async firstOf(executionId: number): Promise<number> {
    const { executionId: id, firstId } = runContinuations;
    const [row] = await this.#db.orm.select({ firstId }).from(runContinuations).where(eq(id, executionId));
    return row?.firstId ?? executionId;
  }

  async add(tenantId: number, firstId: number, executionId: number): Promise<void> {
    await this.#db.orm.insert(runContinuations).values({ tenantId, firstId, executionId }).onConflictDoNothing();
  }

  /** With all that the runs of a workflow kept beside themselves. */
  async forgetRuns(agentWorkflowId: number): Promise<void> {
    const runs = sql`select id from agent_workflow_executions where agent_workflow_id = ${agentWorkflowId}`;
    await this.#db.orm.delete(runContinuations).where(sql`${runContinuations.executionId} in (${runs})`);
    await this.#db.query(
      "delete from run_blobs where execution_id in (select id from agent_workflow_executions where agent_workflow_id = $1)",
      [agentWorkflowId],
    );
  }
}
