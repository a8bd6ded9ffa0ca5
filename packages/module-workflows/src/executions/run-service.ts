import { OvenError, type Principal } from "@oven/contract";
import {
  type Execution,
  type ExecutionStatus,
  type ExecutionSummary,
  isTerminal,
  type RunEvent,
  type SendEventBody,
} from "@oven/contract/run";
import type { Definition } from "@oven/contract/workflow";
import type { Database } from "@oven/db";
import type { RowVersion } from "@oven/module-registry";
import { LIVE_STATUSES, workflowInUse } from "../definitions/workflow-in-use.ts";
import type { WorkflowService } from "../definitions/workflow-service.ts";
import type { AdmittingStore } from "../limits/admitting-store.ts";
import { namesOf, type RunKind, type RunKinds } from "../runtime/run-kinds.ts";
import type { ExecuteRequest, StartChecks } from "./check-start.ts";
import { followRun, type NewestEvent, readEvents, readNewestEvents, streamEvents, toFrame } from "./event-stream.ts";
import type { ExecutionReader } from "./execution-reader.ts";
import { FamilyReader, parseCursor } from "./family-stream.ts";
import { type RunStep, readSteps } from "./run-steps.ts";
import type { RunWatch } from "./run-watch.ts";
import { startCached } from "./start-cached.ts";
import type { RunStarter, StartedRun } from "./start-run.ts";

export interface RunServiceDeps {
  db: Database;
  kind: RunKind;
  store: AdmittingStore;
  watch: RunWatch;
  workflows: WorkflowService;
  reader: ExecutionReader;
  starter: RunStarter;
  checks: StartChecks;
  kinds: RunKinds;
  /** Wakes a run; may be called twice, may be lost: the sweeper finds it. */
  wake(executionId: number): Promise<void>;
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

function alreadyEnded({ id, status }: Pick<Execution, "id" | "status">): OvenError {
  return new OvenError("ALREADY_ENDED", `Execution ${id} has ${status} already`, { status: 409, details: { status } });
}

/** Starts, watches and stops runs of one kind. */
export class RunService {
  readonly #deps: RunServiceDeps;

  constructor(deps: RunServiceDeps) {
    this.#deps = deps;
  }

  get reader(): ExecutionReader {
    return this.#deps.reader;
  }

  /** See `RunStarter.start`. */
  execute(principal: Principal, request: ExecuteRequest): Promise<StartedRun> {
    return this.#deps.starter.start(principal, request);
  }

  /** See `startCached`. */
  async executeCached(
    principal: Principal,
    request: ExecuteRequest,
    rowVersions: readonly RowVersion[],
  ): Promise<StartedRun | undefined> {
    return startCached(this.#deps, principal, request, rowVersions);
  }

  /** See `StartChecks.requireStartable`; nothing is written. */
  requireStartable(principal: Principal, request: ExecuteRequest): Promise<void> {
    return this.#deps.checks.requireStartable(principal, request);
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

  /** The end of the run's log, the last entry first; for those who have read the run. */
  newestEvents(id: number): Promise<NewestEvent[]> {
    return readNewestEvents(this.#deps.db, id);
  }

  /** What a run has done and does, without inputs and outputs; for those who have read the run. */
  steps({ id, status, activeStates }: ExecutionSummary): Promise<RunStep[]> {
    const now = {
      states: isTerminal(status) ? [] : activeStates,
      status: status === "paused" ? "paused" : "running",
    } as const;
    return readSteps(this.#deps, id, now);
  }

  /** Whether a request or a stream of this process follows the run. */
  isWatched(id: number): boolean {
    return this.#deps.watch.isWatched(id);
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

  /** The one that a run is pinned to: of its version, or of the draft that it tested. @throws OvenError NOT_FOUND */
  async pinnedDefinition(principal: Principal, id: number): Promise<Definition> {
    const { workflowId, workflowVersion } = await this.reader.row(principal, id);
    const { definition } = await this.#deps.workflows.pinned(workflowId, workflowVersion);
    return definition as unknown as Definition; // cast: only valid ones are saved
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
