import {
  type Definition,
  type Execution,
  type ExecutionStatus,
  type ExecutionSummary,
  isOvenError,
  isTerminal,
  type JsonObject,
  OvenError,
  type Principal,
  type RunAgent,
  type RunEvent,
  type RunOptions,
  type SendEventBody,
  type Workflow,
  withoutBounds,
} from "@oven/contract";
import type { Database } from "@oven/db";
import { type NodeCatalog, toPartial } from "@oven/engine";
import { claimAudit, type RowVersion } from "@oven/module-registry";
import type { CallClosure } from "../definitions/call-closure.ts";
import { LIVE_STATUSES, workflowInUse } from "../definitions/workflow-in-use.ts";
import type { WorkflowService } from "../definitions/workflow-service.ts";
import type { AdmittingStore } from "../limits/admitting-store.ts";
import { isUnlimited, type RunLimits } from "../limits/run-limits.ts";
import type { StartRateLimiter } from "../limits/start-limits.ts";
import type { PolicyService } from "../policies/policy-service.ts";
import type { ReviewOverride } from "../policies/review-override.ts";
import { namesOf, type RunKind, type RunKinds } from "../runtime/run-kinds.ts";
import type { Reservation } from "../runtime/worker-host.ts";
import { checkPayload } from "./check-payload.ts";
import { followRun, readEvents, streamEvents, toFrame } from "./event-stream.ts";
import type { ExecutionReader } from "./execution-reader.ts";
import { FamilyReader, parseCursor } from "./family-stream.ts";
import { InstalledNodes } from "./require-nodes.ts";
import type { RunWatch } from "./run-watch.ts";
import { requireEnabled, type StartedRun, startRun } from "./start-run.ts";

export interface ExecuteRequest {
  /** Id or slug. */
  workflow: string;
  input: JsonObject;
  idempotencyKey?: string | undefined;
  triggerEvent?: string | undefined;
  /** -10 to 10; higher goes first among those that wait. */
  priority?: number | undefined;
  options?: RunOptions | undefined;
  /** Whose run it is. */
  agent?: RunAgent | undefined;
  /** The test conversation it is a turn of, below zero; `own`: one that begins with it. */
  sessionId?: number | "own" | undefined;
  /** An earlier version, or the revision of a draft, below zero; absent: the published one. */
  version?: number | undefined;
}

export interface RunServiceDeps {
  db: Database;
  kind: RunKind;
  store: AdmittingStore;
  watch: RunWatch;
  workflows: WorkflowService;
  reader: ExecutionReader;
  calls: CallClosure;
  policies: PolicyService;
  override: ReviewOverride;
  catalog: NodeCatalog;
  kinds: RunKinds;
  /** Wakes a run; may be called twice, may be lost: the sweeper finds it. */
  wake(executionId: number, priority?: number): Promise<void>;
  reserve(priority?: number): Reservation | undefined;
  limits: RunLimits;
  startLimiter: StartRateLimiter;
}

const POLL_MS = 500;

interface RunPulse {
  status: ExecutionStatus;
  seq: number;
  /** A decision or another message is on its way to the run. */
  signalled: boolean;
}

/** Whether the run has settled: it has ended, or it is paused without an unread signal. */
function isAtRest({ status, signalled }: Pick<RunPulse, "status" | "signalled">): boolean {
  return isTerminal(status) || (status === "paused" && !signalled);
}

/** A run of an agent was checked where the agent was called, so bounds of the key to workflows do not count here. */
function finderOf(principal: Principal, { agent }: ExecuteRequest): Principal {
  return agent === undefined ? principal : withoutBounds(principal);
}

function alreadyEnded({ id, status }: Pick<Execution, "id" | "status">): OvenError {
  return new OvenError("ALREADY_ENDED", `Execution ${id} has ${status} already`, { status: 409, details: { status } });
}

/** Starts, watches and stops runs of one kind. */
export class RunService {
  readonly #deps: RunServiceDeps;
  readonly #installed: InstalledNodes;

  constructor(deps: RunServiceDeps) {
    this.#deps = deps;
    this.#installed = new InstalledNodes(deps.catalog);
  }

  get reader(): ExecutionReader {
    return this.#deps.reader;
  }

  /** Accepts a run; once this answered, it is never lost. @throws OvenError WORKFLOW_DISABLED, NODE_UNAVAILABLE, STATE_UNKNOWN, INVALID_INPUT, IDEMPOTENCY_KEY_REUSED, TOO_MANY_RUNS, POLICY_VIOLATED, REVIEW_PASSED_OVER */
  async execute(principal: Principal, request: ExecuteRequest): Promise<StartedRun> {
    const early = await this.executeCached(principal, request, []);
    if (early !== undefined) return early;
    const { workflows, store } = this.#deps;
    const reading = workflows.getToKeep(finderOf(principal, request), request.workflow);
    const [workflow, [id = 0]] = await Promise.all([reading, store.executions(1)]);
    const started = await this.#start(principal, request, { workflow, id });
    if (started === undefined) throw new Error("a start without row versions was called off");
    return started;
  }

