import type { Database, Transaction } from "@oven/db";
import { and, eq, isNull, notInArray, sql } from "@oven/db/drizzle";
import type { EventService } from "@oven/module-registry";
import type { ListedTools } from "../client/list-tools.ts";
import type { ConnectionRow } from "../connections/connection-row.ts";
import { mcpConnectionTools } from "../schema.ts";
import { pinOf } from "./pin.ts";
import { toolsChanged } from "./tool-events.ts";
import { toToolId } from "./tool-id.ts";
import { toolProblem } from "./tool-problem.ts";

/**
 * Writes down what a server listed: approvals stay where they are, and hold only for what they approved.
 * @returns the ids of approved tools that are no longer as they were approved, since this listing
 */
export async function keepListing(
  db: Database,
  connection: ConnectionRow,
  { tools, broken }: ListedTools,
  events: Pick<EventService, "write">,
): Promise<string[]> {
  const { id: connectionId, tenantId } = connection;
  const times = new Map<string, number>();
  for (const { name } of tools) {
    const toolId = toToolId(connection.name, name);
    times.set(toolId, (times.get(toolId) ?? 0) + 1);
  }
  const rows = new Map<string, typeof mcpConnectionTools.$inferInsert>();
  const common = { tenantId, connectionId, lastSeenAt: new Date() };
  for (const tool of tools) {
    const toolId = toToolId(connection.name, tool.name);
    // Two names can become one id: a server sees how ids are made.
    const problem = toolProblem(tool, times.get(toolId) ?? 1) ?? null;
    rows.set(tool.name, { ...common, name: tool.name, toolId, listed: tool, listedHash: pinOf(tool), problem });
  }
  for (const { name, problem } of broken) {
    if (rows.has(name)) continue;
    const listed = { name, title: null, description: "", inputSchema: {}, outputSchema: null, hints: {} };
    rows.set(name, {
      ...common,
      name,
      toolId: toToolId(connection.name, name),
      listed,
      listedHash: pinOf(listed),
      problem,
    });
  }
  return db.transaction(async (tx) => {
    const changed = await findChanged(tx, connection, rows);
    for (const part of inParts([...rows.values()], 200)) await upsert(tx, part);
    await tx.orm
      .update(mcpConnectionTools)
      .set({ vanishedAt: sql`now()` })
      .where(
        and(
          eq(mcpConnectionTools.connectionId, connectionId),
          eq(mcpConnectionTools.tenantId, tenantId),
          isNull(mcpConnectionTools.vanishedAt),
          rows.size === 0 ? undefined : notInArray(mcpConnectionTools.name, [...rows.keys()]),
        ),
      );
    if (changed.length > 0) await events.write(tx, [toolsChanged(connection, changed)]);
    return changed;
  });
}

/** Another process that lists at the same time waits, and finds them changed already. */
async function findChanged(
  tx: Transaction,
  { id, tenantId }: ConnectionRow,
  rows: ReadonlyMap<string, typeof mcpConnectionTools.$inferInsert>,
): Promise<string[]> {
  const approved = await tx.orm
    .select()
    .from(mcpConnectionTools)
    .where(
      and(
        eq(mcpConnectionTools.connectionId, id),
        eq(mcpConnectionTools.tenantId, tenantId),
        eq(mcpConnectionTools.approvedHash, mcpConnectionTools.listedHash),
      ),
    )
    .orderBy(mcpConnectionTools.id)
    .for("update");
  return approved
    .filter(({ name, approvedHash }) => {
      const now = rows.get(name);
      return now !== undefined && now.listedHash !== approvedHash;
    })
    .map(({ toolId }) => toolId);
}

async function upsert(tx: Transaction, rows: (typeof mcpConnectionTools.$inferInsert)[]): Promise<void> {
  await tx.orm
    .insert(mcpConnectionTools)
    .values(rows)
    .onConflictDoUpdate({
      target: [mcpConnectionTools.tenantId, mcpConnectionTools.connectionId, mcpConnectionTools.name],
      set: {
        toolId: sql`excluded.tool_id`,
        listed: sql`excluded.listed`,
        listedHash: sql`excluded.listed_hash`,
        problem: sql`excluded.problem`,
        lastSeenAt: sql`excluded.last_seen_at`,
        vanishedAt: null,
      },
    });
}

function inParts<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size));
}
