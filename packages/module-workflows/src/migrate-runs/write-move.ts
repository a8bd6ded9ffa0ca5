import type { Json, JsonObject } from "@oven/contract";
import type { Queryable } from "@oven/db";
import type { ContextSnapshot, RunColumns, RunState } from "@oven/engine";
import { namesOf, type RunKind } from "../runtime/run-kinds.ts";
import { orNull } from "../runtime/statement-builder.ts";

/** A run's row, as far as a move changes it. */
export interface MovedRow {
  version: number;
  state: RunState;
  context: ContextSnapshot;
  pinnedCalls: Record<string, number> | null;
  columns: Pick<RunColumns, "currentState" | "activeStates" | "stateValue" | "waitingUntil" | "checkpoint">;
  wakeAt: string | null;
}

/** The run's fence, and the version that it has. */
export interface Standing {
  id: number;
  tenantId: number;
  epoch: number;
  seq: number;
  version: number;
}

export interface MoveEntry {
  at: string;
  fields: JsonObject;
  cause: Json;
}

/** Renamed nodes that have not ended: from, to and the visit. */
export type RenamedUnit = readonly [from: string, to: string, visit: number];

/** The columns of a run that a move changes, as they are. */
export type LockedColumns = Pick<MovedRow, "columns" | "wakeAt">;

interface LockedRow extends Record<string, unknown> {
  current_state: string;
  active_states: string[];
  state_value: Json;
  waiting_until: Date | null;
  checkpoint: RunColumns["checkpoint"];
  wake_at: Date | null;
}

/**
 * Locks a run that waits and that nothing has happened to. It never waits for another lock: who has the run goes first.
 * @returns undefined when a worker has it, or it is not as it was
 */
export async function lockWaiting(
  tx: Queryable,
  kind: RunKind,
  { id, epoch, seq, version }: Standing,
): Promise<LockedColumns | undefined> {
  const { executions } = namesOf(kind);
  const [row] = await tx.query<LockedRow>(
    `select current_state, active_states, state_value, waiting_until, checkpoint, wake_at from ${executions}
     where id = $1 and epoch = $2 and seq = $3 and workflow_version = $4 and lease_owner is null
       and status in ('running', 'paused') for update skip locked`,
    [id, epoch, seq, version],
    `lock-waiting-${executions}`,
  );
  if (row === undefined) return undefined;
  // Looked for behind the lock: a decision that is committed by now is the run's own next step.
  const signals = await tx.query(
    "select 1 from run_signals where execution_id = $1 and consumed_at is null limit 1",
    [id],
    "has-signals",
  );
  if (signals.length > 0) return undefined;
  return {
    columns: {
      currentState: row.current_state,
      activeStates: row.active_states,
      stateValue: row.state_value,
      waitingUntil: row.waiting_until?.toISOString() ?? null,
      checkpoint: row.checkpoint,
    },
    wakeAt: row.wake_at?.toISOString() ?? null,
  };
}

/** Puts a locked run where it is to stand, with an entry in its log. Its epoch goes up: what others prepared for it is refused. */
export async function writeMove(
  tx: Queryable,
  kind: RunKind,
  { id, tenantId, epoch, seq }: Standing,
  { version, state, context, pinnedCalls, columns, wakeAt }: MovedRow,
  units: readonly RenamedUnit[],
  { at, fields, cause }: MoveEntry,
): Promise<{ epoch: number; seq: number }> {
  const { executions, nodes } = namesOf(kind);
  const isOpen = "status in ('running', 'paused')";
  await tx.query(
    `with e as (update ${executions} set workflow_version = $2, state = $3::json, context = $4::json, context_writers = $5::json,
         context_seq = $6, pinned_calls = $7::json, current_state = $8, active_states = $9::json, state_value = $10::json,
         waiting_until = $11::timestamptz, checkpoint = $12::json, wake_at = $13::timestamptz, epoch = $14, seq = $6 where id = $1),
       renamed as (select * from unnest($19::text[], $20::text[], $21::int[]) as renamed(was, is_now, visit)),
       n as (update ${nodes} as n set
           node_id = coalesce((select is_now from renamed where was = n.node_id and visit = n.visit), n.node_id),
           parent_node_id = coalesce((select is_now from renamed where was = n.parent_node_id limit 1), n.parent_node_id)
         where n.execution_id = $1 and n.${isOpen} and exists (select 1 from renamed where was in (n.node_id, n.parent_node_id))),
       r as (update reviews set node_id = is_now from renamed
         where execution_id = $1 and node_id = was and reviews.visit = renamed.visit and status = 'open')
     insert into run_events (execution_id, seq, tenant_id, event, at, fields, cause)
     values ($1, $6, $15, 'execution.migrated', $16, $17::json, $18::json)`,
    [
      ...[id, version, JSON.stringify(state), JSON.stringify(context.values), JSON.stringify(context.writers), seq + 1],
      ...[orNull(pinnedCalls), columns.currentState, JSON.stringify(columns.activeStates)],
      ...[JSON.stringify(columns.stateValue), columns.waitingUntil, orNull(columns.checkpoint), wakeAt, epoch + 1],
      ...[tenantId, at, JSON.stringify(fields), JSON.stringify(cause)],
      ...[units.map(([was]) => was), units.map(([, now]) => now), units.map(([, , visit]) => visit)],
    ],
    `move-${executions}`,
  );
  return { epoch: epoch + 1, seq: seq + 1 };
}
