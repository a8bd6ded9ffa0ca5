import type { Queryable } from "@oven/db";
import { allNodes, allRuns, type RunKinds } from "../runtime/run-kinds.ts";

/** The one call that an approval lets through: a visit of a step, and the call's id in it. */
export interface ReleasedPosition {
  tenantId: number;
  executionId: number;
  nodeId: string;
  visit: number;
  item: string;
}

/**
 * Uses an approval up for one call; the same call may ask again, after a crash or as another attempt. A run that tries an
 * ended one again takes its use over, unless the call had been answered: then it has been used.
 * @returns false when another call has used it
 */
export async function useRelease(
  db: Queryable,
  kinds: RunKinds,
  reviewId: number,
  { tenantId, executionId, nodeId, visit, item }: ReleasedPosition,
): Promise<boolean> {
  const runs = allRuns(kinds.all(), "id, retry_of, status");
  const rows = await db.query(
    `with recursive tried (id) as (
       select retry_of from (${runs}) r where r.id = $3::bigint
       union select r.retry_of from tried t join (${runs}) r on r.id = t.id)
     insert into review_releases as used (review_id, tenant_id, execution_id, node_id, visit, item)
     values ($1::bigint, $2, $3::bigint, $4, $5, $6)
     on conflict (review_id) do update set execution_id = excluded.execution_id, visit = excluded.visit
       where used.node_id = excluded.node_id and used.item = excluded.item and (
         used.execution_id = excluded.execution_id and used.visit = excluded.visit
         or used.execution_id in (select id from tried) and not exists (
           select from (${allNodes(kinds.all(), "execution_id, node_id, visit, item, status")}) n
           where n.execution_id = used.execution_id and n.node_id = used.node_id and n.visit = used.visit
             and n.item = used.item and n.status = 'completed'))
     returning review_id`,
    [reviewId, tenantId, executionId, nodeId, visit, item],
    "use-release",
  );
  return rows.length > 0;
}
