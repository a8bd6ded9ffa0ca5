import { isGranted, notFound, OvenError, type Principal } from "@oven/contract";
import type { MigrateRunsBody, MigrationPlan, MoveGroup, RunMigration } from "@oven/contract/run";
import type { Database } from "@oven/db";
import { OVERRIDE } from "../policies/review-override.ts";
import { namesOf, type RunKind, type RunKinds } from "../runtime/run-kinds.ts";
import { type Judgement, Moves, type MovesDeps, type WaitingRun } from "./moves.ts";
import type { RunMover } from "./run-mover.ts";
import { countWaiting, statesThatAsked, waitingRuns } from "./waiting-runs.ts";

export interface MigrationServiceDeps {
  db: Database;
  kind: RunKind;
  kinds: RunKinds;
  moves: MovesDeps;
  mover: RunMover;
}

/** Ids of runs that a group of a plan lists. */
const MOST_LISTED = 20;
const MOST_SKIPPED = 100;
const MOST_MIGRATIONS = 50;
/** Rows that one statement inserts. */
const INSERTED_AT_ONCE = 1_000;

interface Planned {
  plan: MigrationPlan;
  moves: Moves;
  /** Runs that can be moved. */
  movable: number[];
  passed: string[];
}

interface MigrationRow extends Record<string, unknown> {
  id: number;
  version: number;
  mapping: Record<string, string>;
  status: RunMigration["status"];
  created_by: number | null;
  created_at: Date;
  finished_at: Date | null;
}

/** Moves the waiting runs of a workflow of one kind to another version. */
export class MigrationService {
  readonly #deps: MigrationServiceDeps;

  constructor(deps: MigrationServiceDeps) {
    this.#deps = deps;
  }

  /** How many runs wait on other versions than the published one. @throws OvenError NOT_FOUND */
  async waiting(principal: Principal, idOrSlug: string): Promise<{ count: number; version: number }> {
    const { db, kind, moves } = this.#deps;
    const { id, version, canary } = await moves.workflows.get(principal, idOrSlug);
    // Runs of a candidate are meant to be on it.
    const versions = canary == null ? [version] : [version, canary.version];
    return { count: await countWaiting(db, kind, { tenantId: principal.tenantId, workflowId: id, versions }), version };
  }

