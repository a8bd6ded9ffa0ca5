import type { Database } from "@oven/db";
import { and, eq, isNotNull } from "@oven/db/drizzle";
import { TenantTools } from "@oven/module-agent-core";
import { a2aConnections } from "../schema.ts";
import { toToolInfo } from "./connection-row.ts";

/** Agents that were approved, each as one tool, as they were approved. @param changed called after they have become others */
export function createAgentTools({ system }: Database, changed: () => void): TenantTools {
  const { tenantId, name, title, approvedCard, needsApproval, approvalWhen, lastError } = a2aConnections;
  return new TenantTools({
    db: system,
    changed,
    marked: {
      from: "a2a_connections where approved_hash is not null and enabled",
      columns: [
        ...["id", "tenant_id", "name", "title", "approved_hash", "approved_at", "needs_approval", "approval_when"],
        "last_error",
      ],
    },
    read: async () => {
      const rows = await system.orm
        // No more than is needed: before an upgrade, `oven doctor` reads a database that lacks newer columns.
        .select({ tenantId, name, title, approvedCard, needsApproval, approvalWhen, lastError })
        .from(a2aConnections)
        .where(and(isNotNull(a2aConnections.approvedHash), eq(a2aConnections.enabled, true)));
      return rows.flatMap((row) => toToolInfo(row).map((tool) => ({ tenantId: row.tenantId, tool })));
    },
  });
}
