import { UsageRowSchema } from "@oven/contract";
import type { Database } from "@oven/db";
import { defineRoute, ListQuerySchema, listReply, listRows, type Route, toListParams } from "@oven/module-registry";
import { z } from "zod";
import { aiUsageLogs } from "../tables/ai-usage-logs.table.ts";
import { toUsageRow } from "../usage/record-usage.ts";

export function createUsageRoutes(database: () => Database): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "ai-usage-logs",
      operation: "usage.list",
      summary: "List model calls with tokens, cost and duration",
      access: { permission: "ai-usage.read" },
      query: ListQuerySchema,
      response: z.array(UsageRowSchema),
      effect: "pure",
      async handler({ query, principal }) {
        const params = toListParams(query);
        const { tenantId, tokenUsage: _tokenUsage, error, ...fields } = columns;
        const listing = { table: aiUsageLogs, fields, search: [aiUsageLogs.modelId, error], tenant: tenantId };
        const { rows, total } = await listRows(database().orm, principal, params, listing);
        // cast: `listRows` selects whole rows of the table it is given
        return listReply("ai-usage-logs", params, (rows as (typeof aiUsageLogs.$inferSelect)[]).map(toUsageRow), total);
      },
    }),
  ];
}

const columns = {
  id: aiUsageLogs.id,
  tenantId: aiUsageLogs.tenantId,
  providerId: aiUsageLogs.providerId,
  modelId: aiUsageLogs.modelId,
  alias: aiUsageLogs.alias,
  operation: aiUsageLogs.operation,
  tokenUsage: aiUsageLogs.tokenUsage,
  costMicros: aiUsageLogs.costMicros,
  latencyMs: aiUsageLogs.latencyMs,
  status: aiUsageLogs.status,
  error: aiUsageLogs.error,
  executionId: aiUsageLogs.executionId,
  nodeId: aiUsageLogs.nodeId,
  userId: aiUsageLogs.userId,
  createdAt: aiUsageLogs.createdAt,
};
