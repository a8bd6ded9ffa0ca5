import type { Database, Transaction } from "@oven/db";
import { and, eq, isNull, notInArray, sql } from "@oven/db/drizzle";
import type { ListedTools } from "../client/list-tools.ts";
import type { ConnectionRow } from "../connections/connection-row.ts";
import { mcpConnectionTools } from "../schema.ts";
import { pinOf } from "./pin.ts";
import { toToolId } from "./tool-id.ts";
import { toolProblem } from "./tool-problem.ts";

/** Writes down what a server listed: approvals stay where they are, and hold only for what they approved. */
export async function keepListing(
  db: Database,
  connection: ConnectionRow,
  { tools, broken }: ListedTools,
): Promise<void> {
  const { id: connectionId, tenantId } = connection;
  const times = new Map<string, number>();
  for (const { name } of tools) times.set(name, (times.get(name) ?? 0) + 1);
  const rows = new Map<string, typeof mcpConnectionTools.$inferInsert>();
  const common = { tenantId, connectionId, lastSeenAt: new Date() };
  for (const tool of tools) {
    const problem = toolProblem(tool, times.get(tool.name) ?? 1) ?? null;
    const toolId = toToolId(connection.name, tool.name);
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
  await db.transaction(async (tx) => {
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
  });
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