  /** What moving them would come to. Nothing is written. @throws OvenError NOT_FOUND */
  async plan(principal: Principal, idOrSlug: string, body: MigrateRunsBody): Promise<MigrationPlan> {
    return (await this.#plan(principal, idOrSlug, body)).plan;
  }

  /**
   * Begins to move the runs that can be moved; the others stay.
   * @throws OvenError NOT_FOUND, MIGRATION_RUNNING 409, NOTHING_TO_MOVE 409, REVIEW_PASSED_OVER 403
   */
  async start(principal: Principal, idOrSlug: string, body: MigrateRunsBody): Promise<RunMigration> {
    const { db, kind, mover } = this.#deps;
    const { moves, movable, passed } = await this.#plan(principal, idOrSlug, body);
    const { workflow, wanted, mapping } = moves;
    if (movable.length === 0) {
      throw new OvenError("NOTHING_TO_MOVE", "No waiting run of other versions can be moved", {
        status: 409,
        fix: "See `POST …/migrations/plan` for each group and what it needs.",
      });
    }
    await this.#requireOverride(principal, moves, passed);
    const { tenantId, userId } = principal;
    const id = await db.transaction(async (tx) => {
      const { workflows } = namesOf(kind);
      await tx.query(`select id from ${workflows} where id = $1 for update`, [workflow.id]);
      const open = await tx.query(
        "select 1 from run_migrations where tenant_id = $1 and kind = $2 and workflow_id = $3 and finished_at is null",
        [tenantId, kind.kind.kind, workflow.id],
      );
      if (open.length > 0) throw running(workflow.name);
      const [row] = await tx.query<{ id: number }>(
        `insert into run_migrations (tenant_id, kind, workflow_id, version, mapping, passed, principal, status, created_by)
         values ($1, $2, $3, $4, $5::json, $6::json, $7::json, 'running', $8) returning id`,
        [
          ...[tenantId, kind.kind.kind, workflow.id, wanted.version, JSON.stringify(mapping)],
          ...[JSON.stringify(passed), JSON.stringify(principal), userId],
        ],
      );
      if (row === undefined) throw new Error("the migration was not inserted");
      for (let first = 0; first < movable.length; first += INSERTED_AT_ONCE) {
        await tx.query(
          `insert into run_migration_items (migration_id, execution_id, tenant_id, status)
           select $1, run, $2, 'pending' from unnest($3::bigint[]) as run`,
          [row.id, tenantId, movable.slice(first, first + INSERTED_AT_ONCE)],
        );
      }
      return row.id;
    });
    mover.wake();
    return this.get(principal, idOrSlug, id);
  }

  /** The newest first. @throws OvenError NOT_FOUND */
  async list(principal: Principal, idOrSlug: string): Promise<RunMigration[]> {
    const { db, kind, moves } = this.#deps;
    const workflow = await moves.workflows.get(principal, idOrSlug);
    const rows = await db.query<MigrationRow>(
      `select id, version, mapping, status, created_by, created_at, finished_at from run_migrations
       where tenant_id = $1 and kind = $2 and workflow_id = $3 order by id desc limit ${MOST_MIGRATIONS}`,
      [principal.tenantId, kind.kind.kind, workflow.id],
      "list-migrations",
    );
    const shown: RunMigration[] = [];
    for (const row of rows) shown.push(await this.#show(row));
    return shown;
  }

  /** @throws OvenError NOT_FOUND */
  async get(principal: Principal, idOrSlug: string, id: number): Promise<RunMigration> {
    const { db, kind, moves } = this.#deps;
    const workflow = await moves.workflows.get(principal, idOrSlug);
    const [row] = await db.query<MigrationRow>(
      `select id, version, mapping, status, created_by, created_at, finished_at from run_migrations
       where id = $1 and tenant_id = $2 and kind = $3 and workflow_id = $4`,
      [id, principal.tenantId, kind.kind.kind, workflow.id],
      "get-migration",
    );
    if (row === undefined) throw notFound("migration", id);
    return this.#show(row);
  }

  /**
   * Puts runs back that nothing has happened to since they were moved; those that were not moved yet are not moved.
   * @throws OvenError NOT_FOUND, MIGRATION_UNDONE 409
   */
  async undo(principal: Principal, idOrSlug: string, id: number): Promise<RunMigration> {
    const { db, mover } = this.#deps;
    await this.get(principal, idOrSlug, id);
    const begun = await db.query(
      "update run_migrations set status = 'undoing', finished_at = null where id = $1 and status in ('running', 'done') returning id",
      [id],
    );
    if (begun.length === 0) {
      throw new OvenError("MIGRATION_UNDONE", "This migration is undone already, or is being undone", {
        status: 409,
        fix: "See what became of each run.",
      });
    }
    mover.wake();
    return this.get(principal, idOrSlug, id);
  }

  async #plan(principal: Principal, idOrSlug: string, { version, mapping }: MigrateRunsBody): Promise<Planned> {
    const { db, kind, kinds, moves: deps } = this.#deps;
    const moves = await Moves.of(deps, principal, kind.kind.kind, { workflow: idOrSlug, version, mapping });
    const of = { tenantId: principal.tenantId, workflowId: moves.workflow.id, version: moves.wanted.version };
    const alike = new Map<string, { run: WaitingRun; ids: number[]; asked: Set<string> }>();
    for await (const runs of waitingRuns(db, kind, of)) {
      const asked = await statesThatAsked(
        db,
        kinds.all(),
        runs.map(({ id }) => id),
      );
      for (const run of runs) {
        const signature = moves.signatureOf(run);
        const known = alike.get(signature) ?? { run, ids: [], asked: new Set<string>() };
        known.ids.push(run.id);
        for (const state of asked.get(run.id) ?? []) known.asked.add(state);
        alike.set(signature, known);
      }
    }
    const groups = new Map<string, MoveGroup>();
    const movable: number[] = [];
    const passed = new Set<string>();
    for (const { run, ids, asked } of alike.values()) {
      const judgement = await moves.judge(run, [...asked]);
      const { verdict } = judgement.report;
      if (verdict === "same" || verdict === "mapped") {
        movable.push(...ids);
        for (const label of judgement.passedReviews) passed.add(label);
      }
      addTo(groups, toGroup(run, ids, judgement));
    }
    const all = [...groups.values()].toSorted((one, other) => other.count - one.count);
    const count = (verdict: MoveGroup["verdict"]) =>
      all.reduce((sum, group) => sum + (group.verdict === verdict ? group.count : 0), 0);
    const counts = { same: count("same"), mapped: count("mapped"), mapping: count("mapping"), cannot: count("cannot") };
    const total = all.reduce((sum, group) => sum + group.count, 0);
    const plan = { version: moves.wanted.version, total, counts, groups: all };
    return { plan, moves, movable: movable.toSorted((one, other) => one - other), passed: [...passed].sort() };
  }

  /** @throws OvenError REVIEW_PASSED_OVER 403 */
  async #requireOverride(principal: Principal, { workflow }: Moves, passed: readonly string[]): Promise<void> {
    if (passed.length === 0) return;
    if (!isGranted(principal.permissions, OVERRIDE)) {
      throw new OvenError("REVIEW_PASSED_OVER", `Runs of ${workflow.name} would pass over ${passed.join(", ")}`, {
        status: 403,
        fix: `Ask an owner or admin: it needs ${OVERRIDE}.`,
        details: { permission: OVERRIDE, reviews: [...passed] },
      });
    }
    await this.#deps.moves.override.note(principal, passed, {
      target: { type: this.#deps.kind.kind.resource, id: workflow.id },
      version: workflow.version,
    });
  }

  async #show({ id, version, mapping, status, ...row }: MigrationRow): Promise<RunMigration> {
    const { db, kind } = this.#deps;
    const { executions } = namesOf(kind);
    const found = await db.query<{ status: keyof RunMigration["counts"]; count: number; undoable: number }>(
      `select i.status, count(*)::int as count, count(e.id)::int as undoable from run_migration_items i
       left join ${executions} e on i.status = 'moved' and e.id = i.execution_id and e.epoch = i.epoch and e.seq = i.seq
       where i.migration_id = $1 group by i.status`,
      [id],
      `count-migration-${executions}`,
    );
    const skipped = await db.query<{ executionId: number; reason: string }>(
      `select execution_id as "executionId", coalesce(reason, '') as reason from run_migration_items
       where migration_id = $1 and status in ('skipped', 'stayed') order by execution_id limit ${MOST_SKIPPED}`,
      [id],
      "skipped-of-migration",
    );
    const counts: RunMigration["counts"] = { pending: 0, moved: 0, skipped: 0, undone: 0, stayed: 0 };
    for (const one of found) counts[one.status] = one.count;
    return {
      ...{ id, version, mapping, status, counts, skipped },
      undoable: found.reduce((sum, one) => sum + one.undoable, 0),
      createdBy: row.created_by,
      createdAt: row.created_at.toISOString(),
      finishedAt: row.finished_at?.toISOString() ?? null,
    };
  }
}

