import { type ResolvedModel, type TokenUsage, type UsageRow, UsageRowSchema } from "@oven/contract";
import type { Database } from "@oven/db";
import { aiUsageLogs } from "../tables/ai-usage-logs.table.ts";

/** On whose behalf a model is called. */
export interface ModelCaller {
  tenantId: number;
  userId: number | null;
  executionId?: number;
  nodeId?: string;
}

interface UsageEntry {
  model: ResolvedModel;
  caller: ModelCaller;
  operation: UsageRow["operation"];
  tokenUsage: TokenUsage;
  costMicros: number;
  latencyMs: number;
  status: UsageRow["status"];
  error: string | null;
}

export async function recordUsage(db: Database, { model, caller, ...entry }: UsageEntry): Promise<void> {
  await db.orm.insert(aiUsageLogs).values({
    ...entry,
    tenantId: caller.tenantId,
    providerId: model.providerId,
    modelId: model.modelId,
    alias: model.alias,
    executionId: caller.executionId ?? null,
    nodeId: caller.nodeId ?? null,
    userId: caller.userId,
  });
}

export function toUsageRow(row: typeof aiUsageLogs.$inferSelect): UsageRow {
  return UsageRowSchema.parse({ ...row, createdAt: row.createdAt.toISOString() });
}
