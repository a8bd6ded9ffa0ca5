import { isTerminal } from "@oven/contract/run";
import type { Database } from "@oven/db";
import type { ClaimedRun, RunCommit } from "@oven/engine";
import type { LeasedRun } from "../runtime/insert-execution.ts";
import { namesOf, type RunKinds, stuckCondition } from "../runtime/run-kinds.ts";
import { SqlStore, type StoreObserver } from "../runtime/sql-store.ts";
import type { Admission, NextRun } from "./admission.ts";
import type { RunScope } from "./run-limits.ts";

export interface AdmittingObserver extends StoreObserver {
  /** Called when a run could not be claimed because another worker holds it or it has ended. */
  onHeldElsewhere(executionId: number): void;
  /** A run that waited for a limit may begin. */
  onRoom(next: NextRun): void;
}

/** How many runs of one workflow a sweep looks at: a long queue of one must not hide the others. */
const SWEPT_PER_WORKFLOW = 50;

/** The store with limits on what is claimed: a run over a limit stays pending until another one ends. */
export class AdmittingStore extends SqlStore {
  readonly #db: Database;
  readonly #kinds: RunKinds;
  readonly #observer: AdmittingObserver;
  readonly #admission: Admission;
  /** Runs whose lease is this process's. */
  readonly #held = new Set<number>();
  /** The held runs that count against a limit, with the scope they are counted in. */
  readonly #claimed = new Map<number, RunScope>();
  /** Pending runs of the last sweep, and what they are counted with. */
  readonly #swept = new Map<number, string>();
  /** What was full since the last sweep began: the rest of it need not be tried. */
  readonly #full = new Set<string>();

  constructor(db: Database, kinds: RunKinds, observer: AdmittingObserver, admission: Admission) {
    super(db, kinds, observer);
    this.#db = db;
    this.#kinds = kinds;
    this.#observer = observer;
    this.#admission = admission;
  }

  override registerLease(run: LeasedRun): void {
    super.registerLease(run);
    this.#held.add(run.row.id);
  }

  override async claim(executionId: number, worker: string, leaseMs: number): Promise<ClaimedRun | undefined> {
    const swept = this.#swept.get(executionId);
    this.#swept.delete(executionId);
    if (swept !== undefined && this.#full.has(swept)) return undefined;
    const record = await super.claim(executionId, worker, leaseMs);
    if (record === undefined) {
      this.#observer.onHeldElsewhere(executionId);
      return undefined;
    }
    this.#held.add(executionId);
    if (record.parent !== null) return record;
    const verdict = record.status === "pending" ? await this.#admission.admit(record) : "in";
    if (verdict !== "in") {
      if (verdict === "full") this.#full.add(keyOf(record));
      else void this.#makeRoom(record);
      await super.release(executionId, record.epoch);
      this.#held.delete(executionId);
      return undefined;
    }
    const { kind, tenantId, workflowId } = record;
    this.#claimed.set(executionId, { kind, tenantId, workflowId });
    return record;
  }

  override async commit(commit: RunCommit): Promise<boolean> {
    if (!(await super.commit(commit))) {
      this.#held.delete(commit.executionId);
      this.#claimed.delete(commit.executionId);
      return false;
    }
    const { status } = commit.columns;
    if (isTerminal(status)) this.#held.delete(commit.executionId);
    if (isTerminal(status) || status === "paused") {
      const scope = this.#claimed.get(commit.executionId);
      if (isTerminal(status)) this.#claimed.delete(commit.executionId);
      // Not waited for: what others may do now is not this run's affair.
      if (scope !== undefined) void this.#makeRoom(scope);
    }
    return true;
  }

  override async release(executionId: number, epoch: number): Promise<boolean> {
    const released = await super.release(executionId, epoch);
    if (released) {
      this.#claimed.delete(executionId);
      this.#held.delete(executionId);
    }
    return released;
  }

  /** Whether this process holds the run, as far as it knows. */
  isHeldHere(executionId: number): boolean {
    return this.#held.has(executionId);
  }

  /**
   * As the plain store's, with higher priority first and in turn over the workflows, so that those who wait for a limit do
   * not hide others.
   */
  override async stuckRuns(now: string, limit: number): Promise<number[]> {
    this.#full.clear();
    this.#swept.clear();
    const stuck = stuckCondition(this.#kinds.all(), "$1");
    const selects = this.#kinds.all().map((kind) => {
      const { executions, workflowId, held } = namesOf(kind);
      const kindOf = kind.kind.kind;
      return `select id, priority, status = 'pending' and parent_id is null as waits, '${kindOf}' as kind, tenant_id, ${workflowId} as workflow_id,
          row_number() over (partition by ${workflowId}, status = 'pending' order by priority desc, id) as place
        from ${executions} e where ${stuck} and not ${held}`;
    });
    const rows = await this.#db.query<SweptRow>(
      `select * from (${selects.join(" union all ")}) r where place <= ${SWEPT_PER_WORKFLOW}
       order by place, priority desc, id limit $2`,
      [now, limit],
    );
    for (const { id, waits, kind, tenant_id, workflow_id } of rows) {
      if (waits) this.#swept.set(id, keyOf({ kind, tenantId: tenant_id, workflowId: workflow_id }));
    }
    return rows.map(({ id }) => id);
  }

  /** Ends the leases of a worker that goes before its calls are done. Its name stays: who takes over must know of them. */
  async abandonLeases(worker: string): Promise<void> {
    for (const kind of this.#kinds.all()) {
      await this.#db.query(
        `update ${namesOf(kind).executions} set lease_until = null
         where status in ('pending', 'running', 'paused') and lease_owner like $1 || '%'`,
        [worker],
      );
    }
  }

  async #makeRoom(scope: RunScope): Promise<void> {
    try {
      const next = await this.#admission.next(scope);
      this.#full.delete(keyOf(scope));
      for (const run of next) this.#observer.onRoom(run);
    } catch (error) {
      console.error("looking for the next run failed, the sweeper finds it:", error);
    }
  }
}

interface SweptRow extends Record<string, unknown> {
  id: number;
  waits: boolean;
  kind: RunScope["kind"];
  tenant_id: number;
  workflow_id: number;
}

function keyOf({ kind, tenantId, workflowId }: RunScope): string {
  return `${kind}:${tenantId}:${workflowId}`;
}
