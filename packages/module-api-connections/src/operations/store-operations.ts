import type { ApiOperation } from "@oven/contract/api";
import type { Transaction } from "@oven/db";
import { and, eq, isNull, notInArray, sql } from "@oven/db/drizzle";
import type { ConnectionRow } from "../connections/connection-row.ts";
import { apiOperations } from "../schema.ts";
import { operationProblem } from "./operation-problem.ts";
import { pinOf, toToolId } from "./operation-row.ts";

type Owner = Pick<ConnectionRow, "id" | "tenantId" | "name" | "serverUrl">;
type NewRow = typeof apiOperations.$inferInsert;

const AT_ONCE = 200;

/**
 * Writes down what a document describes: approvals stay, and hold only for what they approved.
 * @returns the ids, as tools, of approved operations that are no longer as they were approved, since this reading
 */
export async function storeOperations(
  tx: Transaction,
  connection: Owner,
  operations: readonly ApiOperation[],
): Promise<string[]> {
  const rows = new Map(operations.map((operation) => [operation.name, toRow(connection, operation)]));
  const changed = await findChanged(tx, connection, rows);
  const all = [...rows.values()];
  for (let at = 0; at < all.length; at += AT_ONCE) await upsert(tx, all.slice(at, at + AT_ONCE));
  await tx.orm
    .update(apiOperations)
    .set({ vanishedAt: sql`now()` })
    .where(
      and(
        ownedBy(connection),
        isNull(apiOperations.vanishedAt),
        rows.size === 0 ? undefined : notInArray(apiOperations.name, [...rows.keys()]),
      ),
    );
  return changed;
}

function toRow({ id, tenantId, name, serverUrl }: Owner, operation: ApiOperation): NewRow {
  return {
    tenantId,
    connectionId: id,
    name: operation.name,
    toolId: toToolId(name, operation.name),
    listed: operation,
    listedHash: pinOf(operation),
    problem: operationProblem(operation, serverUrl),
    effect: operation.effect,
    needsApproval: !operation.reads,
  };
}

/** Another process that reads at the same time waits, and finds them changed already. */
async function findChanged(tx: Transaction, owner: Owner, rows: ReadonlyMap<string, NewRow>): Promise<string[]> {
  const approved = await tx.orm
    .select({ name: apiOperations.name, toolId: apiOperations.toolId, approvedHash: apiOperations.approvedHash })
    .from(apiOperations)
    .where(and(ownedBy(owner), eq(apiOperations.approvedHash, apiOperations.listedHash)))
    .orderBy(apiOperations.id)
    .for("update");
  return approved
    .filter(({ name, approvedHash }) => {
      const now = rows.get(name);
      return now !== undefined && now.listedHash !== approvedHash;
    })
    .map(({ toolId }) => toolId);
}

async function upsert(tx: Transaction, rows: NewRow[]): Promise<void> {
  await tx.orm
    .insert(apiOperations)
    .values(rows)
    .onConflictDoUpdate({
      target: [apiOperations.tenantId, apiOperations.connectionId, apiOperations.name],
      set: {
        toolId: sql`excluded.tool_id`,
        listed: sql`excluded.listed`,
        listedHash: sql`excluded.listed_hash`,
        problem: sql`excluded.problem`,
        vanishedAt: null,
        // What was decided when it was approved stays.
        effect: sql`case when ${apiOperations.approvedHash} is null then excluded.effect else ${apiOperations.effect} end`,
        needsApproval: sql`case when ${apiOperations.approvedHash} is null then excluded.needs_approval else ${apiOperations.needsApproval} end`,
      },
    });
}

function ownedBy({ id, tenantId }: Owner) {
  return and(eq(apiOperations.connectionId, id), eq(apiOperations.tenantId, tenantId));
}
