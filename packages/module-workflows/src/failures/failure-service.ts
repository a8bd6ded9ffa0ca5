import type { Principal } from "@oven/contract";
import type { ErrorInfo, FailureGroup, RunFailures, RunFailuresQuery } from "@oven/contract/run";
import type { Database } from "@oven/db";
import { and, desc, eq, gt, isNull, sql } from "@oven/db/drizzle";
import { visibleTo } from "@oven/module-registry";
import type { WorkflowService } from "../definitions/workflow-service.ts";
import { namesOf, type RunKind } from "../runtime/run-kinds.ts";
import { normalizeMessage } from "./normalize-message.ts";

const MOST_RUNS = 10_000;
const MOST_OPEN = 1_000;

export interface FailureServiceDeps {
  db: Database;
  kind: RunKind;
  workflows: Pick<WorkflowService, "get">;
}

interface FailedRun {
  id: number;
  workflowId: number;
  workflowVersion: number;
  workflowName: string;
  currentVersion: number;
  error: string | null;
  errorInfo: ErrorInfo | null;
  createdAt: Date;
  retried: boolean;
}

/** Failed runs by what failed. */
export class FailureService {
  readonly #deps: FailureServiceDeps;

  constructor(deps: FailureServiceDeps) {
    this.#deps = deps;
  }

  /** Of the newest failed runs of the last days, without children and tests of drafts. @throws OvenError NOT_FOUND */
  async groups(principal: Principal, { workflow, days }: RunFailuresQuery): Promise<RunFailures> {
    const only = workflow === undefined ? undefined : (await this.#deps.workflows.get(principal, String(workflow))).id;
    const found = await this.#failed(principal, days, only);
    const groups = Map.groupBy(found.slice(0, MOST_RUNS), (run) => {
      const { code, nodeId, message } = reasonOf(run);
      return JSON.stringify([run.workflowId, code, nodeId, normalizeMessage(message)]);
    });
    return { groups: [...groups.values()].flatMap((runs) => this.#toGroup(runs)), partial: found.length > MOST_RUNS };
  }

  /** The newest first. */
  #failed(principal: Principal, days: number, workflowId: number | undefined): Promise<FailedRun[]> {
    const { db, kind } = this.#deps;
    const { executions: table, workflows } = kind.tables;
    const retried = sql<boolean>`exists (select 1 from ${sql.raw(namesOf(kind).executions)} r where r.retry_of = ${table.id})`;
    return db.orm
      .select({
        id: table.id,
        workflowId: table.workflowId,
        workflowVersion: table.workflowVersion,
        workflowName: workflows.name,
        currentVersion: workflows.version,
        error: table.error,
        errorInfo: table.errorInfo,
        createdAt: table.createdAt,
        retried: retried.as("retried"),
      })
      .from(table)
      .innerJoin(workflows, eq(workflows.id, table.workflowId))
      .where(
        and(
          visibleTo(principal, table.tenantId),
          eq(table.status, "failed"),
          isNull(table.parentId),
          gt(table.workflowVersion, 0),
          sql`${table.createdAt} >= now() - make_interval(days => ${days}::int)`,
          workflowId === undefined ? undefined : eq(table.workflowId, workflowId),
        ),
      )
      .orderBy(desc(table.id))
      .limit(MOST_RUNS + 1);
  }

  #toGroup(runs: readonly FailedRun[]): FailureGroup[] {
    const [newest, oldest] = [runs[0], runs.at(-1)];
    if (newest === undefined || oldest === undefined) return [];
    const { code, nodeId, message } = reasonOf(newest);
    const { workflowId: id, workflowName: name, currentVersion: version } = newest;
    return [
      {
        workflow: { kind: this.#deps.kind.kind.kind, id, name, version },
        ...{ code, nodeId, message: normalizeMessage(message), runs: runs.length },
        open: runs.flatMap((run) => (run.retried ? [] : [run.id])).slice(0, MOST_OPEN),
        newest: { id: newest.id, message },
        firstAt: oldest.createdAt.toISOString(),
        lastAt: newest.createdAt.toISOString(),
        versions: [...new Set(runs.map(({ workflowVersion }) => workflowVersion))].toSorted(
          (one, other) => one - other,
        ),
      },
    ];
  }
}

function reasonOf({ errorInfo, error }: FailedRun): Pick<ErrorInfo, "code" | "nodeId" | "message"> {
  return errorInfo ?? { code: "FAILED", nodeId: null, message: error ?? "" };
}
