import { notFound } from "@oven/contract";
import type { ExecutionKind } from "@oven/contract/run";
import type { Queryable } from "@oven/db";
import type { WorkflowTables } from "../definitions/workflow-tables.ts";
import { heldRunCondition } from "../holds/held-condition.ts";
import type { RunTables } from "../tables/run-tables.ts";
import type { WorkflowKind } from "../workflow-kind.ts";
import { claimedColumns } from "./run-columns.ts";

/** One kind of run: its names and its tables. */
export interface RunKind {
  kind: WorkflowKind;
  tables: RunTables & WorkflowTables;
}

/** SQL names of one kind's tables. */
export interface RunTableNames {
  executions: string;
  nodes: string;
  workflows: string;
  versions: string;
  workflowId: string;
  /** The select list of `RunRow` over the table `e`. */
  claimed: string;
  /** Whether run `e` is held: it begins no new step. */
  held: string;
}

const CACHE_SIZE = 100_000;

interface NotedReview {
  id: number;
  executionId: number;
  executionKind: string;
}

/** The kinds that are registered, and which kind a run is of: ids are unique over all kinds. */
export class RunKinds {
  readonly #kinds = new Map<ExecutionKind, RunKind>();
  readonly #kindOfRun = new Map<number, ExecutionKind>();
  readonly #runOfReview = new Map<number, { executionId: number; kind: ExecutionKind }>();

  add(kind: RunKind): void {
    this.#kinds.set(kind.kind.kind, kind);
  }

  all(): RunKind[] {
    return [...this.#kinds.values()];
  }

  get(kind: ExecutionKind): RunKind {
    const found = this.#kinds.get(kind);
    if (found === undefined) throw new Error(`no module brings the run kind ${kind}`);
    return found;
  }

  /** A kind that no module brings here is not remembered. */
  remember(executionId: number, kind: ExecutionKind): void {
    if (!this.#kinds.has(kind)) return;
    if (this.#kindOfRun.size >= CACHE_SIZE) this.#kindOfRun.clear();
    this.#kindOfRun.set(executionId, kind);
  }

  /** As far as it was remembered. */
  known(executionId: number): ExecutionKind | undefined {
    return this.#kindOfRun.get(executionId);
  }

  noteReview({ id, executionId, executionKind }: NotedReview): void {
    if (this.#runOfReview.size >= CACHE_SIZE) this.#runOfReview.clear();
    this.#runOfReview.set(id, { executionId, kind: executionKind as ExecutionKind }); // cast: only the store writes it
  }

  /** The run of a review, where it was noted here. */
  behindReview(id: number): { executionId: number; kind: RunKind } | undefined {
    const run = this.#runOfReview.get(id);
    return run && { executionId: run.executionId, kind: this.get(run.kind) };
  }

  /** @throws OvenError NOT_FOUND */
  async of(db: Queryable, executionId: number): Promise<RunKind> {
    const kind = await this.find(db, executionId);
    if (kind === undefined) throw notFound("execution", executionId);
    return kind;
  }

  async find(db: Queryable, executionId: number): Promise<RunKind | undefined> {
    const known = this.#kindOfRun.get(executionId);
    if (known !== undefined) return this.get(known);
    const selects = this.all().map(
      (kind) => `select '${kind.kind.kind}' as kind from ${namesOf(kind).executions} where id = $1`,
    );
    const [row] = await db.query<{ kind: ExecutionKind }>(
      selects.join(" union all "),
      [executionId],
      `kind-of-${selects.length}`,
    );
    if (row === undefined) return undefined;
    this.remember(executionId, row.kind);
    return this.get(row.kind);
  }
}

/** Every run, of whatever kind: `select id, parent_id, …` of all of them. */
export function allRuns(kinds: readonly RunKind[], columns: string): string {
  return kinds.map((kind) => `select ${columns} from ${namesOf(kind).executions}`).join(" union all ");
}

/** Every node run, of whatever kind. */
export function allNodes(kinds: readonly RunKind[], columns: string): string {
  return kinds.map((kind) => `select ${columns} from ${namesOf(kind).nodes}`).join(" union all ");
}

/**
 * Whether run `e` should be worked on and is not; `now` is a parameter. A run whose last holder gave it up and that waits for
 * its children has nothing to do; one whose holder is gone may have, whatever it waits for.
 */
export function stuckCondition(kinds: readonly RunKind[], now: string): string {
  const children = allRuns(kinds, "parent_id, status");
  const waits = `lease_owner is null and exists (select 1 from (${children}) c where c.parent_id = e.id and c.status in ('pending', 'running', 'paused'))`;
  return `(lease_until is null or lease_until < now()) and status in ('pending', 'running', 'paused')
    and (status = 'pending' or status = 'running' and (wake_at <= ${now} or wake_at is null and not (${waits}))
      or exists (select 1 from run_signals s where s.execution_id = e.id and s.consumed_at is null))`;
}

/** A run and everything below it, itself first. */
export async function familyOf(db: Queryable, kinds: readonly RunKind[], executionId: number): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    `with recursive family (id) as (
       select $1::bigint union all
       select r.id from family f join (${allRuns(kinds, "id, parent_id")}) r on r.parent_id = f.id)
     select id from family order by id`,
    [executionId],
    "family-of",
  );
  return rows.map(({ id }) => id);
}

/** The nodes of a run, and of the runs that it goes on from, that asked a person what is to follow, or whose child runs did. */
export async function nodesThatAsked(db: Queryable, kinds: readonly RunKind[], executionId: number): Promise<string[]> {
  const rows = await db.query<{ node: string }>(
    `with recursive origin (id) as (
       select $1::bigint union
       select coalesce(r.retry_of, r.fork_of) from origin o join (${allRuns(kinds, "id, retry_of, fork_of")}) r on r.id = o.id
        where coalesce(r.retry_of, r.fork_of) is not null),
     below (id, node) as (
       select r.id, r.parent_node_id from origin o join (${allRuns(kinds, "id, parent_id, parent_node_id")}) r on r.parent_id = o.id
       union all
       select r.id, b.node from below b join (${allRuns(kinds, "id, parent_id")}) r on r.parent_id = b.id)
     select v.node_id as node from origin o join reviews v on v.execution_id = o.id and v.tool is null
     union
     select b.node from below b join reviews v on v.execution_id = b.id and v.tool is null`,
    [executionId],
    "nodes-that-asked",
  );
  return rows.map(({ node }) => node);
}

export function namesOf({ kind, tables }: RunKind): RunTableNames {
  const claimed = claimedColumns(tables.executions);
  return kind.kind === "workflow"
    ? {
        executions: "workflow_executions",
        nodes: "node_executions",
        workflows: "workflows",
        versions: "workflow_versions",
        workflowId: "workflow_id",
        claimed,
        held: heldRunCondition("workflow", "workflow_id"),
      }
    : {
        executions: "agent_workflow_executions",
        nodes: "agent_workflow_node_executions",
        workflows: "agent_workflows",
        versions: "agent_workflow_versions",
        workflowId: "agent_workflow_id",
        claimed,
        held: heldRunCondition("agent-workflow", "agent_workflow_id"),
      };
}
