import { type ResolvedModel, type UsageRow, UsageRowSchema } from "@oven/contract/ai";
import type { TokenUsage } from "@oven/contract/node";
import type { Database } from "@oven/db";
import type { Recording } from "../model/model-request.ts";
import { aiUsageLogs } from "../tables/ai-usage-logs.table.ts";

/** On whose behalf a model is called. */
export interface ModelCaller {
  tenantId: number;
  userId: number | null;
  /** The API key that started it. */
  keyId?: number;
  executionId?: number;
  /** The run at the top of its family; absent: `executionId` itself. Budgets of runs count for the whole family. */
  rootExecutionId?: number;
  nodeId?: string;
  /** `agent-workflow:7` or `workflow:7`. */
  workflow?: string;
  agent?: string;
  /** Of a run whose model traffic is recorded or replayed; holds for each call that names no recording itself. */
  recording?: Recording;
}

export interface UsageEntry {
  model: ResolvedModel;
  caller: ModelCaller;
  operation: UsageRow["operation"];
  source: UsageRow["source"];
  tokenUsage: TokenUsage;
  estimated: boolean;
  costMicros: number;
  latencyMs: number;
  status: UsageRow["status"];
  error: string | null;
  fallbackFrom: string | null;
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
    keyId: caller.keyId ?? null,
    workflow: caller.workflow ?? null,
    agent: caller.agent ?? null,
  });
}

/** Of an answer that was given before: no model was asked, and it costs nothing. */
export function recordAgain(
  db: Database,
  { model, source }: { model: ResolvedModel; source: "cache" | "recording" },
  caller: ModelCaller,
  operation: UsageRow["operation"],
): Promise<void> {
  return recordUsage(db, {
    ...{ model, caller, operation, source },
    ...{ tokenUsage: { input: 0, output: 0, total: 0 }, estimated: false, costMicros: 0, latencyMs: 0 },
    ...{ status: "ok", error: null, fallbackFrom: null },
  });
}

export function toUsageRow(row: typeof aiUsageLogs.$inferSelect): UsageRow {
  return UsageRowSchema.parse({ ...row, createdAt: row.createdAt.toISOString() });
}
