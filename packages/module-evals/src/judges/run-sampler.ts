import { type EventEnvelope, isOvenError, SYSTEM_PRINCIPAL } from "@oven/contract";
import type { ExecutionKind } from "@oven/contract/run";
import type { Database } from "@oven/db";
import { and, eq } from "@oven/db/drizzle";
import type { ServiceMap, UnwrittenEvent } from "@oven/module-registry";
import type {} from "@oven/module-workflows";
import { scoreJudges } from "../schema.ts";
import { isSampled } from "./is-sampled.ts";
import type { JudgedWorkflows, RunOfWorkflow } from "./judged-workflows.ts";

/** What starts the runs of evaluations: their cases have expectations of their own. */
const FROM_EVAL = "eval";

export interface SamplerDeps {
  db: Database;
  services: ServiceMap;
  known: JudgedWorkflows;
  /** Something is to be judged. */
  onSampled(): void;
}

/** Notes which completed runs are to be judged. The models are asked elsewhere: events wait for each other. */
export class RunSampler {
  readonly #deps: SamplerDeps;

  constructor(deps: SamplerDeps) {
    this.#deps = deps;
  }

  concerns(kind: ExecutionKind, { tenantId, payload, run }: UnwrittenEvent): boolean {
    if (run !== undefined && (run.parentId !== null || run.triggerEvent === FROM_EVAL)) return false;
    return this.#deps.known.mayHaveJudges(toRun(kind, tenantId, payload));
  }

  /** However often it is delivered, each judge of the workflow has the run once. */
  async take(kind: ExecutionKind, { tenantId, payload }: EventEnvelope): Promise<void> {
    const { db, known, onSampled } = this.#deps;
    const run = toRun(kind, tenantId, payload);
    const executionId = Number(payload.id);
    const judges = await known.read(run, () =>
      db.orm
        .select()
        .from(scoreJudges)
        .where(
          and(
            eq(scoreJudges.tenantId, tenantId),
            eq(scoreJudges.targetKind, kind),
            eq(scoreJudges.targetId, run.workflowId),
            eq(scoreJudges.enabled, true),
          ),
        ),
    );
    const sampling = judges.filter(({ id, percent }) => isSampled(id, executionId, percent));
    if (sampling.length === 0 || !(await this.#isReal(kind, tenantId, executionId))) return;
    for (const { id, maxPerDay } of sampling)
      await db.query(
        `insert into score_judgements (judge_id, execution_id, tenant_id)
         select $1, $2, $3 where (select count(*) from score_judgements
           where judge_id = $1 and created_at > now() - interval '1 day') < $4
         on conflict do nothing`,
        [id, executionId, tenantId, maxPerDay],
        "judge-sample",
      );
    onSampled();
  }

  /** No part of another run, no test, no trial, no case of an evaluation. */
  async #isReal(kind: ExecutionKind, tenantId: number, id: number): Promise<boolean> {
    const { reader } = this.#deps.services.workflowPlatform.face(kind).runs;
    try {
      const run = await reader.summary({ ...SYSTEM_PRINCIPAL, tenantId }, id);
      const isPlain = run.options === null || run.options.dryRun !== true;
      return run.parentId === null && run.workflowVersion > 0 && isPlain && run.triggerEvent !== FROM_EVAL;
    } catch (error) {
      if (isOvenError(error) && error.code === "NOT_FOUND") return false;
      throw error;
    }
  }
}

function toRun(kind: ExecutionKind, tenantId: number, payload: EventEnvelope["payload"]): RunOfWorkflow {
  return { kind, tenantId, workflowId: Number(payload[kind === "workflow" ? "workflowId" : "agentWorkflowId"]) };
}
