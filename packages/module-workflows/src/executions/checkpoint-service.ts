import {
  type CompatibilityReport,
  type EvaluateBody,
  type Evaluation,
  type ExecutionSummary,
  type ForkBody,
  isOvenError,
  isTerminal,
  type Json,
  type JsonObject,
  type JsonPatchOp,
  notFound,
  OvenError,
  type Principal,
  type RedriveBody,
  type RedriveReport,
  type ReplayReport,
  type RetryBody,
  type RunCheckpoint,
  type RunCheckpointDetail,
  TEST_RUN,
  type Workflow,
} from "@oven/contract";
import type { Database } from "@oven/db";
import {
  type CompiledMachine,
  type NewExecution,
  type Replayed,
  type RetryPoint,
  type RunBases,
  type RunFacts,
  type RunHistory,
  type RunRecord,
  replay,
  replayMoves,
  retryPoint,
  type TakeOver,
  takeOver,
  waitingOf,
} from "@oven/engine";
import type { CallClosure } from "../definitions/call-closure.ts";
import type { ConfiguredDefinitions } from "../definitions/configured-definitions.ts";
import type { WorkflowService } from "../definitions/workflow-service.ts";
import type { DraftVersions } from "../drafts/draft-versions.ts";
import type { PolicyService } from "../policies/policy-service.ts";
import { requireDetails } from "../retention/removed-details.ts";
import { insertExecution } from "../runtime/insert-execution.ts";
import { namesOf, type RunKind } from "../runtime/run-kinds.ts";
import type { SqlStore } from "../runtime/sql-store.ts";
import { evaluateAt } from "./evaluate-at.ts";
import type { ExecutionReader } from "./execution-reader.ts";

export interface CheckpointServiceDeps {
  db: Database;
  kind: RunKind;
  store: SqlStore;
  bases: RunBases;
  definitions: ConfiguredDefinitions;
  workflows: WorkflowService;
  reader: ExecutionReader;
  calls: CallClosure;
  policies: PolicyService;
  drafts: DraftVersions;
  wake(executionId: number): Promise<void>;
}

/** A definition that a run can go on with: a version, or a draft under its revision below zero. */
interface Continuation {
  number: number;
  /** Of a draft: it need not be kept as a version yet. */
  definition?: JsonObject;
}

/** A recorded run, ready to be gone through again. */
interface Recording {
  record: RunRecord;
  history: RunHistory;
  facts: RunFacts;
  compiled: CompiledMachine;
  moves(): Generator<Replayed, void>;
  at(seq: number): Replayed;
}

/** The past of runs, and what begins there: checkpoints, replay, retry, fork. Kept as long as the run's details are. */
export class CheckpointService {
  readonly #deps: CheckpointServiceDeps;

  constructor(deps: CheckpointServiceDeps) {
    this.#deps = deps;
  }

  /** @throws OvenError NOT_FOUND, CHECKPOINTS_MISSING 409, REPLAY_DIVERGED 409 */
  async list(principal: Principal, id: number): Promise<RunCheckpoint[]> {
    const { moves } = await this.#recording(principal, id);
    return [...moves()].map(toCheckpoint);
  }

  /** @throws OvenError as `list`; CHECKPOINT_UNKNOWN 422 */
  async get(principal: Principal, id: number, seq: number): Promise<RunCheckpointDetail> {
    const { at, record } = await this.#recording(principal, id);
    const there = at(seq);
    const { state, context } = there.snapshot;
    return {
      ...toCheckpoint(there),
      context: { trigger: record.input, ...context.values },
      stateValue: state.value,
      waiting: waitingOf(state),
      patch: patchOf(there),
    };
  }

  /** What an expression of its definition would come to at a checkpoint. Nothing is written. @throws OvenError as `get` */
  async evaluate(principal: Principal, id: number, { checkpoint, ...asked }: EvaluateBody): Promise<Evaluation> {
    const { at, moves, facts, compiled } = await this.#recording(principal, id);
    const there = checkpoint === undefined ? [...moves()].at(-1) : at(checkpoint);
    if (there === undefined) throw notFound("checkpoint", id);
    return { seq: there.move.seq, ...evaluateAt(facts, compiled, there.snapshot, asked) };
  }

  /** Goes through the run again and says whether it comes out the same. */
  async replay(principal: Principal, id: number): Promise<ReplayReport> {
    const { moves } = await this.#recording(principal, id);
    let [count, lastSeq] = [0, 0];
    try {
      for (const { move } of moves()) [count, lastSeq] = [count + 1, move.seq];
    } catch (error) {
      if (!isOvenError(error) || error.code !== "REPLAY_DIVERGED") throw error;
      const { seq = 0, recorded = null, happened = null } = error.details ?? {};
      return { moves: count, lastSeq, same: false, divergence: { seq: Number(seq), recorded, happened } };
    }
    return { moves: count, lastSeq, same: true, divergence: null };
  }

