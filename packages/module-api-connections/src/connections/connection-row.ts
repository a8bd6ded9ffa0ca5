import type { ApiConnection, ApiConnectionStatus, ApiOperationState } from "@oven/contract/api";
import type { apiConnections } from "../schema.ts";

export type ConnectionRow = typeof apiConnections.$inferSelect;

/** Counts of a connection's operations by state. */
export type OperationCounts = Readonly<Record<ApiOperationState, number>>;

export const NO_OPERATIONS: OperationCounts = { new: 0, approved: 0, changed: 0, vanished: 0, refused: 0 };

/** @param signedIn whether the shared account is; null where that needs nothing */
export function toConnection(row: ConnectionRow, counts: OperationCounts, signedIn: boolean | null): ApiConnection {
  const { id, tenantId, name, title, sourceUrl, sourceType, serverUrl, auth, accounts, timeoutMs, maxBytes } = row;
  const { callsPerMinute, callsPerDay, enabled, document, lastError, createdBy } = row;
  return {
    ...{ id, tenantId, name, title, sourceUrl, sourceType, serverUrl, auth, accounts, timeoutMs, maxBytes },
    ...{ callsPerMinute, callsPerDay, enabled, document, lastError, createdBy, signedIn },
    status: statusOf(row, signedIn),
    readAt: row.readAt.toISOString(),
    nextCheckAt: enabled ? (row.nextCheckAt?.toISOString() ?? null) : null,
    operations: {
      total: Object.values(counts).reduce((sum, count) => sum + count, 0),
      approved: counts.approved,
      waiting: counts.new + counts.changed,
      changed: counts.changed,
      vanished: counts.vanished,
      refused: counts.refused,
    },
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function statusOf({ enabled, lastError }: ConnectionRow, signedIn: boolean | null): ApiConnectionStatus {
  if (!enabled) return "disabled";
  if (signedIn === false) return "sign-in";
  return lastError === null ? "ok" : "failing";
}
