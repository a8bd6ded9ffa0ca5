import { isOvenError } from "@oven/contract";
import type { RetentionReport } from "@oven/contract/system";
import type { Database } from "@oven/db";
import type { Clock } from "@oven/engine";
import type { ConfigService } from "@oven/module-registry";
import { NO_RUN } from "../blobs/blob-service.ts";
import { allRuns, namesOf, type RunKinds } from "../runtime/run-kinds.ts";
import { REMOVED, REMOVING, toRemovedContext } from "./removed-details.ts";
import { type RetainedRows, RetentionDaysSchema } from "./retained-rows.ts";
import { type RetentionCutoffs, resolveCutoffs } from "./retention-config.ts";
import { noteDay, takeDay } from "./retention-lease.ts";
import { familyOf, heldRuns, nextFamilies, type RunFamily, requireRemovable } from "./run-families.ts";

export interface RetentionDeps {
  db: Database;
  kinds: RunKinds;
  config: Pick<ConfigService, "resolve">;
  clock: Clock;
}

const FIRST_CHECK_MS = 60_000;
const CHECK_MS = 3_600_000;
const DAY_MS = 86_400_000;
const KEY_LIFE_MS = DAY_MS;
/** Runs looked at, and rows removed, by one statement. */
const RUNS_PER_BATCH = 200;
const ROWS_PER_BATCH = 5_000;
const MAX_SEQ = 2_147_483_647;

const NOTHING: RetentionReport = {
  details: 0,
  runs: 0,
  events: 0,
  nodeRuns: 0,
  signals: 0,
  blobs: 0,
  reviews: 0,
  keys: 0,
  rows: {},
};

/**
 * Removes what runs left, in two steps: first the details of runs that ended long ago, later their rows. In small batches;
 * stopped at any point, the next pass goes on. Runs that have not ended keep their whole family, and what they were forked
 * or retried from.
 */
export class RetentionService {
  readonly #deps: RetentionDeps;
  #cancelTimer: (() => void) | undefined;
  #working: Promise<void> | undefined;
  #stopped = false;
  readonly #retained: RetainedRows[] = [];

  constructor(deps: RetentionDeps) {
    this.#deps = deps;
  }

  /** Rows of another module go by the same rules, on the same day. */
  add(rows: RetainedRows): void {
    this.#retained.push(rows);
  }

  /** Looks every hour whether the work of the day is still to be done; of several processes one does it. */
  start(): void {
    this.#stopped = false;
    this.#arm(FIRST_CHECK_MS);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelTimer?.();
    await this.#working;
  }

