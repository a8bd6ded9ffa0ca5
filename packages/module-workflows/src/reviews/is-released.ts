import type { Json } from "@oven/contract";
import type { ReleasedToolCall } from "@oven/contract/review";
import type { Queryable } from "@oven/db";
import { hashJson } from "@oven/engine";
import { allRuns, type RunKinds } from "../runtime/run-kinds.ts";

/**
 * Whether the review that the call names has released this tool with these arguments, for this run: the run itself, one that
 * it was called by, or one that it tries again. A fork is another run, and asks again.
 */
export async function isReleased(
  db: Queryable,
  kinds: RunKinds,
  executionId: number,
  { tool, arguments: proposal, review }: Pick<ReleasedToolCall, "tool" | "arguments" | "review">,
): Promise<boolean> {
  if (!review || hashJson({ tool, proposal }) !== review.digest) return false;
  const [row] = await db.query<{ tool: string | null; data: Json }>(
    `with recursive around (id) as (
       select $2::bigint union
       select unnest(array[r.parent_id, r.retry_of]) from around a
         join (${allRuns(kinds.all(), "id, parent_id, retry_of")}) r on r.id = a.id)
     select tool, data from reviews where id = $1 and status = 'decided' and action in ('approve', 'edit')
       and execution_id in (select id from around)`,
    [review.id, executionId],
    "released-call",
  );
  return row !== undefined && hashJson({ tool: row.tool, proposal: row.data }) === review.digest;
}
