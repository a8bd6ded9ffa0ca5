import type { Json } from "@oven/contract";
import type { NamedQuery } from "@oven/db";
import type { ContextOp, RunSignal } from "@oven/engine";
import type { Lease } from "./insert-execution.ts";
import type { RunRow } from "./run-columns.ts";
import type { RunTableNames } from "./run-kinds.ts";
import { NODE_COLUMNS, type NodeRow } from "./run-row.ts";

/** Whether run $1 has signals that nobody has looked at. */
export const SIGNALLED = "exists (select 1 from run_signals s where s.execution_id = $1 and s.consumed_at is null)";
/** Selects the open signals of run $1. */
export const OPEN_SIGNALS =
  "select id, type, data from run_signals where execution_id = $1 and consumed_at is null order by id";
export const ENDED = "('completed', 'failed', 'cancelled')";

export interface LogRow extends Record<string, unknown> {
  seq: number;
  patch: ContextOp[] | null;
  cause: Json;
}

/** Selects the context patches of run $1 after a log entry, and what the run began with. */
export function readLog(after: string, most?: number): string {
  return `select seq, patch, case when seq = 1 then cause end as cause from run_events
    where execution_id = $1 and seq > ${after} and (patch is not null or seq = 1) order by seq${most === undefined ? "" : ` limit ${most}`}`;
}

/** Selects the nodes of run $1 that have not ended, and the ended items of nodes that still wait. */
export function readOpenRows(nodes: string): string {
  return `select ${NODE_COLUMNS} from ${nodes} n
    where execution_id = $1 and (status in ('running', 'paused') or (item is not null and exists (
      select 1 from ${nodes} p where p.execution_id = n.execution_id and p.node_id = n.node_id and p.visit = n.visit
        and p.item is null and p.status in ('running', 'paused'))))
    order by id`;
}

export interface Claim extends Lease {
  executionId: number;
}

/** What they answer, in their order. */
export type ClaimAnswers = [RunRow[], LogRow[], NodeRow[], RunSignal[]];

/**
 * Takes the lease of a run, and reads behind it what was written of the run: as whoever held it before has left it. The
 * answers: the run, or nothing where it is another's; its log after the last full snapshot; its open rows; its signals.
 */
export function claimStatements(
  { executions, workflows, workflowId, nodes, claimed, held }: RunTableNames,
  { executionId, worker, milliseconds }: Claim,
): NamedQuery[] {
  return [
    {
      sql: `update ${executions} as e set epoch = e.epoch + 1, lease_owner = $2, lease_until = now() + make_interval(secs => $3::float / 1000)
        from ${workflows} as w, (select id, lease_owner from ${executions} where id = $1 for update) as before
        where e.id = before.id and w.id = e.${workflowId} and (e.lease_until is null or e.lease_until < now()) and e.status not in ${ENDED}
          and not ${held}
        returning before.lease_owner is not null as "takenOver", ${SIGNALLED} as signalled, w.name as "workflowName", ${claimed}`,
      params: [executionId, worker, milliseconds],
      name: `claim-${executions}`,
    },
    ...behindClaim({ executions, nodes }, executionId),
  ];
}

/** As `claimStatements` of a run that nobody holds, without taking it. */
export function lookStatements(
  { executions, workflows, workflowId, nodes, claimed }: RunTableNames,
  executionId: number,
): NamedQuery[] {
  return [
    {
      sql: `select false as "takenOver", ${SIGNALLED} as signalled, w.name as "workflowName", ${claimed}
        from ${executions} as e join ${workflows} as w on w.id = e.${workflowId}
        where e.id = $1 and e.lease_owner is null and e.status not in ${ENDED}`,
      params: [executionId],
      name: `look-${executions}`,
    },
    ...behindClaim({ executions, nodes }, executionId),
  ];
}

function behindClaim({ executions, nodes }: Pick<RunTableNames, "executions" | "nodes">, id: number): NamedQuery[] {
  const snapshot = `(select e.context_seq from ${executions} e where e.id = $1 and e.context is not null)`;
  return [
    { sql: readLog(`coalesce(${snapshot}, 0)`), params: [id], name: `claimed-log-${executions}` },
    { sql: readOpenRows(nodes), params: [id], name: `load-rows-${nodes}` },
    { sql: OPEN_SIGNALS, params: [id], name: "open-signals" },
  ];
}
