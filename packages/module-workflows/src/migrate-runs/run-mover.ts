import { isOvenError, type Principal } from "@oven/contract";
import type { ExecutionKind } from "@oven/contract/run";
import { type Database, type Queryable, withinTenant } from "@oven/db";
import { nextTurn, type RunBases } from "@oven/engine";
import { WorkLoop } from "@oven/module-registry";
import type { RunKind, RunKinds } from "../runtime/run-kinds.ts";
import type { SqlStore } from "../runtime/sql-store.ts";
import type { Fence } from "./move-run.ts";
import { MovedElsewhere, moveOne } from "./move-run.ts";
import { Moves, type MovesDeps, type WaitingRun } from "./moves.ts";
import { undoMove } from "./undo-move.ts";
import { readWaiting, statesThatAsked } from "./waiting-runs.ts";

export interface RunMoverDeps {
  /** A connection that sees all tenants. */
  db: Database;
  kinds: RunKinds;
  store: Pick<SqlStore, "read">;
  bases: RunBases;
  movesOf(kind: ExecutionKind): MovesDeps;
  /** A run has a new entry in its log. */
  onMoved(executionId: number): void;
  /** Timers may have begun that are due earlier than any before. */
  onTimers(): void;
}

/** Runs that are read at once. */
const BATCH = 100;
/** Runs that are moved at once: most of the time goes into waiting for the database. */
const AT_ONCE = 4;
/** How often a run that a worker has just then is looked at again. */
const TRIES = 3;

interface Migration extends Record<string, unknown> {
  id: number;
  tenant_id: number;
  kind: ExecutionKind;
  workflow_id: number;
  version: number;
  mapping: Record<string, string>;
  passed: string[];
  principal: Principal;
  status: "running" | "undoing";
}

/**
 * Moves the runs of migrations, and back. Each run is one transaction with its row here: a process that is killed leaves no run half moved,
 * and the next look of any process goes on.
 */
export class RunMover {
  readonly #deps: RunMoverDeps;
  readonly #loop: WorkLoop;
  #stopping = false;

  constructor(deps: RunMoverDeps) {
    this.#deps = deps;
    this.#loop = new WorkLoop("moving runs to other versions", () => this.work(), { db: deps.db });
  }

  start(): void {
    this.#stopping = false;
    this.#loop.start();
  }

