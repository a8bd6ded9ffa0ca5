import type { Trigger } from "@oven/contract";
import type { triggers } from "../schema.ts";

export type TriggerRow = typeof triggers.$inferSelect;

export function toTrigger(row: TriggerRow): Trigger {
  return {
    id: row.id,
    type: row.type,
    name: row.name,
    enabled: row.enabled,
    target: { kind: row.targetKind, workflowId: row.workflowId },
    config: row.config,
    filter: row.filter,
    input: row.input,
    overlap: row.overlap,
    overlapCountsPaused: row.overlapCountsPaused,
    dueAt: row.dueAt?.toISOString() ?? null,
    runsAs: row.runsAs,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
