import type { Principal } from "@oven/contract";
import type { Workflow } from "@oven/contract/workflow";
import type { Database, Queryable } from "@oven/db";
import { claimAudit, type RowVersion } from "@oven/module-registry";
import type { WorkflowService } from "../definitions/workflow-service.ts";
import type { AdmittingStore } from "../limits/admitting-store.ts";
import { isUnlimited, type RunLimits } from "../limits/run-limits.ts";
import type { StartRateLimiter } from "../limits/start-limits.ts";
import { insertExecution, toLeasedRun } from "../runtime/insert-execution.ts";
import type { RunKind, RunKinds } from "../runtime/run-kinds.ts";
import type { Reservation } from "../runtime/worker-host.ts";
import {
  type CheckedStart,
  type ExecuteRequest,
  finderOf,
  requireAcceptable,
  type StartChecks,
} from "./check-start.ts";
import { findEarlierRun, rememberKey } from "./idempotency-keys.ts";

/** `replayed`: an earlier request with the same key started it. */
export interface StartedRun {
  id: number;
  replayed: boolean;
}

export interface RunStarterDeps {
  db: Database;
  kind: RunKind;
  store: AdmittingStore;
  workflows: WorkflowService;
  checks: StartChecks;
  kinds: RunKinds;
  /** Wakes a run; may be called twice, may be lost: the sweeper finds it. */
  wake(executionId: number, priority?: number): Promise<void>;
  /** Takes a free place of this process's worker; undefined when it has none. */
  reserve(priority?: number): Reservation | undefined;
  limits: RunLimits;
  startLimiter: StartRateLimiter;
}

/** Starts runs of one kind: checks the request, then begins the run in this process or queues it for a worker. */
export class RunStarter {
  readonly #deps: RunStarterDeps;

  constructor(deps: RunStarterDeps) {
    this.#deps = deps;
  }

  /**
   * Accepts a run; once this has answered, the run is not lost.
   * @throws OvenError NOT_FOUND, WORKFLOW_DISABLED, NODE_UNAVAILABLE, STATE_UNKNOWN, INVALID_INPUT, IDEMPOTENCY_KEY_REUSED, TOO_MANY_RUNS, POLICY_VIOLATED, REVIEW_PASSED_OVER
   */
  async start(principal: Principal, request: ExecuteRequest): Promise<StartedRun> {
    const { workflows, store, checks } = this.#deps;
    const reading = workflows.getToKeep(finderOf(principal, request), request.workflow);
    const [workflow, [id = 0]] = await Promise.all([reading, store.executions(1)]);
    const start = await checks.check(principal, request, workflow, id);
    return (await this.#begin(start, [])) ?? (await this.#queue(start));
  }

  /**
   * As `start`, with a workflow that was read before. The run is begun only while the row versions are unchanged.
   * @returns undefined when one has changed or the run cannot begin in this process; nothing was written
   */
  async startWith(
    principal: Principal,
    request: ExecuteRequest,
    workflow: Workflow,
    rowVersions: readonly RowVersion[],
  ): Promise<StartedRun | undefined> {
    const [id = 0] = await this.#deps.store.executions(1);
    return this.#begin(await this.#deps.checks.check(principal, request, workflow, id), rowVersions);
  }

  /** Begins the run in this process; its insert is sent with its first commit. @returns undefined when it was not written */
  async #begin(start: CheckedStart, rowVersions: readonly RowVersion[]): Promise<StartedRun | undefined> {
    const { db, kind, kinds, store, limits, startLimiter, reserve } = this.#deps;
    const { id, run, scope, workflow } = start;
    // With a concurrency limit, claims admit runs. Within the caller's transaction nothing can begin before the commit.
    if (db.isJoint || start.isTransaction || !isUnlimited(await limits.concurrency(scope))) return undefined;
    const reservation = reserve(run.priority);
    if (reservation === undefined) return undefined;
    const audit = claimAudit();
    let isBegun = false;
    let isWritten = false;
    try {
      requireAcceptable(workflow, run.input);
      await startLimiter.check(db, kind, scope, start.limits);
      const lease = { ...reservation.lease, id, workflow, rowVersions, alsoInsert: audit?.row };
      kinds.remember(id, scope.kind);
      const writing = store.deferInsert(toLeasedRun(kind, run, lease));
      isBegun = true;
      reservation.begin(id);
      isWritten = await writing;
      return isWritten ? { id, replayed: false } : undefined;
    } finally {
      if (!isBegun) reservation.cancel();
      audit?.settle(isWritten ? "written" : "left");
    }
  }

  /** Inserts the run as pending and wakes a worker. */
  async #queue(start: CheckedStart): Promise<StartedRun> {
    const { db, kinds, wake } = this.#deps;
    const accept = (tx: Queryable) => this.#insert(tx, start);
    const started = start.isTransaction ? await db.transaction(accept) : await accept(db);
    kinds.remember(started.id, start.scope.kind);
    if (!started.replayed && !db.isJoint) await wake(started.id, start.run.priority);
    return started;
  }

  async #insert(tx: Queryable, { id, run, scope, workflow, limits, keyed }: CheckedStart): Promise<StartedRun> {
    const { kind, startLimiter } = this.#deps;
    const earlier = keyed && (await findEarlierRun(tx, kind, keyed));
    if (earlier !== undefined) return { id: earlier, replayed: true };
    requireAcceptable(workflow, run.input);
    await startLimiter.check(tx, kind, scope, limits);
    await insertExecution(tx, kind, run, id);
    if (keyed !== undefined) await rememberKey(tx, kind, keyed, id);
    return { id, replayed: false };
  }
}
