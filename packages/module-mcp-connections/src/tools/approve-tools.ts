import type { Principal } from "@oven/contract";
import type { ApprovedMcpTools, ApproveMcpTools } from "@oven/contract/mcp";
import type { Database } from "@oven/db";

/** Approves the tools of a connection that are still what was looked at. */
export async function approveTools(
  db: Database,
  { tenantId, userId }: Principal,
  connectionId: number,
  { tools, effect, needsApproval, approvalWhen }: ApproveMcpTools,
): Promise<ApprovedMcpTools> {
  const rows = await db.query<{ name: string; approved: boolean }>(
    `with given as (select * from unnest($1::bigint[], $2::text[]) as g(id, hash)),
     done as (
       update mcp_connection_tools t
       set approved = t.listed, approved_hash = t.listed_hash, approved_by = $3, approved_at = now(), effect = $4, needs_approval = $5, approval_when = $8
       from given g
       where t.id = g.id and t.listed_hash = g.hash and t.problem is null and t.vanished_at is null
         and t.connection_id = $6 and t.tenant_id = $7
       returning t.id)
     select t.name, d.id is not null as approved
     from given g join mcp_connection_tools t on t.id = g.id and t.connection_id = $6 and t.tenant_id = $7
     left join done d on d.id = t.id order by t.name`,
    [
      ...[tools.map(({ id }) => id), tools.map(({ hash }) => hash), userId, effect, needsApproval],
      ...[connectionId, tenantId, approvalWhen],
    ],
  );
  return {
    approved: rows.filter(({ approved }) => approved).length,
    changed: rows.filter(({ approved }) => !approved).map(({ name }) => name),
  };
}
