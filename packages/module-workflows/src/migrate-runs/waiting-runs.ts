import type { RunOptions } from "@oven/contract/run";
import type { Database } from "@oven/db";
import { nextTurn, type RunState } from "@oven/engine";
import { allRuns, namesOf, type RunKind } from "../runtime/run-kinds.ts";
import type { WaitingRun } from "./moves.ts";

/** Rows that are read at once: parsing the states of thousands would hold the process. */
const PART = 500;

/** A run has begun and has not ended; one that has not begun begins on the version it has. */
const BEGUN = "e.status in ('running', 'paused')";
const BUSY = `(e.lease_owner is not null
  or exists (select 1 from run_signals s where s.execution_id = e.id and s.consumed_at is null))`;

interface Row extends Record<string, unknown> {
  id: number;
  version: number;
  status: string;
  state: RunState;
  options: RunOptions | null;
  part: string | null;
  busy: boolean;
}

/** Runs of a workflow on other versions than the given one, in parts. Tests of drafts are left out. */
export async function* waitingRuns(
  db: Database,
  kind: RunKind,
  { tenantId, workflowId, version }: { tenantId: number; workflowId: number; version: number },
): AsyncGenerator<WaitingRun[], void> {
  const { executions, workflowId: column } = namesOf(kind);
  for (let after = 0; ; ) {
    const rows = await db.query<Row>(
      `select e.id, e.workflow_version as version, e.status, e.state, e.options, e.part, ${BUSY} as busy from ${executions} e
       where e.tenant_id = $1 and e.${column} = $2 and e.id > $3 and ${BEGUN} and e.workflow_version > 0 and e.workflow_version <> $4
         and e.seq > 0 order by e.id limit ${PART}`,
      [tenantId, workflowId, after, version],
      `waiting-runs-${executions}`,
    );
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PART) return;
    after = last.id;
    await nextTurn();
  }
}

/** These runs, as far as they have not ended. */
export async function readWaiting(db: Database, kind: RunKind, ids: readonly number[]): Promise<WaitingRun[]> {
  const { executions } = namesOf(kind);
  return db.query<Row>(
    `select e.id, e.workflow_version as version, e.status, e.state, e.options, e.part, ${BUSY} as busy from ${executions} e
     where e.id = any($1::bigint[]) and ${BEGUN} and e.seq > 0 order by e.id`,
    [ids],
    `waiting-by-id-${executions}`,
  );
}

/** How many runs wait on other versions than these. */
export async function countWaiting(
  db: Database,
  kind: RunKind,
  { tenantId, workflowId, versions }: { tenantId: number; workflowId: number; versions: readonly number[] },
): Promise<number> {
  const { executions, workflowId: column } = namesOf(kind);
  const [row] = await db.query<{ count: number }>(
    `select count(*)::int as count from ${executions} e
     where e.tenant_id = $1 and e.${column} = $2 and ${BEGUN} and e.workflow_version > 0 and e.workflow_version <> all($3::int[]) and e.seq > 0`,
    [tenantId, workflowId, versions],
    `count-waiting-${executions}`,
  );
  return row?.count ?? 0;
}

/** The states of each of these runs, and of those that it goes on from, that asked a person what is to follow, or whose child runs did. */
export async function statesThatAsked(
  db: Database,
  kinds: readonly RunKind[],
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  const rows = await db.query<{ id: number; node: string }>(
    `with recursive origin (id, run) as (
       select i, i from unnest($1::bigint[]) as i union
       select coalesce(r.retry_of, r.fork_of), o.run from origin o join (${allRuns(kinds, "id, retry_of, fork_of")}) r on r.id = o.id
        where coalesce(r.retry_of, r.fork_of) is not null),
     below (id, run, node) as (
       select r.id, o.run, r.parent_node_id from origin o
       join (${allRuns(kinds, "id, parent_id, parent_node_id")}) r on r.parent_id = o.id
       union all
       select r.id, b.run, b.node from below b join (${allRuns(kinds, "id, parent_id")}) r on r.parent_id = b.id)
     select o.run as id, v.node_id as node from origin o join reviews v on v.execution_id = o.id and v.tool is null
     union
     select b.run as id, b.node from below b join reviews v on v.execution_id = b.id and v.tool is null`,
    [ids],
    "states-that-asked",
  );
  const asked = new Map<number, string[]>();
  for (const { id, node } of rows) asked.set(id, [...(asked.get(id) ?? []), node]);
  return asked;
}
