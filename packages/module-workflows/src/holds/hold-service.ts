import { mayUseWorkflow, notFound, OvenError, type Principal } from "@oven/contract";
import type { ExecutionKind, Hold, NewHold } from "@oven/contract/run";
import type { Database } from "@oven/db";
import { and, eq } from "@oven/db/drizzle";
import { visibleTo } from "@oven/module-registry";
import { namesOf, type RunKinds } from "../runtime/run-kinds.ts";
import { runHolds } from "../tables/shared-run-tables.ts";

export interface HoldServiceDeps {
  db: Database;
  kinds: RunKinds;
  /** @throws OvenError NOT_FOUND when the principal may not see the run */
  requireRun(principal: Principal, executionId: number): Promise<void>;
  /** @throws OvenError NOT_FOUND when the principal may not see the workflow */
  requireWorkflow(principal: Principal, kind: ExecutionKind, id: number): Promise<unknown>;
  /** Lets these runs begin no new step, in whatever process. */
  hold(executionIds: readonly number[]): void;
  /** Looks for runs that may go on. */
  look(): void;
}

interface Target {
  kind: ExecutionKind | null;
  workflowId: number | null;
  executionId: number | null;
}

type HoldRow = typeof runHolds.$inferSelect;

/**
 * Holds: what is held finishes and records the calls that are under way, begins no new step, and goes on when the hold is taken away. Runs that
 * are started meanwhile are accepted and wait. Decisions, events and timers are stored and count afterwards.
 */
export class HoldService {
  readonly #deps: HoldServiceDeps;

  constructor(deps: HoldServiceDeps) {
    this.#deps = deps;
  }

  /** Those of the tenant, the newest first; of a key that is bound to workflows, those that are about them. */
  async list(principal: Principal): Promise<Hold[]> {
    const rows = await this.#deps.db.orm.select().from(runHolds).where(visibleTo(principal, runHolds.tenantId));
    return this.#show(rows.filter((row) => this.#concerns(principal, row)).toSorted((one, other) => other.id - one.id));
  }

  #concerns(principal: Principal, { kind, workflowId, executionId }: HoldRow): boolean {
    if (principal.workflows === undefined) return true;
    if (executionId !== null) return false;
    return kind === null || workflowId === null || mayUseWorkflow(principal, kind as ExecutionKind, workflowId); // cast: only this service writes it
  }

  /** @throws OvenError NOT_FOUND */
  async get(principal: Principal, id: number): Promise<Hold> {
    const found = (await this.list(principal)).find((hold) => hold.id === id);
    if (found === undefined) throw notFound("hold", id);
    return found;
  }

  /** @throws OvenError NOT_FOUND, HELD_ALREADY 409 */
  async add(principal: Principal, asked: NewHold): Promise<Hold> {
    const { db, hold } = this.#deps;
    const target = await this.#targetOf(principal, asked);
    const { tenantId, userId } = principal;
    const values = { tenantId, ...target, reason: asked.reason || null, heldBy: userId };
    const [row] = await db.orm.insert(runHolds).values(values).onConflictDoNothing().returning();
    if (row === undefined) {
      throw new OvenError("HELD_ALREADY", "This is held already", {
        status: 409,
        fix: "See `GET /api/holds` for who held it and why.",
      });
    }
    hold(await this.#runsAtWork(tenantId));
    const [shown] = await this.#show([row]);
    if (shown === undefined) throw notFound("hold", row.id);
    return shown;
  }

  /** Lets what it holds go on. @throws OvenError NOT_FOUND */
  async remove(principal: Principal, id: number): Promise<void> {
    const { db, look } = this.#deps;
    const mine = and(visibleTo(principal, runHolds.tenantId), eq(runHolds.id, id));
    const removed = await db.orm.delete(runHolds).where(mine).returning({ id: runHolds.id });
    if (removed.length === 0) throw notFound("hold", id);
    look();
  }

  async #targetOf(principal: Principal, { executionId, workflow }: NewHold): Promise<Target> {
    const { db, kinds, requireRun, requireWorkflow } = this.#deps;
    if (workflow !== undefined) {
      await requireWorkflow(principal, workflow.kind, workflow.id);
      return { kind: workflow.kind, workflowId: workflow.id, executionId: null };
    }
    if (executionId !== undefined) {
      await requireRun(principal, executionId);
      const { executions } = namesOf(await kinds.of(db, executionId));
      const [run] = await db.query<{ root: number }>(
        `select coalesce(root_id, id) as root from ${executions} where id = $1`,
        [executionId],
        `root-of-${executions}`,
      );
      return { kind: null, workflowId: null, executionId: run?.root ?? executionId };
    }
    return { kind: null, workflowId: null, executionId: null };
  }

  /** Runs of the tenant that are held and that a process works on. */
  async #runsAtWork(tenantId: number): Promise<number[]> {
    const selects = this.#deps.kinds.all().map((kind) => {
      const { executions, held } = namesOf(kind);
      return `select e.id from ${executions} e where e.tenant_id = $1 and e.lease_owner is not null
        and e.status in ('pending', 'running', 'paused') and ${held}`;
    });
    const rows = await this.#deps.db.query<{ id: number }>(selects.join(" union all "), [tenantId], "held-at-work");
    return rows.map(({ id }) => id);
  }

  async #show(rows: readonly HoldRow[]): Promise<Hold[]> {
    const people = rows.flatMap(({ heldBy }) => heldBy ?? []);
    const nameOf = await this.#names(
      "select id, name from users where id = any($1::bigint[])",
      people,
      "names-of-users",
    );
    const workflows = new Map<string, ReadonlyMap<number, string>>();
    for (const kind of this.#deps.kinds.all()) {
      const ids = rows.flatMap((row) => (row.kind === kind.kind.kind ? (row.workflowId ?? []) : []));
      const sql = `select id, name from ${namesOf(kind).workflows} where id = any($1::bigint[])`;
      workflows.set(kind.kind.kind, await this.#names(sql, ids, `names-of-${namesOf(kind).workflows}`));
    }
    return rows.map(({ id, kind, workflowId, executionId, reason, heldBy, createdAt }) => ({
      id,
      executionId,
      workflow:
        kind === null || workflowId === null
          ? null
          : {
              kind: kind as ExecutionKind,
              id: workflowId,
              name: workflows.get(kind)?.get(workflowId) ?? String(workflowId),
            }, // cast: as above
      reason,
      heldBy,
      heldByName: heldBy === null ? null : (nameOf.get(heldBy) ?? null),
      createdAt: createdAt.toISOString(),
    }));
  }

  async #names(sql: string, ids: readonly number[], name: string): Promise<ReadonlyMap<number, string>> {
    if (ids.length === 0) return new Map();
    const rows = await this.#deps.db.query<{ id: number; name: string }>(sql, [[...new Set(ids)]], name);
    return new Map(rows.map((row) => [row.id, row.name]));
  }
}
