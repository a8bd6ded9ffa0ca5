import type { Database, Queryable, Transaction } from "@oven/db";
import type { RunRecord } from "@oven/engine";
import { namesOf, type RunKinds } from "../runtime/run-kinds.ts";
import { type ConcurrencyLimits, isUnlimited, type RunLimits, type RunScope } from "./run-limits.ts";

/**
 * The suffix of the lease owner of an admitted run that has not begun. Between its claim and its first commit this is how all processes can
 * count it.
 */
const ADMITTED = ":admitted";
/**
 * A pending run that has not been admitted. One that a worker has just claimed, and is about to ask for, waits as well: less urgent ones do
 * not pass it in that moment.
 */
const WAITS = `(e.lease_until is null or e.lease_until < now() or e.lease_owner not like '%${ADMITTED}')`;
/** How many runs are tried at most when one ends, beyond the room there is: some may be held back by a limit of their own. */
const SPARE = 5;

/** `behind`: there is room, for others that go first. */
export type Verdict = "in" | "full" | "behind";

export interface NextRun {
  id: number;
  priority: number;
}

/** Keeps to the limits on runs at once, over all processes. Runs of runs are not counted: their parent waits for them. */
export class Admission {
  readonly #db: Database;
  readonly #kinds: RunKinds;
  readonly #limits: RunLimits;

  constructor(db: Database, kinds: RunKinds, limits: RunLimits) {
    this.#db = db;
    this.#kinds = kinds;
    this.#limits = limits;
  }

  /** Whether a run that was claimed and has not begun may begin. If not, its lease has been given back. */
  async admit(record: RunRecord): Promise<Verdict> {
    const limits = await this.#limits.concurrency(record);
    if (isUnlimited(limits)) return "in";
    const { executions } = namesOf(this.#kinds.get(record.kind));
    return this.#oneByOne(record, async (tx) => {
      const verdict = await this.#judge(tx, record, limits);
      const owner = verdict === "in" ? `lease_owner || '${ADMITTED}'` : "null";
      const until = verdict === "in" ? "lease_until" : "null";
      await tx.query(
        `update ${executions} set lease_owner = ${owner}, lease_until = ${until} where id = $1 and epoch = $2`,
        [record.id, record.epoch],
      );
      return verdict;
    });
  }

  async #judge(tx: Queryable, record: RunRecord, limits: ConcurrencyLimits): Promise<Verdict> {
    if (await isCancelled(tx, record.id)) return "in";
    const room = await this.#room(tx, record, limits, record.id);
    if (room <= 0) return "full";
    return (await this.#ahead(tx, record)) < room ? "in" : "behind";
  }

  /** How many runs of its workflow wait for room and go before it. */
  async #ahead(tx: Queryable, { kind, id, tenantId, workflowId: workflow }: RunRecord): Promise<number> {
    const { executions, workflowId, held } = namesOf(this.#kinds.get(kind));
    const [row] = await tx.query<{ ahead: number }>(
      `select count(*) as ahead from ${executions} e, ${executions} m where m.id = $1 and e.tenant_id = $2 and e.${workflowId} = $3
         and e.status = 'pending' and e.status in ('pending', 'running', 'paused') and e.parent_id is null and e.id <> m.id
         and ${WAITS} and not ${held}
         and (e.priority > m.priority or e.priority = m.priority and e.id < m.id)`,
      [id, tenantId, workflow],
      `ahead-${executions}`,
    );
    return Number(row?.ahead ?? 0);
  }

  /** Which runs may begin now that one of `scope` has ended or paused. */
  async next(scope: RunScope): Promise<NextRun[]> {
    const limits = await this.#limits.concurrency(scope);
    if (isUnlimited(limits)) return [];
    const { executions, workflowId, held } = namesOf(this.#kinds.get(scope.kind));
    const isTenantWide = limits.tenant !== undefined;
    return this.#oneByOne(scope, async (tx) => {
      const room = await this.#room(tx, scope, limits, 0);
      if (room <= 0) return [];
      return tx.query<NextRun & Record<string, unknown>>(
        `select id, priority from (
           select id, priority, lease_until from ${executions} e where tenant_id = $1 and (${isTenantWide} or ${workflowId} = $2) and not ${held}
             and status = 'pending' and status in ('pending', 'running', 'paused') and parent_id is null and ${WAITS}
             order by priority desc, id limit $3) first
         where lease_until is null or lease_until < now() order by priority desc, id`,
        [scope.tenantId, scope.workflowId, Math.min(room, 100) + (isTenantWide ? SPARE : 0)],
      );
    });
  }

  /**
   * Serialises admissions, so that two claims do not both take the last free place, and a run that is refused is found when a place becomes
   * free.
   */
  #oneByOne<T>({ kind, tenantId }: RunScope, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#db.transaction(async (tx) => {
      await tx.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [`oven-runs:${kind}:${tenantId}`]);
      return work(tx);
    });
  }

  /** How many more of these runs may be under way; `except` is not counted. */
  async #room(db: Queryable, scope: RunScope, limits: ConcurrencyLimits, except: number): Promise<number> {
    const { executions, workflowId } = namesOf(this.#kinds.get(scope.kind));
    const [row] = await db.query<{ tenant: number; workflow: number }>(
      `select count(*) as tenant, count(*) filter (where ${workflowId} = $2) as workflow from ${executions}
       where tenant_id = $1 and id <> $3 and parent_id is null and status in ('pending', 'running', 'paused')
         and (status = 'running' or status = 'pending' and lease_until > now() and lease_owner like '%${ADMITTED}')`,
      [scope.tenantId, scope.workflowId, except],
      `under-way-${executions}`,
    );
    const ofWorkflow = (limits.workflow ?? Number.POSITIVE_INFINITY) - Number(row?.workflow ?? 0);
    const ofTenant = (limits.tenant ?? Number.POSITIVE_INFINITY) - Number(row?.tenant ?? 0);
    return Math.min(ofWorkflow, ofTenant);
  }
}

/** It begins in order to end. */
async function isCancelled(tx: Queryable, executionId: number): Promise<boolean> {
  const rows = await tx.query(
    "select 1 from run_signals where execution_id = $1 and consumed_at is null and type = 'cancel'",
    [executionId],
  );
  return rows.length > 0;
}
