import { isOvenError, type Principal } from "@oven/contract";
import type { RedriveBody, RedriveReport } from "@oven/contract/run";
import type { Database } from "@oven/db";
import type { WorkflowService } from "../definitions/workflow-service.ts";
import { namesOf, type RunKind } from "../runtime/run-kinds.ts";
import type { RunContinuer } from "./run-continuer.ts";

export interface RedriveServiceDeps {
  db: Database;
  kind: RunKind;
  workflows: WorkflowService;
  continuer: Pick<RunContinuer, "retry">;
}

/** Tries many failed runs again. */
export class RedriveService {
  readonly #deps: RedriveServiceDeps;

  constructor(deps: RedriveServiceDeps) {
    this.#deps = deps;
  }

  /** Tries failed runs again: those named, or those of a workflow that were not tried again yet. */
  async redrive(principal: Principal, { ids, workflow, code, limit, version }: RedriveBody): Promise<RedriveReport> {
    const wanted = ids ?? (await this.#failedRuns(principal, workflow, code, limit));
    const report: RedriveReport = { retried: [], refused: [] };
    for (const id of wanted) {
      try {
        const { id: as } = await this.#deps.continuer.retry(principal, id, { version });
        report.retried.push({ id, as });
      } catch (error) {
        if (!isOvenError(error)) throw error;
        report.refused.push({ id, code: error.code, message: error.message });
      }
    }
    return report;
  }

  /** Dead letters: runs that failed for good and were not retried. */
  async #failedRuns(
    principal: Principal,
    workflow: RedriveBody["workflow"],
    code: string | undefined,
    limit: number,
  ): Promise<number[]> {
    const { db, kind, workflows } = this.#deps;
    const { executions, workflowId } = namesOf(kind);
    const only = workflow === undefined ? null : (await workflows.get(principal, String(workflow))).id;
    const rows = await db.query<{ id: number }>(
      `select e.id from ${executions} e where e.tenant_id = $1 and e.status = 'failed' and e.parent_id is null
         and ($2::bigint is null or e.${workflowId} = $2) and ($3::text is null or e.error_info->>'code' = $3)
         and not exists (select 1 from ${executions} r where r.retry_of = e.id)
       order by e.id limit $4`,
      [principal.tenantId, only, code ?? null, limit],
    );
    return rows.map(({ id }) => id);
  }
}
