import type { Database } from "@oven/db";
import { and, eq } from "@oven/db/drizzle";
import { mcpConnections } from "../schema.ts";
import type { StdioServer } from "./operator-file.ts";

/** Makes the rows under which the operator's servers are seen, and switches off those that the file no longer names. */
export async function syncRows(db: Database, servers: readonly StdioServer[]): Promise<void> {
  const { orm } = db.system;
  for (const server of servers) {
    const { name, title, tenantId, timeoutMs, maxTotalMs, maxBytes } = server;
    const { maxSessions, sessionWaitMs, sessionIdleMs } = server;
    const values = {
      tenantId,
      name,
      title: title ?? null,
      transport: "stdio" as const,
      url: null,
      timeoutMs,
      maxTotalMs,
      maxBytes,
      maxSessions,
      sessionWaitMs,
      sessionIdleMs,
      enabled: true,
    };
    await orm
      .insert(mcpConnections)
      .values({ ...values, auth: { type: "none" }, callsPerMinute: 600 })
      .onConflictDoUpdate({
        target: [mcpConnections.tenantId, mcpConnections.name],
        set: values,
        // A connection that people made keeps its name.
        setWhere: eq(mcpConnections.transport, "stdio"),
      });
  }
  const named = new Set(servers.map(({ tenantId, name }) => `${tenantId}/${name}`));
  const rows = await orm
    .select()
    .from(mcpConnections)
    .where(and(eq(mcpConnections.transport, "stdio"), eq(mcpConnections.enabled, true)));
  for (const row of rows.filter(({ tenantId, name }) => !named.has(`${tenantId}/${name}`)))
    await orm.update(mcpConnections).set({ enabled: false }).where(eq(mcpConnections.id, row.id));
}
