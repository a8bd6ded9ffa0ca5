import { isGranted, type Principal } from "@oven/contract";
import type { Trigger } from "@oven/contract/trigger";
import type { triggers } from "../schema.ts";
import type { TriggerTokens } from "./trigger-tokens.ts";

export type TriggerRow = typeof triggers.$inferSelect;

/** Whoever knows the token can start runs: it is shown to those who could do so anyway. */
export function toTrigger(row: TriggerRow, { permissions }: Principal, tokens: TriggerTokens): Trigger {
  return {
    id: row.id,
    type: row.type,
    name: row.name,
    enabled: row.enabled,
    target: { kind: row.targetKind, workflowId: row.workflowId },
    config: row.config,
    filter: row.filter,
    input: row.input,
    shaping: row.shaping,
    overlap: row.overlap,
    overlapCountsPaused: row.overlapCountsPaused,
    token: isGranted(permissions, "triggers.update") ? tokens.read(row) : null,
    dueAt: row.dueAt?.toISOString() ?? null,
    lastError: typeof row.state.lastError === "string" ? row.state.lastError : null,
    problem: row.problem,
    runsAs: row.runsAs,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
