import type { Json } from "@oven/contract";
import type { Database } from "@oven/db";
import { type AskedCall, hashJson, isContentReference } from "@oven/engine";
import { namesOf, type RunKind } from "../runtime/run-kinds.ts";

/** Runs in which a call with the same input is looked for. */
const MOST_RUNS = 50;

/**
 * What the same step of the same workflow answered to the same input in one of its newest runs.
 * @param before epoch milliseconds: only answers that had come by then
 * @returns undefined where it was not asked that
 */
export async function findPastAnswer(
  { db, kind }: { db: Database; kind: RunKind },
  { workflowId, tenantId }: { workflowId: number; tenantId: number },
  { nodeId, item, input }: AskedCall,
  before: number,
): Promise<{ output: Json } | undefined> {
  const { executions, nodes, workflowId: column } = namesOf(kind);
  const rows = await db.query<{ input: Json; output: Json }>(
    `select n.input, n.output from ${nodes} n
     where n.execution_id in (
         select e.id from ${executions} e where e.${column} = $1 and e.tenant_id = $2 order by e.id desc limit ${MOST_RUNS})
       and n.node_id = $3 and n.item is not distinct from $4 and n.status = 'completed'
       and n.completed_at < $5
     order by n.id desc`,
    [workflowId, tenantId, nodeId, item, new Date(before).toISOString()],
    `past-answers-${nodes}`,
  );
  const asked = hashJson(input);
  const found = rows.find((row) => hashJson(row.input) === asked && !isContentReference(row.output));
  return found && { output: found.output };
}