  /** Removes what is due of every tenant, unless another process has done so today. */
  async sweepDay(): Promise<boolean> {
    const { db, clock } = this.#deps;
    const day = clock.now();
    if (!(await takeDay(db, day))) return false;
    const tenants = await db.query<{ tenant_id: number }>(
      `select tenant_id from (${this.#tenants()}) r group by 1 order by 1`,
    );
    for (const { tenant_id } of tenants) {
      if (this.#stopped) return true;
      await this.sweep(tenant_id, () => noteDay(db, day, clock.now(), "running"));
    }
    await this.#removeKeys({ ...NOTHING });
    await noteDay(db, day, clock.now(), "done");
    return true;
  }

  /** Removes what is due of one tenant now. `onBatch` is called between batches. */
  async sweep(tenantId: number, onBatch: () => Promise<void> = async () => {}): Promise<RetentionReport> {
    const { db, kinds, config, clock } = this.#deps;
    const cutoffs = await resolveCutoffs(config, tenantId, clock.now());
    const report = { ...NOTHING, rows: {} };
    const [newest] = await db.query<{ id: number }>(
      `select coalesce(max(id), 0) as id from (${allRuns(kinds.all(), "id")}) r`,
    );
    const held = await heldRuns(db, kinds.all(), tenantId);
    const pass: Pass = { tenantId, cutoffs, held, newest: newest?.id ?? 0, report };
    for await (const families of this.#due(pass, cutoffs.details, [REMOVING, MAX_SEQ])) {
      await this.#removeDetails(pass, families);
      await onBatch();
    }
    for await (const families of this.#due(pass, cutoffs.runs, [REMOVED, REMOVED])) {
      await this.#removeRuns(pass.report, families);
      await onBatch();
    }
    report.blobs += await this.#removeInBatches(
      "run_blobs",
      `execution_id = ${NO_RUN.executionId} and node_id = '${NO_RUN.nodeId}' and tenant_id = $1 and created_at < $2`,
      [tenantId, cutoffs.details],
    );
    for (const rows of this.#retained) {
      report.rows = { ...report.rows, [rows.table]: await this.#removeRetained(rows, tenantId) };
      await onBatch();
    }
    await this.#removeKeys(report);
    await this.#removeTestedDrafts(tenantId);
    return report;
  }

  /**
   * Removes one run that has ended, with the runs it called, now. Part of a transaction, so that it is gone as a whole or not at all.
   * @throws OvenError NOT_FOUND, RUN_IN_USE 409 when it has not ended, was called by another run, or another one reads it
   */
  async remove(tenantId: number, id: number): Promise<void> {
    const { db, kinds } = this.#deps;
    const members = await familyOf(db, kinds.all(), { tenantId, id });
    const held = await heldRuns(db, kinds.all(), tenantId);
    requireRemovable(id, members, held);
    const ids = members.map((member) => member.id);
    for (const table of ["run_events", "run_signals", "run_blobs", ...kinds.all().map((kind) => namesOf(kind).nodes)])
      await this.#removeRows(table, ids);
    for (const { table, run } of this.#retained)
      if (run !== undefined) await this.#removeInBatches(table, `${run} = any($1::bigint[])`, [ids]);
    await this.#removeRuns({ ...NOTHING }, [{ root: id, members: ids }]);
  }

  /**
   * Removes runs that have ended, each with the runs it called; those in use are left.
   * @param ids of runs that no other run called; one that is gone already counts for nothing
   * @returns how many were removed, and those that are left
   */
  async removeAll(tenantId: number, ids: readonly number[]): Promise<{ removed: number; left: number[] }> {
    const left: number[] = [];
    let removed = 0;
    for (const id of new Set(ids)) {
      try {
        await this.#deps.db.jointly(() => this.remove(tenantId, id));
        removed++;
      } catch (error) {
        if (!isOvenError(error) || !["RUN_IN_USE", "NOT_FOUND"].includes(error.code)) throw error;
        if (error.code === "RUN_IN_USE") left.push(id);
      }
    }
    return { removed, left };
  }

  #tenants(): string {
    const tables = this.#retained.map(({ table }) => `select distinct tenant_id from ${table}`);
    return [allRuns(this.#deps.kinds.all(), "tenant_id"), ...tables].join(" union all ");
  }

  async #removeRetained({ table, since, settled, run, setting }: RetainedRows, tenantId: number): Promise<number> {
    const { config, kinds, clock } = this.#deps;
    const days = RetentionDaysSchema.parse((await config.resolve({ ...setting, tenantId })).value);
    const conditions = [`tenant_id = ${Number(tenantId)}`, `${since} < $1`];
    if (settled !== undefined) conditions.push(`(${settled})`);
    if (run !== undefined) {
      const live = `select id from (${allRuns(kinds.all(), "id, status")}) r where r.status in ('pending', 'running', 'paused')`;
      conditions.push(`(${run} is null or ${run} not in (${live}))`);
    }
    return this.#removeInBatches(table, conditions.join(" and "), [new Date(clock.now() - days * DAY_MS)]);
  }

  async *#due(pass: Pass, endedBefore: Date, marks: readonly [number, number]): AsyncGenerator<RunFamily[]> {
    const { db, kinds } = this.#deps;
    for (let after = 0; ; ) {
      const request = { tenantId: pass.tenantId, kinds: kinds.all(), after, endedBefore, marks, limit: RUNS_PER_BATCH };
      const { families, lookedUpTo } = await nextFamilies(db, request);
      if (lookedUpTo === undefined) return;
      after = lookedUpTo;
      const free = families.filter(({ members }) => !members.some((id) => pass.held.has(id)));
      if (free.length > 0) yield free;
    }
  }

  async #removeDetails({ tenantId, cutoffs, newest, report }: Pass, families: readonly RunFamily[]): Promise<void> {
    const { db, kinds, clock } = this.#deps;
    const at = new Date(clock.now()).toISOString();
    const context = JSON.stringify(toRemovedContext({ at, afterDays: cutoffs.detailDays }));
    // What began to read them since the pass did is looked for while they are held.
    const ids = await db.transaction(async (tx) => {
      const all = families.flatMap(({ members }) => members);
      for (const { executions } of kinds.all().map(namesOf))
        await tx.query(`select id from ${executions} where id = any($1::bigint[]) order by id for update`, [all]);
      const held = await heldRuns(tx, kinds.all(), tenantId, newest);
      const free = families.flatMap(({ members }) => (members.some((id) => held.has(id)) ? [] : members));
      for (const { executions } of kinds.all().map(namesOf)) {
        const marked = await tx.query(
          `update ${executions} set context_seq = ${REMOVING}, context = $2::json, context_writers = null, state = null, checkpoint = null
           where id = any($1::bigint[]) and context_seq >= 0 returning id`,
          [free, context],
        );
        report.details += marked.length;
      }
      return free;
    });
    report.events += await this.#removeRows("run_events", ids);
    report.signals += await this.#removeRows("run_signals", ids);
    report.blobs += await this.#removeRows("run_blobs", ids);
    for (const kind of kinds.all()) {
      const { executions, nodes } = namesOf(kind);
      report.nodeRuns += await this.#removeRows(nodes, ids);
      await db.query(`update ${executions} set context_seq = ${REMOVED} where id = any($1::bigint[])`, [ids]);
    }
  }

