import type { Principal } from "@oven/contract";
import type { ApproveApiOperations, ApprovedApiOperations } from "@oven/contract/api";
import type { Database } from "@oven/db";

/** Approves the operations of a connection that are still what was looked at. */
export async function approveOperations(
  db: Database,
  { tenantId, userId }: Principal,
  connectionId: number,
  { operations, effect, needsApproval, approvalWhen }: ApproveApiOperations,
): Promise<ApprovedApiOperations> {
  const rows = await db.query<{ name: string; approved: boolean }>(
    `with given as (select * from unnest($1::bigint[], $2::text[]) as g(id, hash)),
     done as (
       update api_operations o
       set approved = o.listed, approved_hash = o.listed_hash, approved_by = $3, approved_at = now(),
         effect = coalesce($4, o.listed->>'effect'),
         needs_approval = coalesce($5::boolean, not (o.listed->>'reads')::boolean), approval_when = $6
       from given g
       where o.id = g.id and o.listed_hash = g.hash and o.problem is null and o.vanished_at is null
         and o.connection_id = $7 and o.tenant_id = $8
       returning o.id)
     select o.name, d.id is not null as approved
     from given g join api_operations o on o.id = g.id and o.connection_id = $7 and o.tenant_id = $8
     left join done d on d.id = o.id order by o.name`,
    [
      ...[operations.map(({ id }) => id), operations.map(({ hash }) => hash), userId, effect ?? null],
      ...[needsApproval ?? null, approvalWhen, connectionId, tenantId],
    ],
  );
  return {
    approved: rows.filter(({ approved }) => approved).length,
    changed: rows.filter(({ approved }) => !approved).map(({ name }) => name),
  };
}