  /** Finishes the run that is being moved. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#loop.stop();
  }

  wake(): void {
    this.#loop.wake();
  }

  /** Does what is left of all migrations. */
  async work(): Promise<void> {
    const open = await this.#deps.db.query<Migration>(
      `select id, tenant_id, kind, workflow_id, version, mapping, passed, principal, status from run_migrations
       where finished_at is null order by id`,
      [],
      "open-migrations",
    );
    for (const migration of open) {
      if (this.#stopping) return;
      await withinTenant(migration.tenant_id, () => this.#migrate(migration));
    }
  }

  async #migrate(migration: Migration): Promise<void> {
    const kind = this.#deps.kinds.get(migration.kind);
    const isDone =
      migration.status === "running" ? await this.#moveAll(kind, migration) : await this.#undoAll(kind, migration);
    this.#deps.onTimers();
    if (!isDone) return;
    await this.#deps.db.query(
      `update run_migrations set status = case status when 'running' then 'done' else 'undone' end, finished_at = now()
       where id = $1 and status = $2`,
      [migration.id, migration.status],
    );
  }

  /** @returns false when it is to be gone on with: this process stops, or the migration is to be undone */
  async #moveAll(kind: RunKind, { id, kind: name, ...migration }: Migration): Promise<boolean> {
    const { db } = this.#deps;
    const of = { workflow: String(migration.workflow_id), version: migration.version, mapping: migration.mapping };
    let moves: Moves;
    try {
      moves = await Moves.of(this.#deps.movesOf(name), migration.principal, name, of);
    } catch (error) {
      if (!isOvenError(error)) throw error;
      await db.query(
        "update run_migration_items set status = 'skipped', reason = $2 where migration_id = $1 and status = 'pending'",
        [id, error.message],
      );
      return true;
    }
    for (let tries = 0, after = 0; ; ) {
      if (this.#stopping || !(await this.#isStill(id, "running"))) return false;
      const items = await this.#items(id, "pending", after);
      const ids = items.map(({ executionId }) => executionId);
      await this.#moveBatch(kind, { id, passed: migration.passed }, moves, ids, tries + 1 >= TRIES);
      after = ids.at(-1) ?? after;
      if (ids.length === BATCH) continue;
      const [left] = await this.#items(id, "pending", 0);
      if (left === undefined) return true;
      [tries, after] = [tries + 1, 0];
    }
  }

  async #moveBatch(
    kind: RunKind,
    { id, passed }: Pick<Migration, "id" | "passed">,
    moves: Moves,
    ids: readonly number[],
    isLast: boolean,
  ): Promise<void> {
    if (ids.length === 0) return;
    const { db, kinds } = this.#deps;
    const [runs, asked] = await Promise.all([readWaiting(db, kind, ids), statesThatAsked(db, kinds.all(), ids)]);
    const found = new Set(runs.map((run) => run.id));
    for (const gone of ids) if (!found.has(gone)) await this.#skip(db, id, gone, "It has ended");
    for (let first = 0; first < runs.length && !this.#stopping; first += AT_ONCE) {
      await nextTurn();
      const some = runs.slice(first, first + AT_ONCE);
      await Promise.all(
        some.map((run) => this.#judgeAndMove(kind, { id, passed, isLast }, moves, run, asked.get(run.id) ?? [])),
      );
    }
  }

  async #judgeAndMove(
    kind: RunKind,
    { id, passed, isLast }: { id: number; passed: readonly string[]; isLast: boolean },
    moves: Moves,
    run: WaitingRun,
    asked: readonly string[],
  ): Promise<void> {
    const { db, onMoved } = this.#deps;
    if (run.version === moves.wanted.version) {
      await this.#skip(db, id, run.id, "It is on this version already");
      return;
    }
    const { report, passedReviews } = await moves.judge(run, asked);
    const unpassable = passedReviews.filter((label) => !passed.includes(label));
    if (report.verdict !== "same" && report.verdict !== "mapped") {
      if (run.busy && !isLast) return;
      await this.#skip(db, id, run.id, report.problems[0]?.message ?? "States of it have no place in the version");
    } else if (unpassable.length > 0)
      await this.#skip(db, id, run.id, `It would pass over ${unpassable.join(", ")} by now`);
    else if (await this.#moveOne(kind, moves, id, run.id, run.version, moves.signatureOf(run))) onMoved(run.id);
    else if (isLast) await this.#skip(db, id, run.id, "A worker went on with it");
  }

  /** @returns false when it was not moved and is still to be looked at */
  async #moveOne(
    kind: RunKind,
    moves: Moves,
    id: number,
    executionId: number,
    version: number,
    signature: string,
  ): Promise<boolean> {
    const settle = (tx: Queryable, { epoch, seq }: Fence) =>
      this.#settle(tx, id, executionId, "pending", "moved", { epoch, seq, reason: null });
    try {
      return (
        (await moveOne(this.#deps, kind, moves, id, { id: executionId, version, signature }, settle)) !== undefined
      );
    } catch (error) {
      if (error instanceof MovedElsewhere) return false;
      if (!isOvenError(error)) throw error;
      await this.#skip(this.#deps.db, id, executionId, error.message);
      return false;
    }
  }

  async #undoAll(kind: RunKind, { id, tenant_id, version }: Migration): Promise<boolean> {
    const { db, onMoved } = this.#deps;
    await db.query(
      "update run_migration_items set status = 'skipped', reason = 'The migration was undone' where migration_id = $1 and status = 'pending'",
      [id],
    );
    while (true) {
      if (this.#stopping) return false;
      const items = await this.#items(id, "moved", 0);
      if (items.length === 0) return true;
      for (const { executionId, epoch, seq } of items) {
        if (this.#stopping) return false;
        await nextTurn();
        const item = { executionId, tenantId: tenant_id, version, fence: { epoch, seq }, migrationId: id };
        const settle = (tx: Queryable) => this.#settle(tx, id, executionId, "moved", "undone", null);
        try {
          if (await undoMove(db, kind, item, settle)) onMoved(executionId);
          else await this.#settle(db, id, executionId, "moved", "stayed", { reason: "It has gone on since" });
        } catch (error) {
          if (!(error instanceof MovedElsewhere)) throw error;
        }
      }
    }
  }

  async #isStill(id: number, status: string): Promise<boolean> {
    const rows = await this.#deps.db.query("select 1 from run_migrations where id = $1 and status = $2", [id, status]);
    return rows.length > 0;
  }

  #items(id: number, status: string, after: number) {
    return this.#deps.db.query<{ executionId: number; epoch: number; seq: number }>(
      `select execution_id as "executionId", epoch, seq from run_migration_items
       where migration_id = $1 and status = $2 and execution_id > $3 order by execution_id limit ${BATCH}`,
      [id, status, after],
      "migration-items",
    );
  }

  #skip(db: Queryable, id: number, executionId: number, reason: string): Promise<boolean> {
    return this.#settle(db, id, executionId, "pending", "skipped", { reason });
  }

  /** @returns false when another process has settled it */
  async #settle(
    db: Queryable,
    id: number,
    executionId: number,
    from: string,
    to: string,
    set: { epoch?: number; seq?: number; reason: string | null } | null,
  ): Promise<boolean> {
    const { epoch = null, seq = null, reason = null } = set ?? {};
    const rows = await db.query(
      `update run_migration_items set status = $4, reason = $5, epoch = coalesce($6, epoch), seq = coalesce($7, seq)
       where migration_id = $1 and execution_id = $2 and status = $3 returning execution_id`,
      [id, executionId, from, to, reason?.replaceAll("\u0000", "\ufffd") ?? null, epoch, seq],
      "settle-migration-item",
    );
    return rows.length > 0;
  }
}