  /**
   * Whether the run could go on with that version, or with the draft, from where a retry would begin. Nothing is written.
   * @throws OvenError NOT_FOUND, FORBIDDEN, INVALID_DEFINITION of a draft, NODE_NOT_RUN 422
   */
  async compatibility(
    principal: Principal,
    id: number,
    { version, nodeId }: { version: number | "current" | "draft"; nodeId?: string | undefined },
  ): Promise<CompatibilityReport> {
    const recording = await this.#recording(principal, id);
    const workflow = await this.#workflowOf(principal, recording.record);
    const next = await this.#continuation(principal, recording.record, workflow, version, undefined);
    const point = retryPoint(recording.history, nodeId);
    const taken = await this.#takeOver(recording, point, next, []);
    const report = taken?.report ?? { compatible: true, problems: [], changed: [] };
    return { version: next.number, checkpoint: point.seq ?? null, ...report };
  }

  /**
   * A new run that goes on from the step that failed (or from a chosen one); what had finished is not done again.
   * With the draft it is a test run of that revision.
   * @throws OvenError STILL_RUNNING 409, NOT_RETRYABLE 409, VERSION_INCOMPATIBLE 409, WORKFLOW_DISABLED 409, CHILD_RUN 409; with the
   *   draft FORBIDDEN, STALE_DRAFT 409, INVALID_DEFINITION 400
   */
  async retry(principal: Principal, id: number, { version, revision, nodeId }: RetryBody): Promise<ExecutionSummary> {
    const recording = await this.#recording(principal, id);
    const { status } = recording.record;
    if (!isTerminal(status)) {
      throw new OvenError("STILL_RUNNING", `Execution ${id} is ${status}; only what has ended can be tried again`, {
        status: 409,
        fix: "Wait for its end, cancel it, or fork it.",
      });
    }
    if (status === "completed" && nodeId === undefined) {
      throw new OvenError("NOT_RETRYABLE", `Execution ${id} has completed; nothing in it failed`, {
        status: 409,
        fix: "Name the step to go on from as nodeId, or fork it.",
      });
    }
    const point = retryPoint(recording.history, nodeId);
    return this.#begin(principal, recording, { point, version, revision, patch: [], link: { retryOf: id } });
  }

  /** A new run that goes on from a checkpoint, with a patched context if wished. @throws OvenError as `retry`; CHECKPOINT_UNKNOWN 422, PATCH_INVALID 400 */
  async fork(
    principal: Principal,
    id: number,
    { checkpoint, patch = [], version }: ForkBody,
  ): Promise<ExecutionSummary> {
    const recording = await this.#recording(principal, id);
    const point = { seq: checkpoint, redo: undefined };
    return this.#begin(principal, recording, { point, version, patch, link: { forkOf: id } });
  }

  /** Tries failed runs again: those named, or those of a workflow that were not tried again yet. */
  async redrive(principal: Principal, { ids, workflow, code, limit, version }: RedriveBody): Promise<RedriveReport> {
    const wanted = ids ?? (await this.#failedRuns(principal, workflow, code, limit));
    const report: RedriveReport = { retried: [], refused: [] };
    for (const id of wanted) {
      try {
        const { id: as } = await this.retry(principal, id, { version });
        report.retried.push({ id, as });
      } catch (error) {
        if (!isOvenError(error)) throw error;
        report.refused.push({ id, code: error.code, message: error.message });
      }
    }
    return report;
  }

  /** The dead letters: failed for good, and nobody has tried again. */
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

  async #begin(
    principal: Principal,
    recording: Recording,
    {
      point,
      version,
      revision,
      patch,
      link,
    }: {
      point: RetryPoint;
      version: number | "current" | "draft" | undefined;
      revision?: number | undefined;
      patch: readonly JsonPatchOp[];
      link: Pick<NewExecution, "retryOf" | "forkOf">;
    },
  ): Promise<ExecutionSummary> {
    const { db, kind, store, calls, reader, drafts, policies, workflows, wake } = this.#deps;
    const { record } = recording;
    const workflow = await this.#workflowOf(principal, record);
    refuseChild(record);
    const next = await this.#continuation(principal, record, workflow, version, revision);
    const { number } = next;
    if (!workflow.enabled && number > 0) {
      throw new OvenError("WORKFLOW_DISABLED", `${workflow.name} is disabled`, {
        status: 409,
        fix: "Enable it first.",
      });
    }
    const taken = await this.#takeOver(recording, point, next, patch);
    if (taken && !taken.report.compatible) throw incompatible(record.id, number, taken.report);
    const definition = next.definition ?? (await workflows.pinned(record.workflowId, number)).definition;
    const wanted = { ...workflow, version: number, definition };
    const pinnedCalls =
      number === record.workflowVersion ? record.pinnedCalls : await calls.pin(principal, kind.kind.kind, wanted);
    // What the run has passed already is not looked at: the graph that goes on must be allowed as a whole.
    await policies.requireRunnable(principal, record.kind, wanted, pinnedCalls ?? {}, record.options);
    if (next.definition !== undefined) await drafts.keep(principal, workflow, -number, next.definition);
    const [id = 0] = await store.executions(1);
    const run: NewExecution = {
      kind: record.kind,
      workflowId: record.workflowId,
      workflowVersion: number,
      tenantId: principal.tenantId,
      input: record.input,
      principal,
      options: number < 0 ? { ...record.options, test: true } : record.options,
      pinnedCalls,
      triggerEvent: number < 0 ? TEST_RUN : null,
      agent: record.agent,
      sessionId: record.agent === null ? (await reader.row(principal, record.id)).sessionId : null,
      ...link,
      originSeq: point.seq === undefined ? null : recording.at(point.seq).move.seq,
      seed: taken?.seed ?? null,
    };
    await insertExecution(db, kind, run, id);
    await wake(id);
    return reader.summary(principal, id);
  }

