import { type Chain, type ChainSpec, ExecutorSpecSchema } from "@oven/contract/formats/chains.ts";
import type { ChainRow } from "./chain-store.ts";

/** A chain as its table in the document has it. */
export function toChain(
  row: ChainRow,
  { due, tally }: { due: Date | null; tally: { total: number; good: number; bad: number } | undefined },
): Chain {
  const { toolManifest: manifest } = row;
  return {
    id: row.id,
    workflow_id: row.uuid,
    slug: row.slug,
    user_id: String(row.userId),
    thread_id: row.threadId,
    name: row.name,
    description: row.description,
    executors: row.executors,
    tool_manifest_hash: manifest.hash,
    tool_manifest_json: manifest,
    tool_manifest_version: manifest.version,
    schedule_type: row.scheduleType,
    schedule_time: row.scheduleTime?.toISOString() ?? null,
    cron_expression: row.cronExpression,
    timezone: row.timezone,
    next_run_time: due?.toISOString() ?? null,
    status: row.status,
    total_runs: tally?.total ?? 0,
    successful_runs: tally?.good ?? 0,
    failed_runs: tally?.bad ?? 0,
    notify_on_complete: row.notifyOnComplete,
    notify_on_failure: row.notifyOnFailure,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

/** The document of a chain: imported again, it is the same chain. */
export function toSpec(row: ChainRow): ChainSpec {
  return {
    workflow_id: row.slug,
    name: row.name,
    description: row.description,
    executors: row.executors.map((executor) => ExecutorSpecSchema.parse(executor)),
    schedule_type: row.scheduleType,
    schedule_time: row.scheduleTime?.toISOString() ?? null,
    cron_expression: row.cronExpression,
    timezone: row.timezone,
    misfire: row.misfire,
    overlap: row.overlap,
    notify_on_complete: row.notifyOnComplete,
    notify_on_failure: row.notifyOnFailure,
  };
}
