import type { Principal } from "@oven/contract";
import type { Effect } from "@oven/contract/node";
import type { Database } from "@oven/db";

/** What an outside party offers, as it was listed last and as it was approved. */
export interface Pinned {
  /** Why it cannot be used as it is listed. */
  problem: string | null;
  vanishedAt: Date | null;
  listedHash: string | null;
  approvedHash: string | null;
}

export type PinnedState = "new" | "approved" | "changed" | "vanished" | "refused";

/** Whether it may be used: only what is listed as it was approved. */
export function pinnedState({ problem, vanishedAt, approvedHash, listedHash }: Pinned): PinnedState {
  if (vanishedAt !== null) return "vanished";
  if (problem !== null) return "refused";
  if (approvedHash === null) return "new";
  return approvedHash === listedHash ? "approved" : "changed";
}

/** `pinnedState` as SQL, of a query that has one such table. */
export const PINNED_STATE_SQL = `case when vanished_at is not null then 'vanished' when problem is not null then 'refused'
  when approved_hash is null then 'new' when approved_hash = listed_hash then 'approved' else 'changed' end`;

/**
 * Why it is not called; undefined: it may be.
 * @param source whose words were approved, such as `its server`
 */
export function whyNotCalled(enabled: boolean, pinned: Pinned, source: string): string | undefined {
  if (!enabled) return "its connection is disabled";
  switch (pinnedState(pinned)) {
    case "approved":
      return undefined;
    case "new":
      return "it has not been approved yet";
    case "changed":
      return `${source} has changed it since it was approved`;
    case "vanished":
      return `${source} no longer has it`;
    case "refused":
      return `it cannot be used as ${source} describes it`;
  }
}

/** Tables of pinned rows of connections, with the same columns for what was listed and what was approved. */
export type PinnedTable = "mcp_connection_tools" | "api_operations";

export interface Approval {
  /** Rows as they were looked at. */
  rows: readonly { id: number; hash: string }[];
  /** Absent: as it is listed. */
  effect?: Effect | undefined;
  /** Absent: unless it is listed as one that reads. */
  needsApproval?: boolean | undefined;
  approvalWhen: string | null;
}

/** Approves rows of a connection that are still what was looked at; those that are not are named. */
export async function approvePinned(
  db: Database,
  table: PinnedTable,
  { tenantId, userId }: Principal,
  connectionId: number,
  { rows, effect, needsApproval, approvalWhen }: Approval,
): Promise<{ approved: number; changed: string[] }> {
  const outcomes = await db.query<{ name: string; approved: boolean }>(
    `with given as (select * from unnest($1::bigint[], $2::text[]) as g(id, hash)),
     done as (
       update ${table} t
       set approved = t.listed, approved_hash = t.listed_hash, approved_by = $3, approved_at = now(),
         effect = coalesce($4, t.listed->>'effect'),
         needs_approval = coalesce($5::boolean, not (t.listed->>'reads')::boolean), approval_when = $6
       from given g
       where t.id = g.id and t.listed_hash = g.hash and t.problem is null and t.vanished_at is null
         and t.connection_id = $7 and t.tenant_id = $8
       returning t.id)
     select t.name, d.id is not null as approved
     from given g join ${table} t on t.id = g.id and t.connection_id = $7 and t.tenant_id = $8
     left join done d on d.id = t.id order by t.name`,
    [
      ...[rows.map(({ id }) => id), rows.map(({ hash }) => hash), userId, effect ?? null],
      ...[needsApproval ?? null, approvalWhen, connectionId, tenantId],
    ],
  );
  return {
    approved: outcomes.filter(({ approved }) => approved).length,
    changed: outcomes.filter(({ approved }) => !approved).map(({ name }) => name),
  };
}

/** What takes an approval back, as values of its row. */
export const NOT_APPROVED = { approved: null, approvedHash: null, approvedBy: null, approvedAt: null };