  async #removeRuns(report: RetentionReport, families: readonly RunFamily[]): Promise<void> {
    const { db, kinds } = this.#deps;
    const ids = families.flatMap(({ members }) => members);
    report.reviews += await this.#removeRows("reviews", ids);
    await this.#removeRows("run_scores", ids);
    for (const kind of kinds.all()) {
      const { executions } = namesOf(kind);
      const rows = await db.query(`delete from ${executions} where id = any($1::bigint[]) returning id`, [ids]);
      report.runs += rows.length;
    }
  }

  async #removeKeys(report: RetentionReport): Promise<void> {
    const before = new Date(this.#deps.clock.now() - KEY_LIFE_MS);
    report.keys += await this.#removeInBatches("idempotency_keys", "created_at < $1", [before]);
  }

  /** What test runs were pinned to, once none of them is left. A day is time enough for one that is about to start. */
  async #removeTestedDrafts(tenantId: number): Promise<void> {
    const { db, kinds, clock } = this.#deps;
    const before = new Date(clock.now() - KEY_LIFE_MS);
    for (const { executions, versions, workflowId } of kinds.all().map(namesOf)) {
      await db.query(
        `delete from ${versions} v where v.tenant_id = $1 and v.version < 0 and v.created_at < $2 and not exists (
           select 1 from ${executions} e where e.${workflowId} = v.${workflowId} and e.workflow_version = v.version and e.workflow_version < 0)`,
        [tenantId, before],
      );
    }
  }

  #removeRows(table: string, executionIds: readonly number[]): Promise<number> {
    return this.#removeInBatches(table, "execution_id = any($1::bigint[])", [executionIds]);
  }

  async #removeInBatches(table: string, condition: string, parameters: unknown[]): Promise<number> {
    for (let removed = 0; ; ) {
      const [row] = await this.#deps.db.query<{ n: number }>(
        `with gone as (delete from ${table} where ctid = any(array(
           select ctid from ${table} where ${condition} limit ${ROWS_PER_BATCH})) returning 1) select count(*) as n from gone`,
        parameters,
      );
      const n = Number(row?.n ?? 0);
      removed += n;
      if (n < ROWS_PER_BATCH) return removed;
    }
  }

  #arm(milliseconds: number): void {
    if (this.#stopped) return;
    const { clock } = this.#deps;
    this.#cancelTimer = clock.setTimer(clock.now() + milliseconds, () => {
      this.#working = this.#check();
    });
  }

  async #check(): Promise<void> {
    try {
      await this.sweepDay();
    } catch (error) {
      console.error("removing what runs left failed, trying again in an hour:", error);
    }
    this.#arm(CHECK_MS);
  }
}

interface Pass {
  tenantId: number;
  cutoffs: RetentionCutoffs;
  /** Runs that others read. */
  held: ReadonlySet<number>;
  /** The newest run when `held` was looked up. */
  newest: number;
  report: RetentionReport;
}