  /**
   * As `execute`, with the cached row of the workflow, provided that this row and those of `rowVersions` have not changed.
   * @returns undefined when no row is cached or it may be out of date; nothing was written, and the caller reads it again
   */
  async executeCached(
    principal: Principal,
    request: ExecuteRequest,
    rowVersions: readonly RowVersion[],
  ): Promise<StartedRun | undefined> {
    const { db, workflows, store } = this.#deps;
    // What is written in the caller's transaction may be what the caller has changed there.
    if (db.isJoint || request.idempotencyKey !== undefined || request.sessionId === "own") return undefined;
    const kept = workflows.cached(finderOf(principal, request), request.workflow);
    if (kept === undefined) return undefined;
    const [id = 0] = await store.executions(1);
    try {
      return await this.#start(principal, request, { workflow: kept.value, id }, [kept.rowVersion, ...rowVersions]);
    } catch (error) {
      // By what is out of date, perhaps.
      if (isOvenError(error) && error.status < 500 && error.status !== 429) return undefined;
      throw error;
    }
  }

  /** @returns undefined: a row version has changed, or this start cannot look at them */
  async #start(
    principal: Principal,
    request: ExecuteRequest,
    { workflow: published, id }: { workflow: Workflow; id: number },
    rowVersions?: readonly RowVersion[],
  ): Promise<StartedRun | undefined> {
    const { db, kind, kinds, store, reader, calls, limits, startLimiter, catalog } = this.#deps;
    const workflow = await this.#inVersion(published, request.version);
    this.#installed.require(workflow);
    const { options } = request;
    if (options !== undefined) {
      toPartial(workflow.definition as unknown as Definition, catalog, options); // cast: published definitions are valid
      if (options.recordingOf !== undefined) await reader.row(principal, options.recordingOf);
    }
    const pins = await calls.pin(principal, kind.kind.kind, workflow);
    await this.#deps.policies.requireRunnable(principal, kind.kind.kind, workflow, pins, options);
    const target = { type: kind.kind.resource, id: workflow.id };
    await this.#deps.override.require(principal, { workflow, current: published, options: options ?? null, target });
    const scope = { kind: kind.kind.kind, tenantId: principal.tenantId, workflowId: workflow.id };
    const requested = {
      workflow,
      input: request.input,
      principal,
      idempotencyKey: request.idempotencyKey,
      triggerEvent: request.triggerEvent,
      pinnedCalls: Object.keys(pins).length === 0 ? null : pins,
      priority: request.priority,
      options: options ?? null,
      agent: request.agent ?? null,
      sessionId: request.sessionId ?? null,
      limits: await limits.starts(scope),
      id,
    };
    // A run in the caller's transaction cannot begin before it is committed: the sweep finds it. With a concurrency limit, claims admit runs.
    const isFree = !db.isJoint && isUnlimited(await limits.concurrency(scope));
    const reservation = isFree ? this.#deps.reserve(request.priority) : undefined;
    const hasRowVersions = reservation !== undefined && requested.limits.perMinute === undefined;
    if (rowVersions !== undefined && !hasRowVersions) {
      reservation?.cancel();
      return undefined;
    }
    const act = hasRowVersions ? claimAudit() : undefined;
    let isBegun = false;
    let isRecorded = false;
    try {
      const lease = reservation && { ...reservation.lease, rowVersions, alsoInsert: act?.row };
      const accepted = await startRun(db, kind, startLimiter, { ...requested, lease });
      const { leased, replayed } = accepted;
      kinds.remember(accepted.id, kind.kind.kind);
      if (reservation !== undefined && leased !== undefined) {
        if (accepted.isWritten) store.registerLease(leased);
        const written = accepted.isWritten || store.deferInsert(leased);
        isBegun = true;
        reservation.begin(id);
        const isWritten = await written;
        isRecorded = isWritten;
        return isWritten ? { id, replayed } : undefined;
      }
      if (!replayed && !db.isJoint) await this.#deps.wake(accepted.id, request.priority);
      return { id: accepted.id, replayed };
    } finally {
      if (!isBegun) reservation?.cancel();
      act?.settle(isRecorded ? "written" : "left");
    }
  }

  /** What `execute` would refuse about a workflow and its input; nothing is written. @throws OvenError NOT_FOUND, WORKFLOW_DISABLED, INVALID_INPUT */
  async requireStartable(principal: Principal, { workflow, input }: ExecuteRequest): Promise<void> {
    const row = await this.#deps.workflows.get(principal, workflow);
    requireEnabled(row);
    this.#installed.require(row);
    checkPayload(row.name, row.definition, input);
  }

  async #inVersion(workflow: Workflow, version: number | undefined): Promise<Workflow> {
    if (version === undefined || version === workflow.version) return workflow;
    const { definition } = await this.#deps.workflows.pinned(workflow.id, version);
    // A draft can be tested while its workflow is disabled.
    return { ...workflow, version, definition, enabled: workflow.enabled || version < 0 };
  }

  /** Like `settle`, and hands over each log entry on the way. @returns whether it has ended or paused */
  async follow(
    principal: Principal,
    id: number,
    options: { milliseconds: number; signal: AbortSignal; onEvents?: (events: readonly RunEvent[]) => Promise<void> },
  ): Promise<boolean> {
    const { onEvents } = options;
    if (onEvents === undefined) return this.settle(principal, id, options.milliseconds, options.signal);
    let cursor = 0;
    return this.settle(principal, id, options.milliseconds, options.signal, async (run) => {
      // One look is a batch; at the end all of them are due.
      while (true) {
        const events = await readEvents(this.#deps.db, id, cursor);
        if (events.length === 0) break;
        cursor = events.at(-1)?.seq ?? cursor;
        await onEvents(events);
      }
      return isAtRest(run);
    });
  }

  /** Waits until the run has ended or paused, or for `milliseconds`. */
  async settle(
    principal: Principal,
    id: number,
    milliseconds: number,
    signal: AbortSignal,
    isSettled: (run: RunPulse) => boolean | Promise<boolean> = isAtRest,
  ): Promise<boolean> {
    const look = async () => isSettled(await this.#state(principal, id));
    return this.#lookUntil(look, { id, milliseconds, signal, only: isSettled === isAtRest ? "settled" : undefined });
  }

  /** Looks at the run now and at each notice, until the look is true. */
  async #lookUntil(
    look: () => Promise<boolean>,
    {
      id,
      milliseconds,
      signal,
      only,
    }: { id: number; milliseconds: number; signal: AbortSignal; only?: "settled" | undefined },
  ): Promise<boolean> {
    const subscription = this.#deps.watch.subscribe(id, only);
    const until = Date.now() + milliseconds;
    // A run that executes in this process notifies the subscription when it settles.
    let isWorthALook = only === undefined || subscription.hasRested || !this.#deps.store.isHeldHere(id);
    try {
      while (!signal.aborted) {
        if (isWorthALook && (await look())) return true;
        isWorthALook = true;
        const left = until - Date.now();
        if (left <= 0) return false;
        await subscription.wait(Math.min(left, POLL_MS), signal);
      }
      return false;
    } finally {
      subscription.close();
    }
  }

  /** The run once it has ended or paused, or as it is after `milliseconds`. */
  async outcome(
    principal: Principal,
    id: number,
    milliseconds: number,
    signal: AbortSignal,
  ): Promise<{ settled: boolean; run: ExecutionSummary }> {
    let run: ExecutionSummary | undefined;
    const look = async () => {
      run = this.#endedHere(principal, id);
      if (run !== undefined) return true;
      const { summary, signalled } = await this.#deps.reader.pulse(principal, id);
      run = summary;
      return isAtRest({ status: summary.status, signalled });
    };
    const settled = await this.#lookUntil(look, { id, milliseconds, signal, only: "settled" });
    return { settled, run: run ?? (await this.#deps.reader.summary(principal, id)) };
  }

  /** What is remembered of a run that ended here, for who may see all runs of its tenant. */
  #endedHere({ tenantId, workflows }: Principal, id: number): ExecutionSummary | undefined {
    const ended = workflows === undefined ? this.#deps.watch.ended(id) : undefined;
    return ended?.tenantId === tenantId && ended.kind === this.#deps.kind.kind.kind ? ended : undefined;
  }

  /** Cancels a run that has not ended. Durable: no new node starts once this was accepted. @throws OvenError ALREADY_ENDED 409 */
  async cancel(principal: Principal, id: number, reason: string | null, signal: AbortSignal): Promise<Execution> {
    const { status } = await this.#state(principal, id);
    if (!isTerminal(status)) {
      await this.sendCancel(id, reason, `${principal.kind} ${principal.keyId ?? principal.userId ?? ""}`.trim());
      await this.settle(principal, id, 10_000, signal, (run) => isTerminal(run.status));
    }
    const run = await this.reader.shown(principal, id);
    // It may have come to its end before the message reached it.
    if (run.status === "completed" || run.status === "failed") throw alreadyEnded(run);
    return run;
  }

  /** An event from outside, once per key. Durable once this answered. @throws OvenError ALREADY_ENDED 409 */
  async sendEvent(
    principal: Principal,
    id: number,
    { event, payload, correlation }: SendEventBody,
    key: string,
  ): Promise<{ execution: ExecutionSummary; replayed: boolean }> {
    const { store, reader, wake } = this.#deps;
    await reader.row(principal, id);
    const data = { event, payload, correlation: correlation ?? null };
    const sent = await store.sendSignal(id, { type: "event", data }, `event:${key}`);
    const execution = await reader.summary(principal, id);
    if (!sent && isTerminal(execution.status)) throw alreadyEnded(execution);
    if (sent) await wake(id);
    return { execution, replayed: !sent };
  }

  /** The published definition. @throws OvenError NOT_FOUND */
  async definitionOf(principal: Principal, workflow: string): Promise<Definition> {
    const { definition } = await this.#deps.workflows.get(principal, workflow);
    return definition as unknown as Definition; // cast: published definitions are valid
  }

  async sendCancel(id: number, reason: string | null, by: string): Promise<void> {
    await this.#deps.store.sendSignal(id, { type: "cancel", data: { reason, by } }, "cancel");
    await this.#deps.wake(id);
  }

  /** The run's log as server-sent events; 204 when it has ended and the client has seen everything. */
  async events(
    principal: Principal,
    id: number,
    from: { afterSeq: number } | "now",
    signal: AbortSignal,
  ): Promise<Response> {
    const { status, seq } = await this.#state(principal, id);
    const afterSeq = from === "now" ? seq : from.afterSeq;
    const isReconnect = from !== "now" && from.afterSeq > 0;
    if (isTerminal(status) && isReconnect && afterSeq >= seq) return new Response(null, { status: 204 });
    const log = followRun(this.#deps.db, id, afterSeq, () => this.#state(principal, id));
    return streamEvents(this.#deps.watch, { ...log, signal });
  }

  /** The logs of the run and of its children as one; 204 when all has been seen. @throws OvenError INVALID_REQUEST */
  async familyEvents(principal: Principal, id: number, cursor: string | null, signal: AbortSignal): Promise<Response> {
    const { db, watch, kinds } = this.#deps;
    const { status, seq } = await this.#state(principal, id);
    const positions = parseCursor(id, cursor);
    if (isTerminal(status) && (positions.get(id) ?? 0) >= seq) return new Response(null, { status: 204 });
    const reader = new FamilyReader(db, kinds.all(), id, positions);
    return streamEvents(watch, {
      signal,
      runs: () => reader.runs,
      next: async () => {
        const { events, ended } = await reader.next();
        return { text: events.map((entry) => toFrame(entry.event, entry.cursor)).join(""), ended };
      },
    });
  }

  /** Live runs hold their workflow; with `force` they are cancelled. @throws OvenError WORKFLOW_IN_USE 409 */
  async releaseWorkflow(workflowId: number, force: boolean): Promise<void> {
    const live = await this.#liveRuns(workflowId);
    if (live.length === 0) return;
    if (!force) throw workflowInUse(this.#deps.kind.kind.title, live);
    for (const id of live) await this.sendCancel(id, "its workflow was deleted", "system");
    const signal = AbortSignal.timeout(30_000);
    while (!signal.aborted && (await this.#liveRuns(workflowId)).length > 0) {
      const [first] = live;
      if (first === undefined) return;
      const subscription = this.#deps.watch.subscribe(first);
      await subscription.wait(POLL_MS / 5, signal);
      subscription.close();
    }
    if (signal.aborted)
      throw new OvenError("WORKFLOW_IN_USE", "Its runs could not be cancelled in time", {
        status: 409,
        fix: "Try again.",
      });
  }

  async #liveRuns(workflowId: number): Promise<number[]> {
    const { executions, workflowId: column } = this.#names();
    const rows = await this.#deps.db.query<{ id: number }>(
      `select id from ${executions} where ${column} = $1 and status = any($2::text[])`,
      [workflowId, [...LIVE_STATUSES]],
    );
    return rows.map(({ id }) => id);
  }

  async #state(principal: Principal, id: number): Promise<RunPulse> {
    const [row] = await this.#deps.db.query<RunPulse & Record<string, unknown>>(
      `select status, seq, exists (select 1 from run_signals s where s.execution_id = e.id and s.consumed_at is null) as signalled
       from ${this.#names().executions} e where id = $1 and tenant_id in ($2, 0)`,
      [id, principal.tenantId],
      `run-state-${this.#names().executions}`,
    );
    if (row === undefined)
      throw new OvenError("NOT_FOUND", `execution ${id} does not exist, or is not yours to see`, { status: 404 });
    return row;
  }

  #names() {
    return namesOf(this.#deps.kind);
  }
}