  async #continuation(
    principal: Principal,
    record: RunRecord,
    workflow: Workflow,
    version: number | "current" | "draft" | undefined,
    revision: number | undefined,
  ): Promise<Continuation> {
    if (version === "draft") {
      const draft = await this.#deps.drafts.toRun(principal, workflow, revision);
      return { number: -draft.revision, definition: draft.definition };
    }
    return { number: version === "current" ? workflow.version : (version ?? record.workflowVersion) };
  }

  /** Undefined: from the beginning, like any other run. */
  async #takeOver(
    recording: Recording,
    { seq, redo }: RetryPoint,
    { number, definition }: Continuation,
    patch: readonly JsonPatchOp[],
  ): Promise<TakeOver | undefined> {
    if (seq === undefined) return undefined;
    const { record, history, compiled, at } = recording;
    const { definitions } = this.#deps;
    const next = (): Promise<{ compiled: CompiledMachine }> =>
      definition === undefined
        ? definitions.load({ ...record, workflowVersion: number })
        : definitions.compile({ ...record, workflowVersion: number }, definition);
    const going = number === record.workflowVersion ? compiled : (await next()).compiled;
    return takeOver(at(seq), history, compiled, going, { patch, redo });
  }

  async #recording(principal: Principal, id: number): Promise<Recording> {
    const { store, definitions, bases, reader } = this.#deps;
    requireDetails(await reader.row(principal, id));
    const record = await store.read(id);
    if (record === undefined) throw notFound("execution", id);
    const history = await store.history(id, record.seq);
    const { compiled } = await definitions.load(record);
    const { facts, context } = await bases.of(record);
    return {
      record,
      history,
      facts,
      compiled,
      moves: () => replayMoves(compiled, facts, context, history),
      at: (seq) => replay(compiled, facts, context, history, seq),
    };
  }

  #workflowOf(principal: Principal, { workflowId }: RunRecord): Promise<Workflow> {
    return this.#deps.workflows.get(principal, String(workflowId));
  }
}

function refuseChild({ id, parent }: RunRecord): void {
  if (parent === null) return;
  throw new OvenError("CHILD_RUN", `Execution ${id} belongs to execution ${parent.executionId}, which waits for it`, {
    status: 409,
    fix: `Retry or fork execution ${parent.executionId}: items that have completed are not run again.`,
    details: { parentId: parent.executionId },
  });
}

function incompatible(id: number, version: number, { problems }: TakeOver["report"]): OvenError {
  const [first] = problems;
  return new OvenError(
    "VERSION_INCOMPATIBLE",
    `Execution ${id} cannot go on with ${version < 0 ? "the draft" : `version ${version}`}: ${first?.stateId || "the graph"}: ${first?.message}`,
    {
      status: 409,
      fix: "Keep the states that the run stands at, where they are; or go on with another version.",
      details: { problems: problems.map((problem) => ({ ...problem })) },
    },
  );
}

function toCheckpoint({ move, plan, snapshot }: Replayed): RunCheckpoint {
  const { cause } = move;
  const [nodeId, visit, item] = "n" in cause ? [cause.n, cause.v, cause.i ?? null] : [null, null, null];
  return {
    seq: move.seq,
    at: new Date(move.at).toISOString(),
    cause: cause.t,
    nodeId,
    visit,
    item,
    activeStates: plan.activeStates,
    steps: snapshot.state.steps,
    end: plan.end?.status ?? null,
  };
}

/** What the move changed, with the outputs it refers to. */
function patchOf({ plan, snapshot }: Replayed): JsonPatchOp[] {
  return (plan.events[0]?.patch ?? []).map((op): JsonPatchOp => {
    if (op.op !== "output") return op;
    const value: Json = snapshot.context.values[op.path.slice(1)] ?? null;
    return { op: "add", path: op.path, value };
  });
}