function toGroup(run: WaitingRun, ids: readonly number[], { report, passedReviews }: Judgement): MoveGroup {
  const inner = run.state.units
    .map(({ nodeId }) => nodeId)
    .concat((run.state.idle ?? []).map(({ stateId }) => stateId));
  return {
    version: run.version,
    states: [...new Set(inner)].sort(),
    count: ids.length,
    executionIds: ids.slice(0, MOST_LISTED),
    verdict: report.verdict,
    problems: report.problems,
    unplaced: report.unplaced,
    missing: report.missing,
    changed: report.changed,
    passedReviews,
  };
}

/** Groups that differ in nothing a person sees are one. */
function addTo(groups: Map<string, MoveGroup>, group: MoveGroup): void {
  const { count, executionIds, ...seen } = group;
  const key = JSON.stringify(seen);
  const known = groups.get(key);
  if (known === undefined) {
    groups.set(key, group);
    return;
  }
  known.count += count;
  known.executionIds = [...known.executionIds, ...executionIds]
    .toSorted((one, other) => one - other)
    .slice(0, MOST_LISTED);
}

function running(name: string): OvenError {
  return new OvenError("MIGRATION_RUNNING", `Runs of ${name} are being moved already`, {
    status: 409,
    fix: "Wait until they are, or undo it.",
  });
}
