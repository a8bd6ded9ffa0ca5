import { isGranted, type JsonObject, type JsonPatchOp, OvenError, type Principal, requestersOf } from "@oven/contract";
import {
  type CompatibilityReport,
  type ExecutionSummary,
  type ForkBody,
  isTerminal,
  type RetryBody,
} from "@oven/contract/run";
import { TEST_RUN, type Workflow } from "@oven/contract/workflow";
import type { Database, Queryable } from "@oven/db";
import {
  type CompiledMachine,
  type NewExecution,
  type RetryPoint,
  type RunHistory,
  type RunRecord,
  retryPoint,
  type TakeOver,
  takeOver,
} from "@oven/engine";
import type { CallClosure } from "../definitions/call-closure.ts";
import type { ConfiguredDefinitions } from "../definitions/configured-definitions.ts";
import type { WorkflowService } from "../definitions/workflow-service.ts";
import type { DraftVersions } from "../drafts/draft-versions.ts";
import type { PolicyService } from "../policies/policy-service.ts";
import { OVERRIDE, type ReviewOverride } from "../policies/review-override.ts";
import { insertExecution } from "../runtime/insert-execution.ts";
import { namesOf, nodesThatAsked, type RunKind, type RunKinds } from "../runtime/run-kinds.ts";
import type { SqlStore } from "../runtime/sql-store.ts";
import type { ExecutionReader } from "./execution-reader.ts";
import type { Recording, RunRecordings } from "./run-recordings.ts";

export interface RunContinuerDeps {
  db: Database;
  kind: RunKind;
  store: SqlStore;
  definitions: ConfiguredDefinitions;
  workflows: WorkflowService;
  reader: ExecutionReader;
  calls: CallClosure;
  policies: PolicyService;
  override: ReviewOverride;
  kinds: RunKinds;
  drafts: DraftVersions;
  recordings: RunRecordings;
  wake(executionId: number): Promise<void>;
}

/** A definition that a run can go on with: a version, or a draft under its revision below zero. */
interface Continuation {
  number: number;
  /** For a draft, which may not be stored as a version yet. */
  definition?: JsonObject;
}

/** Begins runs that go on from the past of others. */
export class RunContinuer {
  readonly #deps: RunContinuerDeps;

  constructor(deps: RunContinuerDeps) {
    this.#deps = deps;
  }

  /**
   * Whether the run could go on with that version, or with the draft, from where a retry would begin. Nothing is written.
   * @throws OvenError NOT_FOUND, FORBIDDEN, INVALID_DEFINITION of a draft, NODE_NOT_RUN 422
   */
  compatibility(
    principal: Principal,
    id: number,
    { version, nodeId }: { version: number | "current" | "draft"; nodeId?: string | undefined },
  ): Promise<CompatibilityReport> {
    return this.#deps.recordings.through(principal, id, async (recording) => {
      const workflow = await this.#workflowOf(principal, recording.record);
      const next = await this.#continuation(principal, recording.record, workflow, version, undefined);
      const point = retryPoint(recording.history, nodeId);
      const taken = await this.#takeOver(recording, point, next, []);
      const report = taken?.report ?? { compatible: true, problems: [], changed: [] };
      return { version: next.number, checkpoint: point.seq ?? null, ...report };
    });
  }

  /**
   * Starts a run that continues from the failed step, or from a chosen one; finished steps are not repeated.
   * With the draft it is a test run of that revision.
   * @throws OvenError STILL_RUNNING 409, NOT_RETRYABLE 409, VERSION_INCOMPATIBLE 409, WORKFLOW_DISABLED 409, CHILD_RUN 409,
   *   POLICY_VIOLATED 409, REVIEW_PASSED_OVER 403, RUN_UNDONE 409; with the draft FORBIDDEN, STALE_DRAFT 409, INVALID_DEFINITION 400
   */
  retry(principal: Principal, id: number, body: RetryBody): Promise<ExecutionSummary> {
    return this.#deps.recordings.through(principal, id, (recording) => this.#retry(principal, recording, body));
  }

  async #retry(
    principal: Principal,
    recording: Recording,
    { version, revision, nodeId }: RetryBody,
  ): Promise<ExecutionSummary> {
    const { id } = recording.record;
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
    const failure = retryPoint(recording.history);
    const point = nodeId === undefined ? failure : retryPoint(recording.history, nodeId);
    // Named though it had done its work, a step does it once more.
    const isRedone = nodeId !== undefined && failure.redo !== undefined;
    const isLast = failure.redo !== undefined || !hasGoneOn(recording.history);
    const isFailure = status === "failed" && point.seq === failure.seq && !isRedone && isLast;
    return this.#begin(principal, recording, { point, isFailure, version, revision, patch: [], link: { retryOf: id } });
  }

  /** Starts a run that continues from a checkpoint, optionally with a patched context. @throws OvenError as `retry`; CHECKPOINT_UNKNOWN 422, PATCH_INVALID 400 */
  fork(principal: Principal, id: number, { checkpoint, patch = [], version }: ForkBody): Promise<ExecutionSummary> {
    const point = { seq: checkpoint, redo: undefined };
    return this.#deps.recordings.through(principal, id, (recording) =>
      this.#begin(principal, recording, { point, isFailure: false, version, patch, link: { forkOf: id } }),
    );
  }

  async #begin(
    principal: Principal,
    recording: Recording,
    beginning: {
      point: RetryPoint;
      /** Continues where the run failed. */
      isFailure: boolean;
      version: number | "current" | "draft" | undefined;
      revision?: number | undefined;
      patch: readonly JsonPatchOp[];
      link: Pick<NewExecution, "retryOf" | "forkOf">;
    },
  ): Promise<ExecutionSummary> {
    const { db, kind, kinds, store, calls, reader, drafts, policies, workflows, wake } = this.#deps;
    const { point, isFailure, version, revision, patch, link } = beginning;
    const { record } = recording;
    const workflow = await this.#workflowOf(principal, record);
    refuseChild(record);
    refuseUndone(recording);
    const next = await this.#continuation(principal, record, workflow, version, revision);
    const { number } = next;
    if (!workflow.enabled && number > 0) {
      throw new OvenError("WORKFLOW_DISABLED", `${workflow.name} is disabled`, {
        status: 409,
        fix: "Enable it first.",
      });
    }
    const there = point.seq === undefined ? undefined : await recording.at(point.seq);
    // A review is a release of what was shown: what failed behind it may be tried again with it once, unchanged.
    const isSame = patch.length === 0 && number === record.workflowVersion;
    const isReleased = isFailure && isSame && !(await this.#isTriedAgain(db, record));
    const standing = isReleased ? [] : (there?.plan.activeStates ?? []);
    const answered = isReleased ? undefined : this.#answeredReview(principal, recording, point);
    // What a person answered to another version is asked again, or passed over.
    const isAskedAgain = answered !== undefined && !isGranted(principal.permissions, OVERRIDE);
    const from = isAskedAgain ? { ...point, redo: undefined } : point;
    const taken = await this.#takeOver(recording, from, next, patch);
    if (taken && !taken.report.compatible) throw incompatible(record.id, number, taken.report);
    const definition = next.definition ?? (await workflows.pinned(record.workflowId, number)).definition;
    const wanted = { ...workflow, version: number, definition };
    const pinnedCalls =
      number === record.workflowVersion ? record.pinnedCalls : await calls.pin(principal, kind.kind.kind, wanted);
    const given = answered === undefined || isAskedAgain ? {} : { [answered]: null };
    const options =
      Object.keys(given).length === 0
        ? record.options
        : { ...record.options, pins: { ...record.options?.pins, ...given } };
    await policies.requireRunnable(principal, record.kind, wanted, pinnedCalls ?? {}, options, standing);
    if (!isReleased) {
      await this.#deps.override.require(principal, {
        workflow: wanted,
        current: workflow,
        options,
        pins: pinnedCalls ?? {},
        goesOn: {
          standing,
          visits: there?.snapshot.state.visits ?? {},
          asked: await nodesThatAsked(db, kinds.all(), record.id),
          unchanged: isSame,
        },
        target: { type: kind.kind.executionResource, id: record.id },
      });
    }
    if (next.definition !== undefined) await drafts.keep(principal, workflow, -number, next.definition);
    const [id = 0] = await store.executions(1);
    // Both the original requester and the person who continues the run: neither is another pair of eyes.
    const requesters = [...new Set([...requestersOf(record.principal), ...requestersOf(principal)])];
    const run: NewExecution = {
      kind: record.kind,
      workflowId: record.workflowId,
      workflowVersion: number,
      tenantId: principal.tenantId,
      input: record.input,
      principal: { ...principal, requesters },
      options: number < 0 ? { ...record.options, test: true } : record.options,
      pinnedCalls,
      triggerEvent: number < 0 ? TEST_RUN : null,
      agent: record.agent,
      sessionId: record.agent === null ? (await reader.row(principal, record.id)).sessionId : null,
      ...link,
      originSeq: there?.move.seq ?? null,
      seed: taken?.seed ?? null,
    };
    const isBegun = await db.transaction(async (tx) => {
      if (isReleased && (await this.#isTriedAgain(tx, record))) return false;
      await insertExecution(tx, kind, run, id);
      return true;
    });
    // Another retry was faster, and has the release.
    if (!isBegun) return this.#begin(principal, recording, { ...beginning, isFailure: false });
    await wake(id);
    return reader.summary(principal, id);
  }

  /** The state whose review was answered, if going on from there would take the answer over. */
  #answeredReview(principal: Principal, { compiled }: Recording, { redo }: RetryPoint): string | undefined {
    if (redo?.cause.t !== "done") return undefined;
    const { n: state } = redo.cause;
    const src = compiled.states.get(state)?.invoke?.src;
    return src !== undefined && this.#deps.policies.isReview(src, principal.tenantId) ? state : undefined;
  }

  /** Whether another run was begun to try this one again; in a transaction, no other begins until it ends. */
  async #isTriedAgain(db: Queryable, { id }: RunRecord): Promise<boolean> {
    const { executions } = namesOf(this.#deps.kind);
    await db.query(`select id from ${executions} where id = $1 for update`, [id]);
    const rows = await db.query(`select 1 from ${executions} where retry_of = $1 limit 1`, [id]);
    return rows.length > 0;
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
    return takeOver(await at(seq), history, compiled, going, { patch, redo });
  }

  #workflowOf(principal: Principal, { workflowId }: RunRecord): Promise<Workflow> {
    return this.#deps.workflows.get(principal, String(workflowId));
  }
}

/** Whether steps were done after the last failure of a node: it was passed by, and what released them is used up. */
function hasGoneOn({ entries }: RunHistory): boolean {
  const failure = entries.findLastIndex(({ event, fields }) => event === "node.failed" && fields.item === undefined);
  return failure >= 0 && entries.slice(failure).some(({ event }) => event === "node.completed");
}

function refuseChild({ id, parent }: RunRecord): void {
  if (parent === null) return;
  throw new OvenError("CHILD_RUN", `Execution ${id} belongs to execution ${parent.executionId}, which waits for it`, {
    status: 409,
    fix: `Retry or fork execution ${parent.executionId}: items that have completed are not run again.`,
    details: { parentId: parent.executionId },
  });
}

/** What a new run would go on from is not so any more. */
function refuseUndone({ record: { id }, history }: Recording): void {
  if (!history.entries.some(({ event }) => event === "execution.undoing")) return;
  throw new OvenError("RUN_UNDONE", `Steps of execution ${id} were undone, so nothing can go on from them`, {
    status: 409,
    fix: "Start it again with the same input.",
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
